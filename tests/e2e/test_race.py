"""Whole races over real sockets and a real store, as members receive them."""

import asyncio

import pytest
from racetest import CODE, OTHER_CODE, Client, Connect, Gather, Message, StartNode, detour, solution

from engine.code import GameCode
from engine.deal import deal
from engine.replay import Action, ActionKind, replay

CROWD = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")
COLUMNS = deal(GameCode.parse(CODE)).columns_text()


@pytest.mark.parametrize("people", [2, 3, 8])
@pytest.mark.parametrize("ranking", ["time", "score"])
async def test_members_race_to_the_results(node: StartNode, party: Gather, ranking: str, people: int) -> None:
    """All get the same deal and the same results; the first to finish wins."""
    racers = await party(await node(), *CROWD[:people], ranking=ranking)
    for racer in racers:
        await racer.ready()
    await racers[0].start()
    started = [await racer.racing() for racer in racers]
    assert [each["code"] for each in started] == [CODE] * people
    assert [each["columns"] for each in started] == [COLUMNS] * people
    assert [each["racers"] for each in started] == [[racer.player for racer in racers]] * people

    won = [await racer.win() for racer in racers]

    over = [await racer.expect("race_ended") for racer in racers]
    assert over == [over[0]] * people
    assert over[0]["results"] == [
        {
            "player": racer.player,
            "name": racer.name,
            "rank": place,
            "state": "won",
            "score": answer["score"],
            "moves": len(solution()),
            "runs": 4,
            "reached_ms": answer["at_ms"],
        }
        for place, (racer, answer) in enumerate(zip(racers, won, strict=True), start=1)
    ]


@pytest.mark.parametrize(("ranking", "first"), [("time", "Ada"), ("score", "Ben")])
async def test_the_ranking_decides_whether_time_or_score_counts(
    node: StartNode, race: Gather, ranking: str, first: str
) -> None:
    """Ada is faster but wastes two moves; Ben is slower with the better score."""
    ada, ben = await race(await node(), "Ada", "Ben", ranking=ranking)
    await ada.moves(detour())
    await ben.win()
    results = (await ada.expect("race_ended"))["results"]
    assert [(row["name"], row["rank"]) for row in results] == [
        (first, 1),
        ("Ben" if first == "Ada" else "Ada", 2),
    ]


async def test_unfinished_racers_follow_the_winners_by_runs_then_cards(node: StartNode, race: Gather) -> None:
    """Racers who forfeited are ranked by progress, too; equal games have equal ranks."""
    ada, ben, cleo, dan = await race(await node(), *CROWD[:4])
    await ada.win()
    await cleo.moves(solution()[:40])
    for racer in (ben, cleo, dan):
        await racer.act("forfeit")
    results = (await ada.expect("race_ended"))["results"]
    assert [(row["name"], row["rank"], row["state"]) for row in results] == [
        ("Ada", 1, "won"),
        ("Cleo", 2, "forfeited"),
        ("Ben", 3, "forfeited"),
        ("Dan", 3, "forfeited"),
    ]


@pytest.mark.parametrize("code", [CODE, None])
async def test_the_deal_is_sealed_until_the_start(node: StartNode, person: Connect, code: str | None) -> None:
    """No message before the start has the code or a card, not even for the creator."""
    where = await node()
    ada, ben, eve = [await person(where, name, encoding="json") for name in ("Ada", "Ben", "Eve")]
    room = await ada.create(countdown_s=1)
    await ada.do("configure", settings={"countdown_s": 1}, **({"code": code} if code else {}))
    await ben.join(room)
    await ada.ready()
    await ben.ready()
    await ada.start()
    await eve.join(room)
    started = [await each.racing() for each in (ada, ben, eve)]
    assert len({each["code"] for each in started}) == 1
    before = [
        message
        for each in (ada, ben, eve)
        for message in each.received[: each.received.index(each.messages("race_started")[0])]
    ]
    assert before
    for message in before:
        assert started[0]["code"] not in str(message)
        assert "columns" not in message


async def test_a_random_deal_can_be_won(node: StartNode, party: Gather) -> None:
    """The server draws codes until its solver wins one."""
    ada, ben = await party(await node(), "Ada", "Ben", code=None)
    await ada.ready()
    await ben.ready()
    await ada.start()
    started = await ada.racing()
    await ben.racing()
    assert GameCode.parse(started["code"]).suits == 1
    assert (await ada.win())["runs"] == 4


async def test_a_room_has_several_races(node: StartNode, race: Gather) -> None:
    """Members and settings stay. A named code is for one race; the next race has another deal."""
    ada, ben = racers = await race(await node(), "Ada", "Ben")
    for racer in racers:
        await racer.win()
    for racer in racers:
        await racer.expect("race_ended", race=1, code=CODE)
    await ada.do("configure", settings={"countdown_s": 0}, code=OTHER_CODE)
    await ada.expect("lobby_opened")
    for racer in racers:
        await racer.ready()
    await ada.start()
    for racer in racers:
        assert (await racer.racing())["race"] == 2
        assert racer.code == OTHER_CODE
    await ben.win()
    await ada.win()
    over = await ada.expect("race_ended", race=2)
    assert [(row["name"], row["rank"]) for row in over["results"]] == [("Ben", 1), ("Ada", 2)]
    assert len(ada.messages("race_ended")) == 2


async def test_a_late_joiner_watches_and_races_next(node: StartNode, person: Connect, race: Gather) -> None:
    """A member who enters during a race gets the deal and the standings, cannot move, and races next."""
    where = await node()
    ada, ben = await race(where, "Ada", "Ben")
    await ada.moves(solution()[:3])
    eve = await person(where, "Eve")
    view = await eve.join(ada.room)
    assert view["phase"] == "racing"
    assert view["current_race"]["columns"] == COLUMNS
    assert view["current_race"]["racers"] == [ada.player, ben.player]
    assert "game" not in view
    standings = await eve.expect("standings")
    assert [row["moves"] for row in standings["rows"]] == [3, 0]
    assert (await eve.act("move", **solution()[0]))["code"] == "not_racing"
    assert await eve.error_code("ready") == "race_running"
    await ada.win()
    await ben.win()
    await eve.expect("race_ended")
    for racer in (eve, ada, ben):
        await racer.ready()
    await ada.start()
    assert (await eve.racing())["racers"] == [ada.player, ben.player, eve.player]


async def test_a_member_who_is_not_ready_at_the_start_watches(node: StartNode, party: Gather) -> None:
    """Only members who are ready take part in a race."""
    ada, ben = await party(await node(), "Ada", "Ben")
    await ada.ready()
    await ada.start()
    assert (await ben.racing())["racers"] == [ada.player]
    assert (await ben.act("move", **solution()[0]))["code"] == "not_racing"


async def test_everybody_ready_starts_the_race(node: StartNode, party: Gather) -> None:
    """With `all_ready`, the last `ready` starts the race, once."""
    racers = await party(await node(), "Ada", "Ben", "Cleo", start_mode="all_ready")
    await racers[2].ready()
    await racers[0].ready()
    await racers[0].sync()
    assert racers[0].messages("countdown_started") == []
    await racers[1].ready()
    for racer in racers:
        await racer.racing()
        assert len(racer.messages("countdown_started")) == 1


async def test_standings_follow_the_moves(node: StartNode, race: Gather) -> None:
    """The leader is first, equal racers have equal ranks, and a win has its time."""
    ada, ben, cleo = await race(await node(), "Ada", "Ben", "Cleo")
    won = await ben.win()

    def row(racer: Client, rank: int) -> Message:
        return {"player": racer.player, "rank": rank, "score": 500, "moves": 0, "runs": 0, "progress": 0}

    winner = row(ben, 1) | {
        "score": won["score"],
        "moves": len(solution()),
        "runs": 4,
        "progress": 48,
        "state": "won",
        "at_ms": won["at_ms"],
    }
    while (standings := await ada.expect("standings"))["rows"][0] != winner:
        pass
    rest = [{**each, "progress": 0} for each in standings["rows"][1:]]
    assert rest == [row(ada, 2), row(cleo, 2)]


async def test_a_recorded_race_replays_to_its_results(node: StartNode, race: Gather) -> None:
    """Code and actions alone reproduce every board, score, moves and runs."""
    ada, ben = await race(await node(), "Ada", "Ben")
    await ben.moves(solution()[:5])
    await ben.act("undo")
    await ben.act("auto_move", **{"from": 9})
    await ben.act("restart")
    await ben.moves(solution()[:2])
    await ada.win()
    await ben.act("forfeit")
    over = await ada.expect("race_ended")
    record = (await ada.ask("get_record", race=1))["record"]
    assert (record["code"], record["race"], record["ranking"]) == (CODE, 1, "time")
    assert record["results"] == over["results"]
    for racer in record["racers"]:
        actions = [
            Action(ActionKind.MOVE, each["from"], each["to"], each["cards"])
            if each["type"] in ("move", "auto_move")
            else Action(ActionKind(each["type"]))
            for each in racer["actions"]
            if each["type"] != "forfeit"
        ]
        game = replay(deal(GameCode.parse(record["code"])), actions)
        result = next(row for row in record["results"] if row["player"] == racer["player"])
        assert game.board.columns_text() == racer["columns"]
        assert (game.score, game.moves, game.runs) == (result["score"], result["moves"], result["runs"])
        assert [each["at_ms"] for each in racer["actions"]] == sorted(
            each["at_ms"] for each in racer["actions"]
        )


async def test_clients_of_both_encodings_race_together(node: StartNode, person: Connect) -> None:
    """MessagePack and JSON carry the same messages."""
    where = await node()
    ada, ben = await person(where, "Ada"), await person(where, "Ben", encoding="json")
    await ben.join(await ada.create(CODE))
    await ada.ready()
    await ben.ready()
    await ada.start()
    a, b = await ada.racing(), await ben.racing()
    assert a | {"elapsed_ms": 0, "clock_ms": 0} == b | {"elapsed_ms": 0, "clock_ms": 0}
    await asyncio.gather(ada.win(), ben.win())
    assert await ada.expect("race_ended") == await ben.expect("race_ended")
