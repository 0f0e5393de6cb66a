"""Check a race's record without asking anybody: replay every log, compare every result, rank again."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from client_cli.replay import Outcome, replayed
from engine import GameCode, InvalidGameCode, deal
from engine.ranking import rank
from protocol.parts import Result
from protocol.record import FORMAT, FinishedRace, RacerRecord


class UnreadableRecordError(ValueError):
    """What was given is no record of a race; the message says why."""


@dataclass(slots=True)
class Verification:
    """What came of a check: how many results there are and replay to the same score, and each fault."""

    results: int
    same_score: int = 0
    faults: list[str] = field(default_factory=list)

    def summary(self) -> str:
        """Say it in one line."""
        word = "not verified" if self.faults else "verified"
        return f"{word}: {self.same_score} of {self.results} results replay to the same score"


def read(data: bytes) -> FinishedRace:
    """Read a record from a file's contents; UnreadableRecordError if it is none."""
    try:
        record = msgspec.json.decode(data, type=FinishedRace)
    except msgspec.ValidationError as fault:
        raise UnreadableRecordError(f"it is no record of a race: {fault}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise UnreadableRecordError(f"it is not JSON: {fault}") from None
    if record.format != FORMAT:
        raise UnreadableRecordError(f"its format is {record.format[:40]!r}, and only {FORMAT!r} is known")
    return record


def verify(record: FinishedRace) -> Verification:
    """Compare everything in a record with what the game code and the logs make of it."""
    found = Verification(len(record.results))
    try:
        board = deal(GameCode.parse(record.code))
    except InvalidGameCode as fault:
        found.faults.append(f"code: {fault}")
        return found
    found.faults += _people(record)
    results = {each.player: each for each in record.results}
    outcomes: dict[str, Outcome] = {}
    for racer in record.racers:
        result = results.get(racer.player)
        name = result.name if result else racer.player
        outcome = replayed(racer.actions, board, record.time_limit)
        outcomes[racer.player] = outcome
        found.faults += [f"racer {name}, {fault}" for fault in outcome.faults]
        found.faults += [f"racer {name}: {fault}" for fault in _board(racer, outcome)]
        if result is not None:
            found.same_score += result.score == outcome.placing.score and not outcome.faults
            found.faults += [f"result of {name}: {fault}" for fault in _result(result, outcome)]
    found.faults += _ranks(record, outcomes)
    return found


def _people(record: FinishedRace) -> Iterator[str]:
    if not record.racers:
        yield "racers: there are none"
    raced = Counter(racer.player for racer in record.racers)
    placed = Counter(result.player for result in record.results)
    for player in raced.keys() | placed.keys():
        if raced[player] > 1:
            yield f"racers: {player} is there {raced[player]} times"
        if placed[player] > 1:
            yield f"results: {player} is there {placed[player]} times"
        if not placed[player]:
            yield f"results: racer {player} has none"
        if not raced[player]:
            yield f"racers: {player} has a result and no log"


def _board(racer: RacerRecord, outcome: Outcome) -> Iterator[str]:
    """Compare the board at the end, column by column."""
    if len(racer.columns) != len(outcome.columns):
        yield f"board: {len(racer.columns)} columns in the file, {len(outcome.columns)} when replayed"
        return
    for number, (given, true) in enumerate(zip(racer.columns, outcome.columns, strict=True), start=1):
        if given != true:
            yield (f"board, column {number}: {_cards(given)} in the file, {_cards(true)} when replayed")


def _cards(column: list[str]) -> str:
    return " ".join(column) or "empty"


def _result(result: Result, outcome: Outcome) -> Iterator[str]:
    placing = outcome.placing
    compared = (
        ("score", result.score, placing.score),
        ("moves", result.moves, placing.moves),
        ("runs", result.runs, placing.runs),
        ("time", result.reached, placing.reached),
        ("state", result.state, outcome.state),
    )
    for what, given, true in compared:
        if given != true:
            yield f"{what} {given} in the file, {true} when replayed"


def _ranks(record: FinishedRace, outcomes: dict[str, Outcome]) -> Iterator[str]:
    results = [each for each in record.results if each.player in outcomes]
    ranks = rank([outcomes[each.player].placing for each in results], record.ranking.value)
    for result, true in zip(results, ranks, strict=True):
        if result.rank != true:
            yield f"result of {result.name}: rank {result.rank} in the file, {true} when ranked again"
    if [each.rank for each in record.results] != sorted(each.rank for each in record.results):
        yield "results: they are not in the order of their ranks"
