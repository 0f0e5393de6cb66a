"""Replay of a racer's log with the engine."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, assert_never

from client_cli.core.translatable import Translatable
from engine import Board, Game, Refusal, Step
from engine.progress import progress
from engine.ranking import Placing, Status
from protocol import limits
from protocol.parts import Columns, RacerState
from protocol.record import ActionKind, Entry
from protocol.refusals import RefusalCode

_STATUS_OF: Final = {
    RacerState.WON: Status.WON,
    RacerState.UNFINISHED: Status.UNFINISHED,
    RacerState.FORFEITED: Status.OUT,
}
_UNDO_FORFEIT_MS: Final = int(limits.FORFEIT_UNDO_SECONDS * 1000)


class Outcome(NamedTuple):
    """Outcome of a log, or of the part before its first fault."""

    columns: Columns
    placing: Placing
    state: RacerState
    faults: list[str]


@dataclass(slots=True)
class _Replay:
    game: Game
    reached_ms: int = 0
    forfeited_at_ms: int | None = None

    @property
    def state(self) -> RacerState:
        if self.game.is_won:
            return RacerState.WON
        return RacerState.UNFINISHED if self.forfeited_at_ms is None else RacerState.FORFEITED

    def play(self, entry: Entry) -> str | None:
        """Apply an entry; return why it cannot have happened, or None."""
        if self.forfeited_at_ms is not None:
            return self._after_forfeit(entry, self.forfeited_at_ms)
        match entry.type:
            case ActionKind.MOVE | ActionKind.AUTO_MOVE:
                if entry.source is None or entry.target is None or entry.cards is None:
                    return Translatable(
                        "{type}: source, target or number of cards is missing", type=entry.type
                    )
                return self._applied(entry, self.game.move(entry.source, entry.target, entry.cards))
            case ActionKind.UNDO:
                return self._applied(entry, self.game.undo())
            case ActionKind.RESTART:
                return self._applied(entry, self.game.restart())
            case ActionKind.FORFEIT:
                if self.game.is_won:
                    return _rule(RefusalCode.GAME_OVER)
                self.forfeited_at_ms = entry.at_ms
                return None
            case ActionKind.UNDO_FORFEIT:
                return Translatable("undo_forfeit: there is no forfeit to undo")
            case _:
                assert_never(entry.type)

    def _after_forfeit(self, entry: Entry, forfeited_at_ms: int) -> str | None:
        if entry.type is not ActionKind.UNDO_FORFEIT:
            return _rule(RefusalCode.FORFEITED)
        if entry.at_ms - forfeited_at_ms > _UNDO_FORFEIT_MS:
            return Translatable(
                "undo_forfeit: {late} ms after the forfeit, more than the allowed {allowed} ms",
                late=entry.at_ms - forfeited_at_ms,
                allowed=_UNDO_FORFEIT_MS,
            )
        self.forfeited_at_ms = None
        return None

    def _applied(self, entry: Entry, step: Step | Refusal | None) -> str | None:
        if isinstance(step, Refusal):
            return _rule(RefusalCode.of(step))
        self.reached_ms = entry.at_ms
        return None


def _rule(code: RefusalCode) -> str:
    return Translatable("{code}: {rule}", code=code, rule=Translatable(code.english))


def replay(log: Sequence[Entry], board: Board, time_limit_ms: int) -> Outcome:
    """Replay a log from the deal. It stops at the first fault, as the entries after it mean nothing."""
    replaying = _Replay(Game(board))
    faults: list[str] = []
    last_ms = 0
    for number, entry in enumerate(log, start=1):
        fault = (
            _time_fault(entry.at_ms, last_ms, time_limit_ms) or _limit_fault(number) or replaying.play(entry)
        )
        if fault:
            faults.append(Translatable("action {number}: {fault}", number=number, fault=fault))
            break
        last_ms = entry.at_ms
    game = replaying.game
    placing = Placing(
        _STATUS_OF[replaying.state],
        game.score,
        game.moves,
        game.runs,
        progress(game.board, game.runs),
        replaying.reached_ms,
    )
    return Outcome(game.board.columns_text(), placing, replaying.state, faults)


def _time_fault(at_ms: int, last_ms: int, time_limit_ms: int) -> str | None:
    if at_ms < last_ms:
        return Translatable(
            "time: {at} ms is before the {last} ms of the previous action", at=at_ms, last=last_ms
        )
    if at_ms > time_limit_ms:
        return Translatable(
            "time: {at} ms is after the time limit of {limit} ms", at=at_ms, limit=time_limit_ms
        )
    return None


def _limit_fault(number: int) -> str | None:
    return _rule(RefusalCode.TOO_MANY_ACTIONS) if number > limits.RACE_ACTIONS else None
