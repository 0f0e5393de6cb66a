"""Records of races, read from the logs."""

from racetest import CODE, Gather, StartNode, solution

from server.core.rules import Rules


async def test_a_record_has_every_action_in_order(node: StartNode, race: Gather) -> None:
    """Moves with their cards, other actions by type."""
    where = await node(rules=Rules(forfeit_undo_ms=60_000))
    ada, ben = await race(where, "Ada", "Ben")
    first = solution()[0]
    answers = [
        await ada.act("move", **first),
        await ada.act("undo"),
        await ada.act("auto_move", **{"from": 0}),
        await ada.act("restart"),
        await ada.act("forfeit"),
        await ada.act("undo"),
    ]
    await ada.act("undo")  # refused, so not recorded
    await ada.moves(solution())
    await ben.win()
    await ben.expect("race_ended")
    record = (await ben.ask("get_record", race=1))["record"]
    actions = record["racers"][0]["actions"]
    assert [each["type"] for each in actions[:6]] == [
        "move",
        "undo",
        "auto_move",
        "restart",
        "forfeit",
        "undo_forfeit",
    ]
    assert [each["at_ms"] for each in actions[:6]] == [answer["at_ms"] for answer in answers]
    assert {key: actions[0][key] for key in first} == first
    assert {key: actions[2][key] for key in ("from", "to", "cards")} == {
        key: answers[2][key] for key in ("from", "to", "cards")
    }
    assert len(actions) == 6 + len(solution())
    assert record["format"] == "simonrace-record-2"


async def test_a_record_has_the_ranking_of_its_own_race(node: StartNode, race: Gather) -> None:
    """Whatever the host configures later."""
    (ada,) = await race(await node(), "Ada", ranking="time", time_limit_s=1000)
    await ada.win()
    await ada.expect("race_ended")
    settings = {"countdown_s": 0, "ranking": "score", "time_limit_s": 2000}
    await ada.do("configure", settings=settings, code=CODE)
    await ada.ready()
    await ada.start()
    await ada.racing()
    await ada.win()
    await ada.expect("race_ended")
    records = [(await ada.ask("get_record", race=number))["record"] for number in (1, 2)]
    assert [(each["race"], each["ranking"], each["time_limit_ms"]) for each in records] == [
        (1, "time", 1_000_000),
        (2, "score", 2_000_000),
    ]
    assert records[0]["started_at_ms"] < records[1]["started_at_ms"]


async def test_a_board_is_read_from_the_log(node: StartNode, race: Gather) -> None:
    """Not from the memory of a node."""
    where = await node()
    ada, _ = await race(where, "Ada", "Ben")
    await ada.moves(solution()[:9])
    view = await where.sessions.records.board(ada.room, 1, CODE, ada.player)
    game = (await ada.ask("get_game"))["game"]
    assert (view.n, view.columns, view.score, view.runs) == (9, game["columns"], game["score"], game["runs"])


async def test_only_a_finished_race_has_a_record(node: StartNode, race: Gather) -> None:
    """No room, no race, a running race."""
    where = await node()
    (ada,) = await race(where, "Ada")
    for room, number in (("BBBBB", 1), (ada.room, 2), (ada.room, 1)):
        assert await where.sessions.records.read(room, number) is None
