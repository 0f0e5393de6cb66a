"""One racer's game in one race: numbered actions, decided by the engine, kept as a log.

The log's entry number `n` is action `n`. A refused action leaves no entry, so its number is free again.
The last entry of a race's log may be `CLOSED`: the race ended, and no action can come after it.
"""

from typing import Final, assert_never

import msgspec
from msgspec import Struct

from engine.board import Board
from engine.game import Game, Step
from engine.ranking import Placing
from engine.refusal import Refusal
from protocol.from_client import AnyAction, Auto, Forfeit, Move, Restart, Undo
from protocol.from_server import Accepted
from protocol.limits import RACE_ACTIONS
from protocol.parts import GameView, RacerState
from protocol.record import Deed
from protocol.refusals import RefusalCode

CLOSED: Final = b""


class LogEntry(Struct, frozen=True, array_like=True, gc=False):
    """One action as it is stored; `at` in ms since the start of the race."""

    at: int
    deed: Deed
    source: int = 0
    target: int = 0
    count: int = 0


# In Python 3.11 an enum looks its members up in Python; these stand on the path of every move.
_MOVE, _AUTO, _UNDO = Deed.MOVE, Deed.AUTO, Deed.UNDO
_PLAYING, _WON = RacerState.PLAYING, RacerState.WON

_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(LogEntry)


class Made(Struct, frozen=True, gc=False):
    """An action that is allowed: its entry for the log and the answer for the racer."""

    entry: bytes
    answer: Accepted
    deed: Deed


class Play:
    """A racer's game, as far as its log goes; deciding an action carries it out.

    `at` is the time of the last action, in ms since the start.
    """

    __slots__ = ("at", "closed", "forfeited_at", "game", "n", "reached")

    def __init__(self, deal: Board) -> None:
        self.game = Game(deal)
        self.n = 0
        self.at = 0
        self.reached = 0
        self.forfeited_at: int | None = None
        self.closed = False

    @property
    def state(self) -> RacerState:
        """How the racer stands."""
        if self.forfeited_at is not None:
            return RacerState.FORFEITED
        return _WON if self.game.is_won else _PLAYING

    @property
    def placing(self) -> Placing:
        """What of this game counts for its rank."""
        game = self.game
        return Placing(game.is_won, game.score, game.moves, game.runs, self.reached)

    def view(self) -> GameView:
        """Return the game as the racer may see it."""
        game = self.game
        return GameView(
            self.n, game.board.columns_text(), game.score, game.moves, game.runs, game.undoable, self.state
        )

    def decide(self, action: AnyAction, at: int, forfeit_undo_ms: int) -> Made | RefusalCode:
        """Carry an action out, `at` ms after the start, or say which rule refuses it.

        The caller has seen to the number: `action.n` is the next one. Nodes know the store's clock to some
        milliseconds only; still no action is before the one that it follows, or before the start.
        """
        if at < self.at:  # noqa: PLR1730 - max() is a tenth of a move
            at = self.at
        if self.closed:
            return RefusalCode.NOT_RACING
        if self.n >= RACE_ACTIONS:
            return RefusalCode.TOO_MANY_ACTIONS
        if self.forfeited_at is not None:
            return self._after_forfeit(action, at, forfeit_undo_ms)
        game = self.game
        match action:
            case Move():
                done = game.move(action.source, action.target, action.count)
                deed = _MOVE
            case Undo():
                done = game.undo()
                deed = _UNDO
            case Auto():
                done = game.auto(action.source, action.count)
                deed = _AUTO
            case Restart():
                return self._bare(Deed.RESTART, at, game.restart())
            case Forfeit():
                return self._bare(Deed.FORFEIT, at, Refusal.GAME_OVER if game.is_won else None)
            case _:
                assert_never(action)
        if not isinstance(done, Step):
            return RefusalCode.of(done)
        return self._made(deed, at, done)

    def repeat(self, entry: bytes) -> Made:
        """Carry out an action as it stands in the log. Raises ValueError when it cannot have happened."""
        done = _DECODER.decode(entry)
        game = self.game
        forfeited = self.forfeited_at is not None
        if self.closed or forfeited is not (done.deed is Deed.UNFORFEIT):
            raise ValueError(
                f"action {self.n + 1} of a log cannot have happened: {done.deed} in {self.state}"
            )
        step: Step | Refusal | None
        match done.deed:
            case Deed.MOVE | Deed.AUTO:
                step = game.move(done.source, done.target, done.count)
            case Deed.UNDO:
                step = game.undo()
            case Deed.RESTART:
                step = game.restart()
            case Deed.FORFEIT:
                step = Refusal.GAME_OVER if game.is_won else None
            case Deed.UNFORFEIT:
                step = None
            case _:
                assert_never(done.deed)
        if isinstance(step, Refusal):
            raise ValueError(f"action {self.n + 1} of a log cannot have happened: {step}")  # noqa: TRY004
        made = self._bare(done.deed, done.at, None) if step is None else self._made(done.deed, done.at, step)
        if isinstance(made, RefusalCode):
            raise TypeError(made)
        return made

    def _after_forfeit(self, action: AnyAction, at: int, forfeit_undo_ms: int) -> Made | RefusalCode:
        given_up = self.forfeited_at if self.forfeited_at is not None else at
        if isinstance(action, Undo) and at - given_up <= forfeit_undo_ms:
            return self._bare(Deed.UNFORFEIT, at, None)
        return RefusalCode.FORFEITED

    def _bare(self, deed: Deed, at: int, refusal: Refusal | None) -> Made | RefusalCode:
        """Remember a deed that moves no cards."""
        if refusal is not None:
            return RefusalCode.of(refusal)
        if deed is Deed.RESTART:
            self.reached = at
        else:
            self.forfeited_at = at if deed is Deed.FORFEIT else None
        return self._made(deed, at, None)

    def _made(self, deed: Deed, at: int, step: Step | None) -> Made:
        self.n += 1
        self.at = at
        game = self.game
        if step is None:
            entry = LogEntry(at, deed)
            source = target = count = run = None
            state = self.state
        else:
            source, target, count, run = step
            self.reached = at
            entry = LogEntry(at, deed, source, target, count)
            state = _PLAYING if run is None else self.state  # the last card leaves with a run
        answer = Accepted(
            n=self.n,
            at=at,
            score=game.score,
            moves=game.moves,
            runs=game.runs,
            undoable=game.undoable,
            source=source,
            target=target,
            count=count,
            run=run,
            state=state,
        )
        return Made(_ENCODER.encode(entry), answer, deed)


def load(deal: Board, entries: list[bytes]) -> Play:
    """Return the game that a log tells. Raises ValueError when the log is not one of this deal."""
    play = Play(deal)
    for entry in entries:
        if entry == CLOSED:
            play.closed = True
        else:
            play.repeat(entry)
    return play


def decode(entry: bytes) -> LogEntry:
    """Decode an entry of a racer's log that is not `CLOSED`."""
    return _DECODER.decode(entry)


def is_same(entry: LogEntry, action: AnyAction) -> bool:
    """Return whether a log's entry is this action, sent again."""
    match action:
        case Move():
            mine = (Deed.MOVE, action.source, action.target, action.count)
            return mine == (entry.deed, entry.source, entry.target, entry.count)
        case Auto():
            counts = (None, entry.count)
            return entry.deed is Deed.AUTO and entry.source == action.source and action.count in counts
        case Undo():
            return entry.deed in (Deed.UNDO, Deed.UNFORFEIT)
        case Restart():
            return entry.deed is Deed.RESTART
        case Forfeit():
            return entry.deed is Deed.FORFEIT
        case _:
            assert_never(action)
