"""One racer's log played again by the engine, from the deal to the end."""

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
_RECALL_MS: Final = int(limits.FORFEIT_UNDO_SECONDS * 1000)


class Outcome(NamedTuple):
    """Where a log leads; after a fault, where it led until then."""

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
        """Do what an entry says, or tell why it cannot have happened."""
        if self.forfeited_at_ms is not None:
            return self._after_forfeit(entry, self.forfeited_at_ms)
        match entry.type:
            case ActionKind.MOVE | ActionKind.AUTO_MOVE:
                if entry.source is None or entry.target is None or entry.cards is None:
                    return Translatable("{type}: it does not say which cards went", type=entry.type)
                return self._done(entry, self.game.move(entry.source, entry.target, entry.cards))
            case ActionKind.UNDO:
                return self._done(entry, self.game.undo())
            case ActionKind.RESTART:
                return self._done(entry, self.game.restart())
            case ActionKind.FORFEIT:
                if self.game.is_won:
                    return _rule(RefusalCode.GAME_OVER)
                self.forfeited_at_ms = entry.at_ms
                return None
            case ActionKind.UNDO_FORFEIT:
                return Translatable("undo_forfeit: there is no forfeit to take back")
            case _:
                assert_never(entry.type)

    def _after_forfeit(self, entry: Entry, forfeited_at_ms: int) -> str | None:
        if entry.type is not ActionKind.UNDO_FORFEIT:
            return _rule(RefusalCode.FORFEITED)
        if entry.at_ms - forfeited_at_ms > _RECALL_MS:
            return Translatable(
                "undo_forfeit: {late} ms after the forfeit, and {allowed} are allowed",
                late=entry.at_ms - forfeited_at_ms,
                allowed=_RECALL_MS,
            )
        self.forfeited_at_ms = None
        return None

    def _done(self, entry: Entry, done: Step | Refusal | None) -> str | None:
        if isinstance(done, Refusal):
            return _rule(RefusalCode.of(done))
        self.reached_ms = entry.at_ms
        return None


def _rule(code: RefusalCode) -> str:
    return Translatable("{code}: {rule}", code=code, rule=Translatable(code.english))


def replayed(log: Sequence[Entry], board: Board, time_limit_ms: int) -> Outcome:
    """Play a log from the deal on; at the first fault the rest is left unplayed, for it means nothing."""
    replay = _Replay(Game(board))
    faults: list[str] = []
    last_ms = 0
    for number, entry in enumerate(log, start=1):
        fault = _time_fault(entry.at_ms, last_ms, time_limit_ms) or _limit_fault(number) or replay.play(entry)
        if fault:
            faults.append(Translatable("action {number}: {fault}", number=number, fault=fault))
            break
        last_ms = entry.at_ms
    game = replay.game
    placing = Placing(
        _STATUS_OF[replay.state],
        game.score,
        game.moves,
        game.runs,
        progress(game.board, game.runs),
        replay.reached_ms,
    )
    return Outcome(game.board.columns_text(), placing, replay.state, faults)


def _time_fault(at_ms: int, last_ms: int, time_limit_ms: int) -> str | None:
    if at_ms < last_ms:
        return Translatable(
            "time: {at} ms comes before the {last} ms of the action before it", at=at_ms, last=last_ms
        )
    if at_ms > time_limit_ms:
        return Translatable(
            "time: {at} ms is after the time limit of {limit} ms", at=at_ms, limit=time_limit_ms
        )
    return None


def _limit_fault(number: int) -> str | None:
    return _rule(RefusalCode.TOO_MANY_ACTIONS) if number > limits.RACE_ACTIONS else None
