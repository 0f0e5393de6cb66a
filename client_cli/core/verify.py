"""Offline verification of a race's record: replay every log, compare every result, rank again."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import msgspec

from client_cli.core.replay import Outcome, replay
from client_cli.core.translatable import Translatable
from engine import GameCode, InvalidGameCode, deal
from engine.ranking import Placing, Status, rank
from protocol.parts import Result
from protocol.record import FORMAT, FinishedRace, RacerRecord


class UnreadableRecordError(ValueError):
    """The data is not a record of a race. The message says why."""


_OLD_FORMAT: Final = "simonrace-record-1"


class _Format(msgspec.Struct):
    """The part of a record that is the same in every format."""

    format: str | None = None


@dataclass(slots=True)
class Verification:
    """Result of a verification: number of results, how many replay to the same score, and the faults."""

    results: int
    same_score: int = 0
    faults: list[str] = field(default_factory=list)

    def summary(self) -> Translatable:
        """Return the verification in one line."""
        counts = {"same": self.same_score, "all": self.results}
        if not self.faults:
            return Translatable("verified: {same} of {all} results replay to the same score", **counts)
        return Translatable(
            "not verified: the file differs from the replay as listed; {same} of {all} scores are right",
            **counts,
        )


def read(data: bytes) -> FinishedRace:
    """Parse the contents of a file as a record. Raises UnreadableRecordError."""
    try:
        found = msgspec.json.decode(data, type=_Format).format
        if found not in (FORMAT, None):
            raise UnreadableRecordError(_unknown(found))
        record = msgspec.json.decode(data, type=FinishedRace)
    except msgspec.ValidationError as fault:
        raise UnreadableRecordError(
            Translatable("it is not a record of a race: {fault}", fault=fault)
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise UnreadableRecordError(Translatable("it is not JSON: {fault}", fault=fault)) from None
    return record


def _unknown(found: str) -> Translatable:
    """Return why a record of another format cannot be read."""
    if found == _OLD_FORMAT:
        return Translatable(
            "its format {found!r} is of an earlier version. Verify it with the version of simonrace "
            "that saved it, or save the race again with this version.",
            found=found,
        )
    return Translatable(
        "its format is {found!r}; this version reads {known!r}", found=found[:40], known=FORMAT
    )


def verify(record: FinishedRace) -> Verification:
    """Compare everything in a record with what follows from the game code and the logs."""
    found = Verification(len(record.results))
    try:
        board = deal(GameCode.parse(record.code))
    except InvalidGameCode as fault:
        found.faults.append(Translatable("code: {fault}", fault=fault))
        return found
    found.faults += _members(record)
    results = {each.player: each for each in record.results}
    outcomes: dict[str, Outcome] = {}
    for racer in record.racers:
        result = results.get(racer.player)
        name = result.name if result else racer.player
        outcome = replay(racer.actions, board, record.time_limit_ms)
        outcomes[racer.player] = outcome
        found.faults += [
            Translatable("racer {name}, {fault}", name=name, fault=fault) for fault in outcome.faults
        ]
        found.faults += [
            Translatable("racer {name}: {fault}", name=name, fault=fault) for fault in _board(racer, outcome)
        ]
        if result is not None:
            found.same_score += result.score == outcome.placing.score and not outcome.faults
            found.faults += [
                Translatable("result of {name}: {fault}", name=name, fault=fault)
                for fault in _result(result, outcome)
            ]
    found.faults += _ranks(record, outcomes)
    return found


def _members(record: FinishedRace) -> Iterator[str]:
    if not record.racers:
        yield Translatable("racers: there are none")
    raced = Counter(racer.player for racer in record.racers)
    placed = Counter(result.player for result in record.results)
    for player in raced.keys() | placed.keys():
        if raced[player] > 1:
            yield Translatable("racers: {player} is listed {count} times", player=player, count=raced[player])
        if placed[player] > 1:
            yield Translatable(
                "results: {player} is listed {count} times", player=player, count=placed[player]
            )
        if not placed[player]:
            yield Translatable("results: racer {player} has no result", player=player)
        if not raced[player]:
            yield Translatable("racers: {player} has a result and no log", player=player)


def _board(racer: RacerRecord, outcome: Outcome) -> Iterator[str]:
    """Compare the final board, column by column."""
    if len(racer.columns) != len(outcome.columns):
        yield Translatable(
            "board: {given} columns in the file, {true} when replayed",
            given=len(racer.columns),
            true=len(outcome.columns),
        )
        return
    for number, (given, true) in enumerate(zip(racer.columns, outcome.columns, strict=True), start=1):
        if given != true:
            yield Translatable(
                "board, column {number}: {given} in the file, {true} when replayed",
                number=number,
                given=_cards(given),
                true=_cards(true),
            )


def _cards(column: list[str]) -> str:
    return " ".join(column) or Translatable("empty")


def _result(result: Result, outcome: Outcome) -> Iterator[str]:
    placing = outcome.placing
    compared = (
        (Translatable("score"), result.score, placing.score),
        (Translatable("moves"), result.moves, placing.moves),
        (Translatable("runs"), result.runs, placing.runs),
        (Translatable("time"), result.reached_ms, placing.reached_ms),
        (Translatable("state"), result.state, outcome.state),
    )
    for what, given, true in compared:
        if given != true:
            yield Translatable(
                "{what} {given} in the file, {true} when replayed", what=what, given=given, true=true
            )


def _placing(result: Result, replayed: Placing) -> Placing:
    """Rank a racer who was absent or idle at the end with those who forfeited, as the record says."""
    if result.inactive and replayed.status is Status.UNFINISHED:
        return replayed._replace(status=Status.OUT)
    return replayed


def _ranks(record: FinishedRace, outcomes: dict[str, Outcome]) -> Iterator[str]:
    results = [each for each in record.results if each.player in outcomes]
    placings = [_placing(each, outcomes[each.player].placing) for each in results]
    ranks = rank(placings, record.ranking.mode)
    for result, true in zip(results, ranks, strict=True):
        if result.rank != true:
            yield Translatable(
                "result of {name}: rank {rank} in the file, {true} when ranked again",
                name=result.name,
                rank=result.rank,
                true=true,
            )
    if [each.rank for each in record.results] != sorted(each.rank for each in record.results):
        yield Translatable("results: not in the order of the ranks")
