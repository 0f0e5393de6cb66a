"""One racer's log played again by the engine, from the deal to the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, assert_never

from client_cli.words import Told
from engine import Board, Game, Refusal, Step
from engine.progress import progress
from engine.ranking import Placing, Status
from protocol import limits
from protocol.parts import Columns, RacerState
from protocol.record import Deed, Entry
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
    reached: int = 0
    forfeited_at: int | None = None

    @property
    def state(self) -> RacerState:
        if self.game.is_won:
            return RacerState.WON
        return RacerState.UNFINISHED if self.forfeited_at is None else RacerState.FORFEITED

    def play(self, entry: Entry) -> str | None:
        """Do what an entry says, or tell why it cannot have happened."""
        if self.forfeited_at is not None:
            return self._after_forfeit(entry, self.forfeited_at)
        match entry.deed:
            case Deed.MOVE | Deed.AUTO:
                if entry.source is None or entry.target is None or entry.count is None:
                    return Told("{deed}: it does not say which cards went", deed=entry.deed)
                return self._done(entry, self.game.move(entry.source, entry.target, entry.count))
            case Deed.UNDO:
                return self._done(entry, self.game.undo())
            case Deed.RESTART:
                return self._done(entry, self.game.restart())
            case Deed.FORFEIT:
                if self.game.is_won:
                    return _rule(RefusalCode.GAME_OVER)
                self.forfeited_at = entry.at
                return None
            case Deed.UNFORFEIT:
                return Told("unforfeit: there is no forfeit to take back")
            case _:
                assert_never(entry.deed)

    def _after_forfeit(self, entry: Entry, given_up: int) -> str | None:
        if entry.deed is not Deed.UNFORFEIT:
            return _rule(RefusalCode.FORFEITED)
        if entry.at - given_up > _RECALL_MS:
            return Told(
                "unforfeit: {late} ms after the forfeit, and {allowed} are allowed",
                late=entry.at - given_up,
                allowed=_RECALL_MS,
            )
        self.forfeited_at = None
        return None

    def _done(self, entry: Entry, done: Step | Refusal | None) -> str | None:
        if isinstance(done, Refusal):
            return _rule(RefusalCode.of(done))
        self.reached = entry.at
        return None


def _rule(code: RefusalCode) -> str:
    return Told("{code}: {rule}", code=code, rule=Told(code.english))


def replayed(log: Sequence[Entry], board: Board, time_limit: int) -> Outcome:
    """Play a log from the deal on; at the first fault the rest is left unplayed, for it means nothing."""
    replay = _Replay(Game(board))
    faults: list[str] = []
    last = 0
    for number, entry in enumerate(log, start=1):
        fault = _time_fault(entry.at, last, time_limit) or _limit_fault(number) or replay.play(entry)
        if fault:
            faults.append(Told("action {number}: {fault}", number=number, fault=fault))
            break
        last = entry.at
    game = replay.game
    placing = Placing(
        _STATUS_OF[replay.state],
        game.score,
        game.moves,
        game.runs,
        progress(game.board, game.runs),
        replay.reached,
    )
    return Outcome(game.board.columns_text(), placing, replay.state, faults)


def _time_fault(at: int, last: int, time_limit: int) -> str | None:
    if at < last:
        return Told("time: {at} ms comes before the {last} ms of the action before it", at=at, last=last)
    if at > time_limit:
        return Told("time: {at} ms is after the time limit of {limit} ms", at=at, limit=time_limit)
    return None


def _limit_fault(number: int) -> str | None:
    return _rule(RefusalCode.TOO_MANY_ACTIONS) if number > limits.RACE_ACTIONS else None
