"""Statements of PROTOCOL.md about connections, input and closing, tried on a real server.

Those about rooms and races are in test_protocol_document_race.py, the transcript is in test_transcript.py.
"""

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it brings no types
import pytest
import websockets
from racetest import PATIENCE_S, Client, Connect, Gather, StartNode, fetch, solution, url_of
from websockets.asyncio.client import ClientConnection

from server.node import Node
from server.sessions.context import SessionLimits

WIRE = Path(__file__).parents[1] / "data" / "wire"
BAD_INPUT: list[dict[str, str]] = json.loads((WIRE / "bad_input.json").read_text(encoding="utf-8"))


async def connect(where: Node, *subprotocols: str, path: str = "/", **options: Any) -> ClientConnection:
    """Open a connection without sending anything."""
    offered = [websockets.Subprotocol(name) for name in subprotocols] or None
    return await websockets.connect(url_of(where) + path, subprotocols=offered, proxy=None, **options)


async def refusal(where: Node, *subprotocols: str, path: str = "/", **options: Any) -> int:
    """Return the HTTP status by which a handshake is refused."""
    with pytest.raises(websockets.InvalidStatus) as refused:
        await connect(where, *subprotocols, path=path, **options)
    return refused.value.response.status_code


async def receive(socket: ClientConnection) -> Any:
    """Return the next message."""
    async with asyncio.timeout(PATIENCE_S):
        data = await socket.recv()
    return json.loads(data) if isinstance(data, str) else msgpack.unpackb(data)


async def close_code(socket: ClientConnection) -> int | None:
    """Wait for the end of a connection; return its close code."""
    async with asyncio.timeout(PATIENCE_S):
        with suppress(websockets.ConnectionClosed):
            while True:
                await socket.recv()
    return socket.close_code


# Connecting.


async def test_the_first_subprotocol_of_the_client_that_the_server_supports_is_selected(
    node: StartNode,
) -> None:
    where = await node()
    for offered in (["chess", "simonrace.v1.json", "simonrace.v1.msgpack"], ["simonrace.v1.msgpack"]):
        async with await connect(where, *offered) as socket:
            assert socket.subprotocol == next(name for name in offered if name.startswith("simonrace"))


async def test_only_unknown_subprotocols_are_refused_with_400(node: StartNode) -> None:
    assert await refusal(await node(), "simonrace.v9.json") == 400


async def test_without_a_subprotocol_the_kind_of_the_first_frame_decides(node: StartNode) -> None:
    where = await node()
    for frame, kind in ((msgpack.packb({"type": "ping"}), bytes), ('{"type":"ping"}', str)):
        async with await connect(where) as socket:
            assert socket.subprotocol is None
            await socket.send(frame)
            assert isinstance(await socket.recv(), kind)


async def test_the_websocket_has_two_paths_and_a_query_is_ignored(node: StartNode) -> None:
    where = await node()
    for path in ("/", "/ws", "/?token=no", "/ws?a=b"):
        await (await connect(where, "simonrace.v1.json", path=path)).close()
    assert await refusal(where, "simonrace.v1.json", path="/other") == 404
    assert (await fetch(f"{url_of(where, 'http')}/ws"))[0] == 426


async def test_pages_of_other_origins_are_refused_with_403(node: StartNode) -> None:
    """Pages of the server's own host and of listed origins are accepted, and so are programs."""
    where = await node(origins=("https://friends.example",))
    for origin in (None, "https://friends.example", url_of(where, "http")):
        await (await connect(where, origin=origin)).close()
    assert await refusal(where, origin="https://evil.example") == 403


async def test_too_many_connections_of_one_address_are_refused_with_429(node: StartNode) -> None:
    where = await node(connections_per_address=2)
    sockets = [await connect(where) for _ in range(2)]
    assert await refusal(where) == 429
    for socket in sockets:
        await socket.close()


async def test_a_full_server_refuses_with_503_and_still_answers_healthz(node: StartNode) -> None:
    where = await node(max_connections=1)
    async with await connect(where):
        assert await refusal(where) == 503
        assert await fetch(f"{url_of(where, 'http')}/healthz") == (200, "alive\n")


@pytest.mark.parametrize("headers", [{"X-Long": "x" * 8192}, {f"X-{n}": "x" * 4000 for n in range(5)}])
async def test_a_request_that_is_too_large_is_refused_with_431(
    node: StartNode, headers: dict[str, str]
) -> None:
    """A line of more than 8 KiB, or more than 16 KiB in all."""
    assert await refusal(await node(), additional_headers=headers) == 431


async def test_compression_is_not_negotiated(node: StartNode) -> None:
    async with await connect(await node(), compression="deflate") as socket:
        assert socket.response is not None
        assert "Sec-WebSocket-Extensions" not in socket.response.headers


# Before and with `hello`.


async def test_before_hello_only_ping_is_carried_out(node: StartNode) -> None:
    """Anything else gets `hello_required`. A `hello` with a bad name can be sent again with a good one."""
    ann = await Client(url_of(await node()), "Ann", "json").open()
    assert (await ann.ask("ping"))["type"] == "pong"
    assert await ann.ask("ready") == {
        "type": "error",
        "ref": 2,
        "request": "ready",
        "code": "hello_required",
        "text": "Send `hello` first.",
    }
    await ann.send(type="move", n=1, **solution()[0])
    error = await ann.expect("error")
    assert (error["code"], error["request"], error["race"], error["n"]) == ("hello_required", "move", 1, 1)
    assert await ann.error_code("hello", name="\u202e") == "bad_name"
    assert "token" in await ann.hello()
    assert await ann.error_code("hello", name="Ann") == "already_identified"
    await ann.close()


async def test_a_known_identity_gets_no_token_again(node: StartNode, person: Connect) -> None:
    ann = await person(await node(), "Ann")
    welcome = await (await ann.new_connection().open()).hello()
    assert (welcome["player"], "token" in welcome) == (ann.player, False)


async def test_a_wrong_token_gets_bad_token_and_is_closed_with_4003(node: StartNode) -> None:
    socket = await connect(await node(), "simonrace.v1.json")
    await socket.send('{"type":"hello","ref":1,"name":"Ann","player":"nobody","token":"nothing"}')
    assert (await receive(socket))["code"] == "bad_token"
    assert await close_code(socket) == 4003


async def test_a_connection_without_hello_is_closed_with_4004(node: StartNode) -> None:
    """After ten seconds; the limit is shortened here."""
    where = await node()
    where.sessions.limits = SessionLimits(hello_seconds=0.05)
    assert await close_code(await connect(where)) == 4004


# Input.


async def test_each_bad_input_gets_the_code_in_its_file(node: StartNode) -> None:
    """Each has its own connection: `undecodable` closes it with 4001, any other leaves it open."""
    where = await node(connections_per_address=1000)
    wrong = [
        (each["what"], each["encoding"], outcome)
        for each in BAD_INPUT
        if (outcome := await judged(where, each)) != expected_of(each)
    ]
    assert wrong == []
    assert len(BAD_INPUT) > 200


def expected_of(bad: dict[str, str]) -> tuple[str, int | str]:
    """Return the code of the error, and the close code or `goes on`."""
    if not is_text(bad):
        return "", 1007
    return bad["code"], 4001 if bad["code"] == "undecodable" else "goes on"


def is_text(bad: dict[str, str]) -> bool:
    """Whether the input can be sent in a frame of its encoding: a text frame must be UTF-8."""
    if bad["encoding"] == "json" and "hex" in bad:
        try:
            bytes.fromhex(bad["hex"]).decode()
        except UnicodeDecodeError:
            return False
    return True


async def judged(where: Node, bad: dict[str, str]) -> tuple[str, int | str | None]:
    """Send a bad input on its own connection; return the same as `expected_of`."""
    data = bytes.fromhex(bad["hex"]) if "hex" in bad else bad["text"].encode()
    async with await connect(where, f"simonrace.v1.{bad['encoding']}", compression=None) as socket:
        await socket.send(data, text=bad["encoding"] == "json")
        try:
            code = (await receive(socket))["code"]
        except websockets.ConnectionClosed:
            return "", socket.close_code
        if code == "undecodable":
            return code, await close_code(socket)
        ping = {"type": "ping", "ref": 7}
        await socket.send(json.dumps(ping) if bad["encoding"] == "json" else msgpack.packb(ping))
        answer = await receive(socket)
        return code, "goes on" if answer["type"] == "pong" and answer["ref"] == 7 else str(answer)


async def test_a_frame_of_the_wrong_kind_is_undecodable(node: StartNode) -> None:
    where = await node()
    for subprotocol, frame in (
        ("simonrace.v1.json", msgpack.packb({"type": "ping"})),
        ("simonrace.v1.msgpack", '{"type":"ping"}'),
    ):
        socket = await connect(where, subprotocol)
        await socket.send(frame)
        assert (await receive(socket))["code"] == "undecodable"
        assert await close_code(socket) == 4001


async def test_a_message_has_at_most_16384_bytes(node: StartNode) -> None:
    """A message of that size is read; one more byte closes the connection with 1009."""
    message = '{"type":"ping","padding":"' + "x" * (16_384 - 28) + '"}'
    assert len(message) == 16_384
    socket = await connect(await node(), "simonrace.v1.json", compression=None)
    await socket.send(message)
    assert (await receive(socket))["type"] == "pong"
    await socket.send(message + " ")
    assert await close_code(socket) == 1009


async def test_a_client_that_sends_too_much_gets_rate_limited_and_is_closed_with_4005(
    node: StartNode, person: Connect
) -> None:
    """The bucket has 60 tokens; overdrawn by another 60, the connection is closed."""
    where = await node(messages_per_second=20.0, message_burst=60)
    now = where.sessions.monotonic()
    where.sessions.monotonic = lambda: now
    ann = await person(where, "Ann")  # the first of the sixty
    for ref in range(1000, 1200):
        await ann.send(type="ping", ref=ref)
    assert (await ann.closed())[0] == 4005
    answers = [message for message in ann.received if message.get("ref", 0) >= 1000]
    assert [message["type"] for message in answers] == ["pong"] * 59 + ["error"] * len(answers[59:])
    assert {(each["code"], each["temporary"]) for each in answers[59:]} == {("rate_limited", True)}
    assert len(answers[59:]) == 20  # each took three


async def test_too_many_pings_are_closed_with_1008(node: StartNode) -> None:
    """More than a hundred within a second; the server checks every half second."""
    socket = await connect(await node(), "simonrace.v1.json", ping_interval=None)
    with suppress(websockets.ConnectionClosed):
        for number in range(300):
            await socket.ping(str(number))
    assert await close_code(socket) == 1008


# The end of a server.


async def test_a_server_that_stops_asks_every_client_to_connect_again(node: StartNode, race: Gather) -> None:
    """The notice `restarting`, each with a wait of its own; then 1012; new connections are not taken."""
    where = await node()
    racers = await race(where, *(f"P{number}" for number in range(6)))
    url = url_of(where)
    await where.stop()
    waits = []
    for racer in racers:
        assert (await racer.closed())[0] == 1012
        notice = racer.received[-1]
        assert (notice["type"], notice["code"]) == ("notice", "restarting")
        waits.append(notice["retry_in_ms"])
    assert len(set(waits)) > 1
    assert 0 <= min(waits) <= max(waits) <= 3000
    with pytest.raises(ConnectionRefusedError):
        await Client(url, "Late").open()
