"""Requests of somebody who is greeted: chat, games, boards, records, leaderboards."""

import pytest
from racetest import (
    CODE,
    OTHER_CODE,
    Connect,
    GatedStore,
    Gather,
    Message,
    StartNode,
    detour,
    rows_of,
    solution,
)

from protocol import limits
from server.store import keys

BEST = len(solution())


async def test_a_chat_line_is_sent_to_everybody(node: StartNode, party: Gather) -> None:
    """The one who says it included, before the answer to the request."""
    ada, ben = await party(await node(), "Ada", "Ben")
    await ben.do("chat", text="gl hf 好運")
    for each in (ada, ben):
        assert (await each.expect("chat_message"))["text"] == "gl hf 好運"
    kinds = [message["type"] for message in ben.received]
    assert kinds.index("chat_message") < kinds.index("done")


async def test_a_request_for_the_room_needs_a_room(node: StartNode, person: Connect) -> None:
    """Without one, every request is refused."""
    ada = await person(await node(), "Ada")
    requests: dict[str, Message] = {
        "ready": {},
        "start_countdown": {},
        "cancel_countdown": {},
        "configure": {"settings": {}},
        "lock": {},
        "kick": {"player": "x"},
        "chat": {"text": "x"},
        "leave": {},
        "get_game": {},
        "get_board": {"player": "x"},
        "get_record": {"race": 1},
    }
    for request, fields in requests.items():
        assert await ada.error_code(request, **fields) == "not_in_room", request


async def test_a_racer_gets_the_committed_game(node: StartNode, race: Gather, person: Connect) -> None:
    """Board, score, counts and the number of the last action."""
    where = await node()
    ada, _ = await race(where, "Ada", "Ben")
    last = await ada.moves(solution()[:7])
    answer = await ada.ask("get_game")
    game = answer["game"]
    assert answer["race"] == 1
    assert (game["n"], game["score"], game["moves"], game["runs"], game["undoable"], game["state"]) == (
        7,
        last["score"],
        7,
        last["runs"],
        7,
        "playing",
    )
    assert sum(len(column) for column in game["columns"]) == 52
    eve = await person(where, "Eve")
    await eve.join(ada.room)
    assert await eve.error_code("get_game") == "no_game"


async def test_a_racer_gets_the_game_without_a_read(node: StartNode, race: Gather) -> None:
    """A game may have 20,000 actions: twenty requests a second must not stop the node."""
    where = await node()
    ada, _ = await race(where, "Ada", "Ben")
    await ada.moves(solution()[:7])
    gate = GatedStore.of(where).reads
    gate.close("race:1")
    assert (await ada.ask("get_game"))["game"]["n"] == 7
    assert gate.held == set()
    gate.open()


async def test_boards_are_hidden_during_the_race_and_shown_after_it(
    node: StartNode, race: Gather, person: Connect
) -> None:
    """Nobody sees another's board while it matters; after the race everybody may."""
    where = await node()
    ada, ben = await race(where, "Ada", "Ben")
    eve = await person(where, "Eve")
    await eve.join(ada.room)
    await ben.moves(solution()[:3])
    for each in (ada, ben, eve):
        assert await each.error_code("get_board", player=ben.player) == "boards_hidden"
    assert await eve.error_code("get_board", player=eve.player) == "no_such_member"
    own = (await ben.ask("get_game"))["game"]
    await ada.win()
    await ben.act("forfeit")
    await eve.expect("race_ended")
    shown = await eve.ask("get_board", player=ben.player)
    assert shown == {
        "type": "board",
        "ref": shown["ref"],
        "race": 1,
        "player": ben.player,
        "game": own | {"n": 4, "state": "forfeited"},
    }
    assert (await ben.ask("get_board", player=ada.player))["game"]["columns"] == [[]] * 10


async def test_live_boards_are_for_spectators(node: StartNode, race: Gather, person: Connect) -> None:
    """If the host allowed it before the start; a racer sees none, not even one who is done."""
    where = await node()
    ada, ben = await race(where, "Ada", "Ben", live_boards=True)
    eve = await person(where, "Eve")
    await eve.join(ada.room, spectate=True)
    await ada.win()
    await ben.moves(solution()[:2])
    board = await eve.ask("get_board", player=ben.player)
    assert (board["game"]["n"], board["game"]["moves"]) == (2, 2)
    assert await ada.error_code("get_board", player=ben.player) == "boards_hidden"


async def test_a_record_exists_once_the_race_is_over(node: StartNode, race: Gather) -> None:
    """Not before, and not for a race that never was."""
    ada, ben = await race(await node(), "Ada", "Ben")
    assert await ben.error_code("get_record", race=1) == "no_record"
    await ada.win()
    await ben.win()
    await ben.expect("race_ended")
    assert (await ben.ask("get_record", race=1))["record"]["race"] == 1
    assert await ben.error_code("get_record", race=2) == "no_record"


async def test_records_are_answered_one_at_a_time(node: StartNode, race: Gather) -> None:
    """A record costs far more than the message that asks for it: the next request waits, a ping does not."""
    here = await node()
    (ada,) = await race(here, "Ada")
    await ada.win()
    await ada.expect("race_ended")
    gate = GatedStore.of(here).reads
    gate.close(keys.game_log(ada.room, 1, ada.player))
    await ada.send(type="get_record", race=1, ref=71)
    await ada.send(type="get_record", race=2, ref=72)
    await ada.send(type="ping", ref=73)
    await gate.reached()
    gate.open()
    for ref in (71, 72, 73):
        await ada.answered(ref)
    kinds = [message["type"] for message in ada.received if message.get("ref") in (71, 72, 73)]
    assert kinds == ["pong", "record", "error"]


async def test_subscribers_of_a_leaderboard_get_its_changes(
    node: StartNode, race: Gather, person: Connect
) -> None:
    """A client outside the room subscribes, and gets the race when it is over."""
    where = await node()
    eve = await person(where, "Eve")
    empty = await eve.ask("subscribe_leaderboard", code=CODE.lower())
    assert (empty["code"], empty["leaderboards"]) == (
        CODE,
        [{"kind": kind, "rows": []} for kind in ("time", "score", "moves")],
    )
    ada, ben = await race(where, "Ada", "Ben")
    won = await ada.win()
    await ben.moves(detour())
    boards = await eve.expect("leaderboard")

    def row(rank: int, who: str, player: str, value: int) -> Message:
        return {"rank": rank, "player": player, "name": who, "value": value, "race_id": f"{ada.room}/1"}

    assert rows_of(boards, "time")[0] == row(1, "Ada", ada.player, won["at_ms"])
    assert rows_of(boards, "score") == [
        row(1, "Ada", ada.player, won["score"]),
        row(2, "Ben", ben.player, won["score"] - 2),
    ]
    assert rows_of(boards, "moves") == [row(1, "Ada", ada.player, BEST), row(2, "Ben", ben.player, BEST + 2)]
    await eve.do("unsubscribe_leaderboard", code=CODE)


async def test_a_worse_race_does_not_lower_a_rank(node: StartNode, race: Gather) -> None:
    """The best of each player counts, on each board separately; equal is equal."""
    where = await node()
    (ada,) = await race(where, "Ada")
    await ada.moves(detour())
    await ada.expect("race_ended")
    await ada.do("configure", settings={"countdown_s": 0}, code=CODE)
    await ada.ready()
    await ada.start()
    await ada.racing()
    await ada.win()
    await ada.expect("race_ended")
    (ben,) = await race(where, "Ben")
    await ben.win()
    await ben.expect("race_ended")
    boards = await ben.ask("subscribe_leaderboard", code=CODE)
    while len(rows_of(boards, "moves")) < 2:
        boards = await ben.expect("leaderboard")
    assert [(row["rank"], row["value"]) for row in rows_of(boards, "moves")] == [(1, BEST), (1, BEST)]
    assert {row["race_id"] for row in rows_of(boards, "moves")} == {f"{ada.room}/2", f"{ben.room}/1"}


async def test_unfinished_games_are_on_no_leaderboard(node: StartNode, race: Gather) -> None:
    """Only who has won is ranked there."""
    ada, ben = await race(await node(), "Ada", "Ben")
    await ada.win()
    await ben.act("forfeit")
    await ada.expect("race_ended")
    boards = await ada.ask("subscribe_leaderboard", code=CODE)
    if not rows_of(boards, "score"):
        boards = await ada.expect("leaderboard")
    assert [row["name"] for row in rows_of(boards, "score")] == ["Ada"]


@pytest.mark.parametrize("request_", ["subscribe_leaderboard", "unsubscribe_leaderboard"])
async def test_a_leaderboard_needs_a_game_code(node: StartNode, person: Connect, request_: str) -> None:
    """The error says what is wrong with it."""
    ada = await person(await node(), "Ada")
    answer = await ada.ask(request_, code="SS1-S3-AAAAABD")
    assert (answer["type"], answer["code"]) == ("error", "bad_code")
    assert "SS1-S1-AAAAABD" in answer["text"]


async def test_subscriptions_are_limited_by_connection(node: StartNode, person: Connect) -> None:
    """The limit counts different codes; leaving one makes room for another."""
    ada = await person(await node(), "Ada")
    for number in range(limits.LEADERBOARD_SUBSCRIPTIONS):
        code = f"SS1-S1-AAAAAA{chr(ord('A') + number)}"
        assert (await ada.ask("subscribe_leaderboard", code=code))["type"] == "leaderboard"
    assert (await ada.ask("subscribe_leaderboard", code=OTHER_CODE))["type"] == "leaderboard"
    assert await ada.error_code("subscribe_leaderboard", code="SS1-S4-AAAAAAA") == "too_many_subscriptions"
    await ada.do("unsubscribe_leaderboard", code=OTHER_CODE)
    assert (await ada.ask("subscribe_leaderboard", code="SS1-S4-AAAAAAA"))["type"] == "leaderboard"


async def test_a_change_of_settings_is_seen_by_all_and_names_no_code(node: StartNode, party: Gather) -> None:
    """Everybody learns that a code was named, nobody which."""
    ada, ben = await party(await node(), "Ada", "Ben", code=None)
    await ada.do("configure", settings={"ranking": "score"}, code=OTHER_CODE)
    configured = await ben.expect("configured")
    assert (configured["settings"]["ranking"], configured["named_code"]) == ("score", True)
    assert OTHER_CODE not in str(configured)
    assert await ada.error_code("configure", settings={"suits": 3}) == "bad_settings"
    assert await ada.error_code("configure", settings={}, code="SS1-S4-aaa") == "bad_code"
    assert len(ben.messages("configured")) == 1
