"""Bad input over real sockets: one answer to the sender, nothing to the others."""

from typing import Any

import msgpack  # type: ignore[import-untyped]  # it brings no types
import pytest
from racetest import Client, Connect, Encoding, Gather, StartNode, solution

UNDECODABLE: dict[str, bytes] = {
    "nothing at all": b"",
    "a byte that MessagePack never uses": b"\xc1",
    "half a message": msgpack.packb({"type": "ping"})[:-3],
    "a message and a half": msgpack.packb({"type": "ping"}) + b"\x81",
    "text of another encoding": b'{"type": "ping"}',
    "a string that is not UTF-8": b"\x81\xa4type\xa2\xff\xfe",
    "a length beyond the message": b"\xdd\xff\xff\xff\xff",
    "a map of four billion": b"\xdf\xff\xff\xff\xff",
    "arrays in arrays": b"\x91" * 10_000,
    "maps in maps": b"\x81\xa1a" * 5_000,
}

BAD: dict[str, tuple[bytes, str]] = {
    "a number": (msgpack.packb(7), "bad_message"),
    "a list": (msgpack.packb(["type", "ping"]), "bad_message"),
    "nil": (msgpack.packb(None), "bad_message"),
    "no type": (msgpack.packb({"ref": 1}), "bad_message"),
    "an unknown type": (msgpack.packb({"type": "explode"}), "unknown_type"),
    "a type of the server": (msgpack.packb({"type": "race_ended"}), "unknown_type"),
    "a type that is a number": (msgpack.packb({"type": 1}), "bad_message"),
    "a missing field": (
        msgpack.packb({"type": "move", "race": 1, "n": 1, "from": 0, "to": 1}),
        "bad_message",
    ),
    "no race": (msgpack.packb({"type": "undo", "n": 1}), "bad_message"),
    "a field of a wrong kind": (msgpack.packb({"type": "ready", "ready": "yes"}), "bad_message"),
    "a negative number": (msgpack.packb({"type": "undo", "race": 1, "n": -1}), "bad_message"),
    "zero": (msgpack.packb({"type": "undo", "race": 1, "n": 0}), "bad_message"),
    "a number beyond 64 bits": (msgpack.packb({"type": "undo", "race": 1, "n": 2**64 - 1}), "bad_message"),
    "a fraction": (msgpack.packb({"type": "undo", "race": 1, "n": 1.5}), "bad_message"),
    "not a number": (msgpack.packb({"type": "undo", "race": 1, "n": float("nan")}), "bad_message"),
    "infinity": (msgpack.packb({"type": "undo", "race": 1, "n": float("inf")}), "bad_message"),
    "bytes for text": (msgpack.packb({"type": "chat", "text": b"x"}), "bad_message"),
    "an ext type": (msgpack.packb({"type": "chat", "text": msgpack.ExtType(5, b"x")}), "bad_message"),
    "a text too long": (msgpack.packb({"type": "chat", "text": "x" * 301}), "bad_message"),
    "an empty text": (msgpack.packb({"type": "chat", "text": ""}), "bad_message"),
    "two types": (b"\x82\xa4type\xa4ping\xa4type\xa5leave", "unknown_type"),
}

BAD_JSON: dict[str, tuple[str, str]] = {
    "nothing at all": ("", "undecodable"),
    "half a message": ('{"type": "ping"', "undecodable"),
    "a message and a half": ('{"type": "ping"}{', "undecodable"),
    "NaN": ('{"type": "undo", "race": 1, "n": NaN}', "undecodable"),
    "a comment": ('{"type": "ping"} // hello', "undecodable"),
    "lists in lists": ("[" * 15_000, "undecodable"),
    "a lone surrogate": ('{"type": "chat", "text": "\\ud800"}', "undecodable"),
    "a huge number": ('{"type": "undo", "race": 1, "n": 1' + "0" * 10_000 + "}", "bad_message"),
    "a list": ("[]", "bad_message"),
    "a wrong kind": ('{"type": "ready", "ready": 1}', "bad_message"),
    "an unknown type": ('{"type": "explode"}', "unknown_type"),
}


async def others_go_on(ada: Client) -> None:
    """Require that another member of the room can play and chat."""
    await ada.moves(solution()[ada.n : ada.n + 2])
    await ada.do("chat", text="the game goes on")


@pytest.mark.parametrize("case", UNDECODABLE)
async def test_undecodable_input_closes_only_this_connection(
    node: StartNode, race: Gather, case: str
) -> None:
    """An error, then 4001. The seat is kept."""
    ada, ben = await race(await node(), "Ada", "Ben")
    await ben.moves(solution()[:1])
    await ben.sync()
    came = len(ben.received)
    await ben.socket.send(UNDECODABLE[case])
    assert await ben.closed() == (4001, "A message could not be decoded. The client has a bug.")
    errors = [message for message in ben.received[came:] if message["type"] != "standings"]
    assert [(error["type"], error["code"]) for error in errors] == [("error", "undecodable")]
    assert "Traceback" not in errors[0]["text"]
    await ada.expect("member_disconnected", player=ben.player)
    await others_go_on(ada)
    back = await ben.reconnect()
    assert back.n == 1


@pytest.mark.parametrize("case", BAD)
async def test_an_invalid_message_gets_an_error_and_changes_nothing(
    node: StartNode, race: Gather, case: str
) -> None:
    """The connection stays open, and the next valid message is carried out."""
    ada, ben = await race(await node(), "Ada", "Ben")
    data, code = BAD[case]
    await ben.socket.send(data)
    error = await ben.expect("error")
    assert (error["code"], error.get("temporary", False)) == (code, False)
    assert len(error["text"]) < 400
    await ben.moves(solution()[:2])
    await others_go_on(ada)


@pytest.mark.parametrize("case", BAD_JSON)
async def test_bad_json_is_answered_like_bad_messagepack(node: StartNode, race: Gather, case: str) -> None:
    """Both encodings get the same error codes."""
    where = await node()
    (ada,) = await race(where, "Ada")
    eve = Client(ada.url, "Eve", "json")
    await eve.open()
    await eve.hello()
    data, code = BAD_JSON[case]
    await eve.socket.send(data)
    assert (await eve.expect("error"))["code"] == code
    if code == "undecodable":
        assert (await eve.closed())[0] == 4001
    else:
        await eve.sync()
    await others_go_on(ada)
    await eve.close()


async def test_text_that_is_not_utf8_closes_with_1007(node: StartNode, race: Gather) -> None:
    """The WebSocket layer closes the connection; the others go on."""
    ada, ben = await race(await node(), "Ada", "Ben")
    await ben.socket.send(b"\xff\xfe", text=True)
    assert (await ben.closed())[0] == 1007
    await others_go_on(ada)


HOSTILE: list[tuple[dict[str, Any], str]] = [
    ({"type": "join", "room": "../../etc"}, "already_in_room"),
    ({"type": "join", "room": "}:log"}, "already_in_room"),
    ({"type": "join", "room": "\x00"}, "already_in_room"),
    ({"type": "kick", "player": "*"}, "not_host"),
    ({"type": "get_board", "player": "\r\nFLUSHALL\r\n"}, "no_such_member"),
    ({"type": "get_record", "race": 2**31 - 1}, "no_record"),
    ({"type": "configure", "settings": {"suits": 3}}, "bad_settings"),
    ({"type": "subscribe_leaderboard", "code": "SS1-S1-" + "A" * 50}, "bad_code"),
    ({"type": "subscribe_leaderboard", "code": "{board:x}:time"}, "bad_code"),
    ({"type": "hello", "name": "Ben", "player": "x", "token": "y"}, "already_identified"),
]


@pytest.mark.parametrize("encoding", ["json", "msgpack"])
async def test_hostile_values_are_answered_like_others(
    node: StartNode, race: Gather, person: Connect, encoding: Encoding
) -> None:
    """The content of a field is a value and never a command. Each request has one answer."""
    where = await node()
    (ada,) = await race(where, "Ada")
    eve = await person(where, "Eve", encoding=encoding)
    for room in ("../../etc", "}:log", "*", "\x00"):
        assert await eve.error_code("join", room=room) == "no_such_room"
    await eve.join(ada.room)
    for message, code in HOSTILE:
        assert await eve.error_code(**message) == code, message
    await eve.do("chat", text="\x1b[2J\r\nQUIT")
    assert (await ada.expect("chat_message"))["player"] == eve.player
    await others_go_on(ada)


async def test_impossible_moves_are_refused(node: StartNode, race: Gather) -> None:
    """Also those with the largest numbers that a field can have."""
    ada, ben = await race(await node(), "Ada", "Ben")
    for move, code in (
        ({"from": 99, "to": 99, "cards": 99}, "no_such_column"),
        ({"from": 0, "to": 99, "cards": 0}, "no_such_column"),
        ({"from": 0, "to": 1, "cards": 0}, "bad_cards"),
        ({"from": 0, "to": 1, "cards": 99}, "bad_cards"),
    ):
        assert (await ben.act("move", **move))["code"] == code
    await ben.send(type="undo", n=2**31 - 1)
    assert (await ben.answer(2**31 - 1))["expected"] == 1
    await others_go_on(ada)
