"""A racer's actions over the wire: numbered, answered in order, each exactly once, on whatever node."""

import msgspec
import pytest
from racetest import (
    Client,
    Connect,
    GatedStore,
    Gather,
    Ledger,
    Message,
    StartNode,
    hold_game,
    solution,
    until,
    url_of,
)

from protocol.record import ActionKind
from server.core.play import LogEntry
from server.core.rules import Rules
from server.rooms.race import earlier_races, racer_game
from server.store import keys
from server.store.port import Append, Commit

STEPS = solution()


async def move(racer: Client, n: int, step: Message) -> None:
    """Send a move with a number of the test's choice."""
    await racer.send(type="move", n=n, **step)


async def test_a_repeated_number_gets_the_same_answer_and_changes_nothing(
    node: StartNode, race: Gather
) -> None:
    """A client that is not sure whether its action came through sends it again."""
    ada, _ = await race(await node(), "Ada", "Ben")
    first = await ada.act("move", **STEPS[0])
    await ada.moves(STEPS[1:5])
    await move(ada, 1, STEPS[0])
    assert await ada.answer(1) == first
    assert (await ada.ask("get_game"))["game"]["n"] == 5
    await ada.moves(STEPS[5:7])


async def test_every_kind_of_action_can_be_repeated(node: StartNode, race: Gather) -> None:
    """Not only moves: `auto`, `undo`, `restart`, `forfeit` and its undo have their answers, too."""
    ada, _ = await race(await node(rules=Rules(forfeit_undo_ms=60_000)), "Ada", "Ben")
    actions: list[Message] = [
        {"type": "auto_move", "from": 0},
        {"type": "move", **STEPS[1]},
        {"type": "undo"},
        {"type": "restart"},
        {"type": "forfeit"},
        {"type": "undo"},
    ]
    answers = [await ada.act(**action) for action in actions]
    assert [answer["type"] for answer in answers] == ["accepted"] * 6
    for n, (action, answer) in enumerate(zip(actions, answers, strict=True), start=1):
        await ada.send(n=n, **action)
        assert await ada.answer(n) == answer


async def test_a_number_cannot_be_used_for_another_action(node: StartNode, race: Gather) -> None:
    """Two clients of one player, or a confused one, must not believe that theirs was made."""
    ada, _ = await race(await node(), "Ada", "Ben")
    await ada.moves(STEPS[:2])
    await move(ada, 1, STEPS[1])
    refused = await ada.answer(1)
    assert (refused["code"], refused["expected"]) == ("number_taken", 3)


async def test_a_number_in_flight_cannot_be_used_for_another_action(node: StartNode, race: Gather) -> None:
    """It is taken from the moment when the first one came, though that is not remembered yet."""
    where = await node()
    ada, _ = await race(where, "Ada", "Ben")
    gate = GatedStore.of(where).commits
    gate.close("race:1")
    await move(ada, 1, STEPS[0])
    await gate.reached()
    await move(ada, 1, STEPS[1])
    await move(ada, 1, STEPS[0])
    await move(ada, 2, STEPS[1])
    await ada.sync()
    assert ada.messages("accepted", "refused") == []
    gate.open()
    answers = [await ada.answer(n) for n in (1, 1, 2)]
    assert [answer["type"] for answer in answers] == ["accepted", "refused", "accepted"]
    assert answers[1]["code"] == "number_taken"


async def test_a_gap_is_refused_with_the_number_expected(node: StartNode, race: Gather) -> None:
    """Nothing is kept for later: the client sends what is missing first."""
    ada, _ = await race(await node(), "Ada", "Ben")
    await ada.moves(STEPS[:3])
    await move(ada, 5, STEPS[4])
    refused = await ada.answer(5)
    assert (refused["code"], refused["expected"]) == ("wrong_number", 4)
    await ada.moves(STEPS[3:5])


async def test_moves_sent_after_a_refused_move_are_refused_too(node: StartNode, race: Gather) -> None:
    """Answers come in order, and a later move never takes the place of the one that was refused."""
    ada, _ = await race(await node(), "Ada", "Ben")
    await move(ada, 1, STEPS[0])
    await move(ada, 2, {"from": 3, "to": 3, "cards": 1})
    await move(ada, 3, STEPS[1])
    await move(ada, 2, STEPS[1])
    await move(ada, 3, STEPS[2])
    answers = [await ada.answer(n) for n in (1, 2, 3, 2, 3)]
    assert [(answer["type"], answer.get("code"), answer.get("expected")) for answer in answers] == [
        ("accepted", None, None),
        ("refused", "same_column", 2),
        ("refused", "wrong_number", 2),
        ("accepted", None, None),
        ("accepted", None, None),
    ]
    await ada.moves(STEPS[3:])


async def test_the_winning_move_sent_twice_wins_once(node: StartNode, race: Gather) -> None:
    """Sent again in one go it has one answer; sent again later it has the same."""
    ada, ben = await race(await node(), "Ada", "Ben")
    await ada.moves(STEPS[:-1])
    last = len(STEPS)
    await move(ada, last, STEPS[-1])
    await move(ada, last, STEPS[-1])
    won = await ada.answer(last)
    await ada.sync()
    await move(ada, last, STEPS[-1])
    again = await ada.answer(last)
    assert again == won
    await ben.win()
    over = await ben.expect("race_ended")
    assert over["results"][0]["reached_ms"] == won["at_ms"]
    assert len(ben.messages("racer_won")) == 2


async def test_the_winning_move_has_its_answer_even_when_the_race_is_over(
    node: StartNode, race: Gather
) -> None:
    """Who lost the connection with the last move does not know whether it counted, and asks by sending it."""
    (ada,) = await race(await node(), "Ada")
    won = await ada.win()
    await ada.expect("race_ended")
    await move(ada, len(STEPS), STEPS[-1])
    assert await ada.answer(len(STEPS)) == won
    for number in (len(STEPS), len(STEPS) + 1):
        await ada.send(type="undo", n=number)
        refused = await ada.answer(number)
        assert (refused["code"], refused["expected"]) == ("wrong_race", 0)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ({"type": "move", "from": 0, "to": 12, "cards": 1}, "no_such_column"),
        ({"type": "move", "from": 3, "to": 3, "cards": 1}, "same_column"),
        ({"type": "move", "from": 0, "to": 1, "cards": 9}, "bad_cards"),
        ({"type": "move", "from": 0, "to": 1, "cards": 8}, "not_one_suit_descending"),
        ({"type": "move", "from": 5, "to": 1, "cards": 1}, "rank_mismatch"),
        ({"type": "auto_move", "from": 10}, "no_such_column"),
        ({"type": "undo"}, "nothing_to_undo"),
    ],
)
async def test_a_refusal_names_the_rule_and_changes_nothing(
    node: StartNode, race: Gather, action: Message, code: str
) -> None:
    """The rule's code is for programs, its text for people; the number is free again."""
    ada, _ = await race(await node(), "Ada", "Ben")
    before = (await ada.ask("get_game"))["game"]
    refused = await ada.act(**action)
    assert (refused["type"], refused["n"], refused["expected"], refused["code"]) == ("refused", 1, 1, code)
    assert refused["text"]
    assert (await ada.ask("get_game"))["game"] == before
    await ada.moves(STEPS[:1])


async def test_a_refusal_has_the_language_of_the_player(node: StartNode, race: Gather) -> None:
    """`lang` in `hello` chooses the words."""
    where = await node()
    (ada,) = await race(where, "Ada")
    again = ada.new_connection()
    await again.open()
    await again.hello(lang="zh-Hant-TW")
    await again.join(ada.room)
    assert (await again.act("undo"))["text"].startswith("沒有可以復原")


async def test_undo_restart_and_auto_answer_what_they_did(node: StartNode, race: Gather) -> None:
    """An undo tells which cards went back, a restart that the deal lies there again, an `auto` its choice."""
    ada, _ = await race(await node(), "Ada", "Ben")
    made = await ada.act("move", **STEPS[0])
    undone = await ada.act("undo")
    cards = ("from", "to", "cards")
    assert [undone[key] for key in cards] == [made[key] for key in cards]
    assert (undone["score"], undone["moves"], undone["undoable"]) == (500, 0, 0)
    auto = await ada.act("auto_move", **{"from": 0})
    assert (auto["from"], auto["cards"], auto["moves"], auto["undoable"]) == (0, 1, 1, 1)
    restarted = await ada.act("restart")
    assert (restarted["score"], restarted["moves"], restarted["undoable"]) == (500, 0, 0)
    assert not restarted.keys() & set(cards)
    await ada.moves(STEPS)


async def test_a_forfeit_can_be_undone_in_time(node: StartNode, race: Gather) -> None:
    """Within the seconds of grace `undo` brings the racer back; all others see both."""
    ada, ben = await race(await node(rules=Rules(forfeit_undo_ms=60_000)), "Ada", "Ben")
    await ada.moves(STEPS[:4])
    given_up = await ada.act("forfeit")
    assert given_up["state"] == "forfeited"
    assert (await ada.act("move", **STEPS[4]))["code"] == "forfeited"
    back = await ada.act("undo")
    assert "state" not in back  # which says that the racer plays
    assert (back["moves"], back["undoable"]) == (4, 4)
    await ben.expect("racer_forfeited", player=ada.player)
    await ben.expect("racer_forfeit_undone", player=ada.player)
    await ada.moves(STEPS[4:])
    await ben.win()
    results = (await ben.expect("race_ended"))["results"]
    assert [(row["name"], row["state"]) for row in results] == [("Ada", "won"), ("Ben", "won")]


async def test_a_forfeit_stands_after_its_time(node: StartNode, race: Gather) -> None:
    """Later than that `undo` is refused, and the race does not wait any more."""
    ada, ben, cleo = await race(await node(rules=Rules(forfeit_undo_ms=60)), "Ada", "Ben", "Cleo")
    at = (await ada.act("forfeit"))["at_ms"]
    while (await cleo.act("move", **STEPS[0]))["at_ms"] <= at + 60:
        await cleo.act("undo")
    assert (await ada.act("undo"))["code"] == "forfeited"
    await cleo.moves(STEPS[1:])
    await ben.win()
    over = await ben.expect("race_ended")
    assert [row["state"] for row in over["results"]] == ["won", "won", "forfeited"]


async def test_actions_sent_at_once_with_a_forfeit_are_answered_in_order(
    node: StartNode, race: Gather
) -> None:
    """A forfeit, its undo and the next move need not wait for each other."""
    ada, _ = await race(await node(rules=Rules(forfeit_undo_ms=60_000)), "Ada", "Ben")
    await ada.send(type="move", n=1, **STEPS[0])
    await ada.send(type="forfeit", n=2)
    await ada.send(type="undo", n=3)
    await ada.send(type="move", n=4, **STEPS[1])
    answers = [await ada.answer(n) for n in (1, 2, 3, 4)]
    assert [answer["type"] for answer in answers] == ["accepted"] * 4
    assert [answer.get("state", "playing") for answer in answers] == [
        "playing",
        "forfeited",
        "playing",
        "playing",
    ]


async def test_a_room_that_changed_elsewhere_does_not_disturb_the_order(
    node: StartNode, person: Connect, race: Gather
) -> None:
    """A forfeit, its undo and a move meet a room log that another node has written: nobody notices."""
    rules = Rules(forfeit_undo_ms=60_000)
    here, there = await node(rules=rules), await node(rules=rules)
    (ada,) = await race(here, "Ada")
    ben = await person(there, "Ben")
    await ben.join(ada.room)
    gate = GatedStore.of(here).commits
    gate.close("race:1")
    await ada.send(type="forfeit", n=1)
    await gate.reached()
    await ada.send(type="undo", n=2)
    await ada.send(type="move", n=3, **STEPS[0])
    await ben.do("chat", text="it is my turn to write")
    gate.open()
    answers = [await ada.answer(n) for n in (1, 2, 3)]
    assert [answer["type"] for answer in answers] == ["accepted"] * 3
    await ada.moves(STEPS[1:])
    await ben.expect("racer_won", player=ada.player)


async def test_a_move_never_overtakes_the_undo_of_a_forfeit(
    node: StartNode, person: Connect, race: Gather
) -> None:
    """While the room's log is read again the undo waits, and the move sent behind it waits for the undo."""
    rules = Rules(forfeit_undo_ms=60_000)
    here, there = await node(rules=rules), await node(rules=rules)
    (ada,) = await race(here, "Ada")
    ben = await person(there, "Ben")
    await ben.join(ada.room)
    await ada.act("forfeit")
    gate = GatedStore.of(here).reads
    gate.close(":log")
    await ben.do("chat", text="there is news for the other node")
    await gate.reached()
    await ada.send(type="undo", n=2)
    await ada.send(type="move", n=3, **STEPS[0])
    await ada.sync()
    gate.open()
    assert [(await ada.answer(n))["type"] for n in (2, 3)] == ["accepted", "accepted"]
    assert (await ada.ask("get_game"))["game"]["n"] == 3
    await ada.moves(STEPS[1:])


async def test_a_return_while_the_room_is_read_waits_for_the_answer(
    node: StartNode, person: Connect, race: Gather
) -> None:
    """A forfeit that is decided again after a conflict is in the game that the returning racer gets."""
    here, there = await node(), await node()
    ada, cleo = await race(here, "Ada", "Cleo")
    ben = await person(there, "Ben")
    await ben.join(ada.room)
    store = GatedStore.of(here)
    store.commits.close("race:1")
    await ada.send(type="forfeit", n=1)
    await store.commits.reached()
    await ben.do("chat", text="it is my turn to write")
    store.reads.close(":log")
    store.commits.open()
    await store.reads.reached()
    again = await ada.new_connection().open()
    await again.hello()
    await again.send(type="join", ref=77, room=ada.room)
    await cleo.sync()
    store.reads.open()
    view = await again.expect("room", ref=77)
    assert view["game"]["state"] == "forfeited"


async def test_a_racer_continues_at_another_node(node: StartNode, race: Gather) -> None:
    """Wherever a racer connects next, the game is where it was, and back again."""
    here, there = await node(), await node()
    ada, ben = await race(here, "Ada", "Ben")
    elsewhere = url_of(there)
    await ada.moves(STEPS[:10])
    ben_there = await ben.reconnect(elsewhere)
    ada_there = await ada.reconnect(elsewhere)
    assert await ada.closed() == (4002, "You connected from elsewhere. The newest connection wins.")
    assert ada_there.n == 10
    await ada_there.moves(STEPS[10:20])
    ada_here = await ada_there.reconnect(ada.url)
    assert ada_here.n == 20
    await ada_here.moves(STEPS[20:30])
    ada_there = await ada_here.reconnect(elsewhere)
    await ada_there.win()
    await ben_there.win()
    for each in (ada_there, ben_there):
        results = (await each.expect("race_ended"))["results"]
        assert [(row["name"], row["rank"], row["moves"]) for row in results] == [
            ("Ada", 1, len(STEPS)),
            ("Ben", 2, len(STEPS)),
        ]


async def test_a_move_at_the_last_moment_is_in_the_results_or_refused(node: StartNode, race: Gather) -> None:
    """When the time is up, what was acknowledged counts and what comes later is refused."""
    ada, ben = await race(await node(), "Ada", "Ben", time_limit_s=1)
    accepted = 0
    while not ben.messages("race_ended"):
        answer = await ada.act(
            "move" if accepted % 2 == 0 else "undo", **(STEPS[0] if accepted % 2 == 0 else {})
        )
        if answer["type"] == "refused":
            assert answer["code"] in ("time_up", "wrong_race", "not_racing")
            break
        accepted += 1
    await ada.expect("race_ended")
    record = (await ada.ask("get_record", race=1))["record"]
    assert [len(racer["actions"]) for racer in record["racers"]] == [accepted, 0]
    assert [row["state"] for row in record["results"]] == ["unfinished"] * 2


async def test_an_unreadable_game_ends_the_connection(node: StartNode, race: Gather, ledger: Ledger) -> None:
    """A bug costs one connection: the racer is closed with 1011, now and on return; the others race on."""
    where = await node()
    ada, ben = await race(where, "Ada", "Ben")
    await where.store.commit([Commit((Append(keys.game_log(ada.room, 1, ada.player), 0, (b"?",)),))])
    await move(ada, 1, STEPS[0])
    assert (await ada.closed())[0] == 1011
    again = await ada.new_connection().open()
    await again.hello()
    await again.send(type="join", room=ada.room, ref=9)
    assert (await again.closed())[0] == 1011
    await ben.moves(STEPS[:2])
    assert {line["event"] for line in ledger.errors} == {"fault"}
    ledger.lines.clear()


@pytest.mark.parametrize("behind", ["what is under way", "what waits for the game"])
async def test_a_racer_with_too_many_unanswered_actions_is_disconnected(
    node: StartNode, race: Gather, monkeypatch: pytest.MonkeyPatch, behind: str
) -> None:
    """The store may be away for hours: what waits must not fill the memory. Nothing that was made is lost."""
    monkeypatch.setattr(racer_game, "MAX_WAITING", 5)
    where = await node()
    ada, ben = await race(where, "Ada", "Ben")
    store = GatedStore.of(where)
    if behind == "what is under way":
        store.commits.close("race:1")
    else:
        await hold_game(where, ada)
    await move(ada, 1, STEPS[0])
    for _ in range(6):
        await move(ada, 9, STEPS[0])
    assert await ada.closed() == (4005, "Too many messages for too long. Wait before you connect again.")
    store.commits.open()
    store.reads.open()
    ada = await ada.reconnect()
    assert ada.n == 1
    await ben.moves(STEPS[:2])


async def test_a_win_that_waits_for_the_room_is_decided_again_with_the_move_before_it(
    node: StartNode, race: Gather
) -> None:
    """Another node made a move in that place, so the win fits into the log by accident: it is none."""
    where = await node()
    ada, ben = await race(where, "Ada", "Ben")
    await ada.moves(STEPS[:-2])
    room = await where.rooms.find(ada.room)
    assert room is not None
    assert room.race is not None
    racer = room.race.games[ada.player]
    gate = GatedStore.of(where).reads
    gate.close(":log")
    room.log.read_again()
    await gate.reached()
    elsewhere = msgspec.msgpack.encode(LogEntry(racer.standing.progress.at_ms, ActionKind.UNDO))
    await where.store.commit([Commit((Append(racer.log, len(STEPS) - 2, (elsewhere,)),))])
    await move(ada, len(STEPS) - 1, STEPS[-2])
    await move(ada, len(STEPS), STEPS[-1])
    await until(lambda: racer._again)
    gate.open()
    taken = await ada.expect("refused", n=len(STEPS) - 1)
    assert taken["code"] == "number_taken"
    assert (await ada.ask("get_game"))["game"]["state"] == "playing"
    await ben.sync()
    assert ben.messages("racer_won") == []


@pytest.mark.parametrize("over", [False, True])
async def test_a_racer_with_too_many_unanswered_repeats_is_disconnected(
    node: StartNode, race: Gather, monkeypatch: pytest.MonkeyPatch, over: bool
) -> None:
    """Each asks the store for its answer, which may be away for hours; also when the race is over."""
    monkeypatch.setattr(earlier_races if over else racer_game, "MAX_WAITING", 5)
    where = await node()
    ada, ben = await race(where, "Ada", "Ben")
    await ada.moves(STEPS[:1])
    if over:
        for each in (ada, ben):
            await each.act("forfeit")
        await ada.expect("race_ended")
    reads = GatedStore.of(where).reads
    reads.close("race:1")
    for _ in range(6):
        await move(ada, 1, STEPS[0])
    assert await ada.closed() == (4005, "Too many messages for too long. Wait before you connect again.")
    reads.open()
    await ben.sync()


async def test_requests_for_a_game_share_one_read(node: StartNode, race: Gather) -> None:
    """Later requests wait for the answer, so that one read serves; an action does not wait."""
    where = await node()
    ada, ben = await race(where, "Ada", "Ben")
    gate = await hold_game(where, ada)
    before = len(where.tasks)
    for ref in range(101, 121):
        await ada.send(type="get_game", ref=ref)
    await gate.reached()
    await ada.send(type="move", n=1, **STEPS[0])
    await ben.sync()
    assert len(where.tasks) <= before + 2  # the request, and the game that is read
    gate.open()
    assert [(await ada.answered(ref))["game"]["n"] for ref in range(101, 121)] == [1] * 20
    assert (await ada.answer(1))["type"] == "accepted"
