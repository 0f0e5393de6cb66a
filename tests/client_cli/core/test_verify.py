"""Offline verification of a record: an honest one passes, in a tampered one the fault is found."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from client_cli.core.verify import UnreadableRecordError, Verification, read, verify
from engine import Game, GameCode, deal
from engine.progress import progress
from engine.ranking import Placing, Status, rank
from engine.solver import Solved, solve
from protocol.parts import RacerState, Ranking, Result
from protocol.record import FORMAT, ActionKind, Entry, FinishedRace, RacerRecord

CODE = GameCode.parse("SS1-S1-AAAAABD")
Tampered = Callable[[dict[str, Any]], None]


def _winner() -> tuple[RacerRecord, Placing]:
    """Ada wins; on the way she repeats her first move, and forfeits for a moment."""
    solution = solve(deal(CODE))
    assert isinstance(solution, Solved)
    game = Game(deal(CODE))
    first = solution.moves[0]
    log = [
        Entry(900, ActionKind.MOVE, *first),
        Entry(1000, ActionKind.UNDO),
        Entry(1100, ActionKind.MOVE, *first),
        Entry(1200, ActionKind.RESTART),
        Entry(1300, ActionKind.FORFEIT),
        Entry(11300, ActionKind.UNDO_FORFEIT),
    ]
    for place, move in enumerate(solution.moves):
        game.move(*move)
        log.append(Entry(12_000 + place * 500, ActionKind.AUTO_MOVE if place % 2 else ActionKind.MOVE, *move))
    placing = Placing(Status.WON, game.score, game.moves, game.runs, 48, log[-1].at_ms)
    return RacerRecord("ada", log, game.board.columns_text()), placing


def _loser() -> tuple[RacerRecord, Placing]:
    """Ben makes one move and forfeits."""
    game = Game(deal(CODE))
    move = game.board.legal_moves()[0]
    game.move(*move)
    log = [Entry(5000, ActionKind.MOVE, *move), Entry(6000, ActionKind.FORFEIT)]
    placing = Placing(Status.OUT, 499, 1, 0, progress(game.board, 0), 5000)
    return RacerRecord("ben", log, game.board.columns_text()), placing


def _idler() -> tuple[RacerRecord, Placing]:
    """Cleo makes no move."""
    placing = Placing(Status.UNFINISHED, 500, 0, 0, progress(deal(CODE), 0), 0)
    return RacerRecord("cleo", [], deal(CODE).columns_text()), placing


@pytest.fixture(scope="module")
def honest() -> FinishedRace:
    played = [
        ("Ada", RacerState.WON, *_winner()),
        ("Cleo", RacerState.UNFINISHED, *_idler()),
        ("Ben", RacerState.FORFEITED, *_loser()),
    ]
    ranks = rank([placing for _, _, _, placing in played], "time")
    return FinishedRace(
        format=FORMAT,
        room="KTQMX",
        race=1,
        code=str(CODE),
        ranking=Ranking.TIME,
        started_at_ms=1_700_000_000_000,
        time_limit_ms=600_000,
        racers=[log for _, _, log, _ in played],
        results=[
            Result(log.player, name, place, state, each.score, each.moves, each.runs, each.reached_ms)
            for (name, state, log, each), place in zip(played, ranks, strict=True)
        ],
    )


@pytest.fixture
def check(honest: FinishedRace) -> Callable[[Tampered], Verification]:
    """Change the honest record and verify the result."""

    def change(tamper: Tampered) -> Verification:
        data = json.loads(msgspec.json.encode(honest))
        tamper(data)
        return verify(read(json.dumps(data).encode()))

    return change


def test_an_honest_record_replays_to_every_result(honest: FinishedRace) -> None:
    found = verify(read(msgspec.json.encode(honest)))
    assert found == Verification(3, 3, [])
    assert found.summary() == "verified: 3 of 3 results replay to the same score"


def set_in(path: str, value: object) -> Tampered:
    """Return a change of one value of the file, named like `results.0.score`."""

    def tamper(data: dict[str, Any]) -> None:
        *way, last = path.split(".")
        place: Any = data
        for step in way:
            place = place[int(step) if isinstance(place, list) else step]
        place[int(last) if isinstance(place, list) else last] = value

    return tamper


def swap_results(data: dict[str, Any], one: int = 0, other: int = 1) -> None:
    data["results"][one], data["results"][other] = data["results"][other], data["results"][one]


def drop_action(data: dict[str, Any]) -> None:
    del data["racers"][0]["actions"][-1]


def repeat_racer(data: dict[str, Any]) -> None:
    data["racers"].append(data["racers"][1])


def drop_racer(data: dict[str, Any]) -> None:
    del data["racers"][2]


def drop_result(data: dict[str, Any]) -> None:
    del data["results"][2]


def no_racers(data: dict[str, Any]) -> None:
    data["racers"], data["results"] = [], []


def drop_column(data: dict[str, Any]) -> None:
    del data["racers"][1]["columns"][9]


def act_after_win(data: dict[str, Any]) -> None:
    actions = data["racers"][0]["actions"]
    actions.append({"at_ms": actions[-1]["at_ms"], "type": "forfeit"})


def act_after_forfeit(data: dict[str, Any]) -> None:
    data["racers"][2]["actions"].append({"at_ms": 7000, "type": "undo"})


def late_undo_forfeit(data: dict[str, Any]) -> None:
    data["racers"][2]["actions"].append({"at_ms": 16_001, "type": "undo_forfeit"})


@pytest.mark.parametrize(
    ("tamper", "fault"),
    [
        (set_in("results.1.score", 501), "result of Cleo: score 501 in the file, 500 when replayed"),
        (set_in("results.2.moves", 0), "result of Ben: moves 0 in the file, 1 when replayed"),
        (set_in("results.2.runs", 1), "result of Ben: runs 1 in the file, 0 when replayed"),
        (set_in("results.2.reached_ms", 1), "result of Ben: time 1 in the file, 5000 when replayed"),
        (
            set_in("results.2.state", "unfinished"),
            "result of Ben: state unfinished in the file, forfeited when replayed",
        ),
        (set_in("results.2.rank", 2), "result of Ben: rank 2 in the file, 3 when ranked again"),
        (swap_results, "results: not in the order of the ranks"),
        (
            set_in("racers.1.columns.9", ["KS"]),
            f"racer Cleo: board, column 10: KS in the file, {deal(CODE).columns_text()[9][0]} when replayed",
        ),
        (
            set_in("racers.1.columns.0", []),
            "racer Cleo: board, column 1: empty in the file, "
            f"{' '.join(deal(CODE).columns_text()[0])} when replayed",
        ),
        (drop_column, "racer Cleo: board: 9 columns in the file, 10 when replayed"),
        (drop_action, "result of Ada: state won in the file, unfinished when replayed"),
        (
            set_in("racers.0.actions.2.from", 11),
            "racer Ada, action 3: no_such_column: There are ten columns.",
        ),
        (
            set_in("racers.0.actions.0.cards", 40),
            "racer Ada, action 1: bad_cards: That column does not have that many cards.",
        ),
        (
            set_in("racers.0.actions.0.type", "undo"),
            "racer Ada, action 1: nothing_to_undo: "
            "There is nothing to undo. Only the last 100 moves can be undone.",
        ),
        (
            set_in("racers.0.actions.0", {"at_ms": 900, "type": "move"}),
            "racer Ada, action 1: move: source, target or number of cards is missing",
        ),
        (
            set_in("racers.0.actions.0.type", "undo_forfeit"),
            "racer Ada, action 1: undo_forfeit: there is no forfeit to undo",
        ),
        (
            set_in("racers.0.actions.5.at_ms", 11_301),
            "racer Ada, action 6: undo_forfeit: 10001 ms after the forfeit, more than the allowed 10000 ms",
        ),
        (
            late_undo_forfeit,
            "racer Ben, action 3: undo_forfeit: 10001 ms after the forfeit, more than the allowed 10000 ms",
        ),
        (
            set_in("racers.0.actions.1.at_ms", 899),
            "racer Ada, action 2: time: 899 ms is before the 900 ms of the previous action",
        ),
        (
            set_in("racers.0.actions.0.at_ms", -1),
            "racer Ada, action 1: time: -1 ms is before the 0 ms of the previous action",
        ),
        (
            set_in("time_limit_ms", 5999),
            "racer Ben, action 2: time: 6000 ms is after the time limit of 5999 ms",
        ),
        (act_after_win, "game_over: This game is already won."),
        (
            act_after_forfeit,
            "racer Ben, action 3: forfeited: "
            "You forfeited this race. You can undo the forfeit within 10 seconds.",
        ),
        (repeat_racer, "racers: cleo is listed 2 times"),
        (drop_racer, "racers: ben has a result and no log"),
        (drop_result, "results: racer ben has no result"),
        (set_in("results.2.player", "cleo"), "results: cleo is listed 2 times"),
        (no_racers, "racers: there are none"),
        (
            set_in("code", "SS1-S3-AAAAABD"),
            "code: 'SS1-S3-AAAAABD' is not a game code: the number of suits must be S1, S2 or S4. "
            "A game code looks like SS1-S1-AAAAABD",
        ),
    ],
)
def test_a_fault_of_a_tampered_record_is_found_at_its_place(
    check: Callable[[Tampered], Verification], tamper: Tampered, fault: str
) -> None:
    found = check(tamper)
    assert [each for each in found.faults if each.endswith(fault)], found.faults
    assert found.summary().startswith("not verified: ")


def test_another_deal_makes_every_log_impossible(check: Callable[[Tampered], Verification]) -> None:
    found = check(set_in("code", "SS1-S4-AAAAABD"))
    assert found.faults[0].startswith("racer Ada, action ")
    assert found.faults != []


def test_another_ranking_gives_other_ranks(check: Callable[[Tampered], Verification]) -> None:
    """By score Ada is first as well, so the ranks agree."""
    assert check(set_in("ranking", "score")).faults == []


def test_an_inactive_racer_is_ranked_with_those_who_forfeited(
    check: Callable[[Tampered], Verification],
) -> None:
    """Ben's move put a card in order: with Cleo inactive he is second, and the file must say so."""

    def make_cleo_inactive(data: dict[str, Any]) -> None:
        data["results"][1]["inactive"] = True

    def rank_again(data: dict[str, Any]) -> None:
        make_cleo_inactive(data)
        swap_results(data, 1, 2)
        data["results"][1]["rank"], data["results"][2]["rank"] = 2, 3

    assert check(rank_again).faults == []
    assert check(make_cleo_inactive).faults == [
        "result of Cleo: rank 2 in the file, 3 when ranked again",
        "result of Ben: rank 3 in the file, 2 when ranked again",
    ]


def test_inactive_has_no_effect_on_the_rank_of_a_winner_or_a_racer_who_forfeited(
    check: Callable[[Tampered], Verification],
) -> None:
    """The log tells their state, and the state decides."""

    def make_inactive(data: dict[str, Any]) -> None:
        data["results"][0]["inactive"] = data["results"][2]["inactive"] = True

    assert check(make_inactive).faults == []


def test_a_consistent_change_of_times_is_not_found(
    check: Callable[[Tampered], Verification],
) -> None:
    """Times that stay in order cannot be checked, as a file is not signed."""

    def tamper(data: dict[str, Any]) -> None:
        data["racers"][0]["actions"][-1]["at_ms"] -= 100
        data["results"][0]["reached_ms"] -= 100

    assert check(tamper).faults == []


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "it is not JSON: "),
        (b"\xff\xfe", "it is not JSON: "),
        (b'{"x":' * 100_000, "it is not JSON: "),
        (b"{}", "it is not a record of a race: "),
        (b"[]", "it is not a record of a race: "),
    ],
)
def test_a_file_that_is_not_a_record_is_refused_with_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(UnreadableRecordError) as unread:
        read(data)
    assert str(unread.value).startswith(sentence)


def test_a_record_of_another_format_is_refused_with_its_name(honest: FinishedRace) -> None:
    other = msgspec.structs.replace(honest, format="simonrace-record-9")
    with pytest.raises(UnreadableRecordError) as unread:
        read(msgspec.json.encode(other))
    assert str(unread.value) == (
        "its format is 'simonrace-record-9'; this version reads 'simonrace-record-2'"
    )
