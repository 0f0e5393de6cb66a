"""One racer's game in one race: numbered actions, decided by the engine and stored as a log.

Entry `n` of the log is action `n`. A refused action leaves no entry, so its number stays free. The last entry
may be `CLOSED`: the race has ended, and no action can follow.
"""

from typing import Final, assert_never

import msgspec
from msgspec import Struct

from engine.board import Board
from engine.game import Game, Step
from engine.progress import progress
from engine.ranking import Placing, Status
from engine.refusal import Refusal
from protocol.from_client import AnyAction, AutoMove, Forfeit, Move, Restart, Undo
from protocol.from_server import Accepted
from protocol.limits import RACE_ACTIONS
from protocol.parts import GameView, RacerState
from protocol.record import ActionKind
from protocol.refusals import RefusalCode

CLOSED: Final = b""


class LogEntry(Struct, frozen=True, array_like=True, gc=False):
    """One action as it is stored; `at_ms` is the race time."""

    at_ms: int
    kind: ActionKind
    source: int = 0
    target: int = 0
    cards: int = 0


# Access to a member of an enum is slow in Python 3.11, and every move needs these.
_MOVE, _AUTO_MOVE, _UNDO = ActionKind.MOVE, ActionKind.AUTO_MOVE, ActionKind.UNDO
_PLAYING, _WON, _FORFEITED = RacerState.PLAYING, RacerState.WON, RacerState.FORFEITED
_RANKED_WON, _RANKED_UNFINISHED, _RANKED_OUT = Status.WON, Status.UNFINISHED, Status.OUT

_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(LogEntry)


def status_of(state: RacerState) -> Status:
    """Return the class in which a racer of this state is ranked."""
    if state is _WON:
        return _RANKED_WON
    return _RANKED_OUT if state is _FORFEITED else _RANKED_UNFINISHED


class Made(Struct, frozen=True, gc=False):
    """An accepted action: its entry for the log and the answer for the racer."""

    entry: bytes
    answer: Accepted
    kind: ActionKind


class Play:
    """A racer's game in one race. Deciding an action also carries it out.

    `race` is the number of the race in its room; `at_ms` is the race time of the last action.
    """

    __slots__ = ("at_ms", "closed", "forfeited_at_ms", "game", "n", "race", "reached_ms")

    def __init__(self, deal: Board, race: int) -> None:
        self.race = race
        self.game = Game(deal)
        self.n = 0
        self.at_ms = 0
        self.reached_ms = 0
        self.forfeited_at_ms: int | None = None
        self.closed = False

    @property
    def state(self) -> RacerState:
        """State of the racer."""
        if self.forfeited_at_ms is not None:
            return _FORFEITED
        return _WON if self.game.is_won else _PLAYING

    @property
    def placing(self) -> Placing:
        """The values that the racer is ranked by."""
        game = self.game
        return Placing(
            status_of(self.state),
            game.score,
            game.moves,
            game.runs,
            progress(game.board, game.runs),
            self.reached_ms,
        )

    def view(self) -> GameView:
        """Return the game as it is sent to the racer."""
        game = self.game
        return GameView(
            self.n, game.board.columns_text(), game.score, game.moves, game.runs, game.undoable, self.state
        )

    def decide(self, action: AnyAction, at_ms: int, forfeit_undo_ms: int) -> Made | RefusalCode:
        """Carry out an action at race time `at_ms`, or return the rule that refuses it.

        The caller has checked that `action.n` is the next number. The clocks of nodes differ by some
        milliseconds, so a time before that of the previous action is replaced by it.
        """
        if at_ms < self.at_ms:  # noqa: PLR1730 - max() costs a tenth of a move
            at_ms = self.at_ms
        if self.closed:
            return RefusalCode.NOT_RACING
        if self.n >= RACE_ACTIONS:
            return RefusalCode.TOO_MANY_ACTIONS
        if self.forfeited_at_ms is not None:
            return self._after_forfeit(action, at_ms, forfeit_undo_ms)
        game = self.game
        match action:
            case Move():
                done = game.move(action.source, action.target, action.cards)
                kind = _MOVE
            case Undo():
                done = game.undo()
                kind = _UNDO
            case AutoMove():
                done = game.auto_move(action.source, action.cards)
                kind = _AUTO_MOVE
            case Restart():
                return self._accept_without_cards(ActionKind.RESTART, at_ms, game.restart())
            case Forfeit():
                return self._accept_without_cards(
                    ActionKind.FORFEIT, at_ms, Refusal.GAME_OVER if game.is_won else None
                )
            case _:
                assert_never(action)
        if not isinstance(done, Step):
            return RefusalCode.of(done)
        return self._accept(kind, at_ms, done)

    def repeat(self, entry: bytes) -> Made:
        """Carry out a stored action. Raises ValueError if the rules refuse it."""
        stored = _DECODER.decode(entry)
        game = self.game
        forfeited = self.forfeited_at_ms is not None
        if self.closed or forfeited is not (stored.kind is ActionKind.UNDO_FORFEIT):
            raise ValueError(
                f"action {self.n + 1} of a log cannot have happened: {stored.kind} in {self.state}"
            )
        step: Step | Refusal | None
        match stored.kind:
            case ActionKind.MOVE | ActionKind.AUTO_MOVE:
                step = game.move(stored.source, stored.target, stored.cards)
            case ActionKind.UNDO:
                step = game.undo()
            case ActionKind.RESTART:
                step = game.restart()
            case ActionKind.FORFEIT:
                step = Refusal.GAME_OVER if game.is_won else None
            case ActionKind.UNDO_FORFEIT:
                step = None
            case _:
                assert_never(stored.kind)
        if isinstance(step, Refusal):
            raise ValueError(f"action {self.n + 1} of a log cannot have happened: {step}")  # noqa: TRY004
        made = (
            self._accept_without_cards(stored.kind, stored.at_ms, None)
            if step is None
            else self._accept(stored.kind, stored.at_ms, step)
        )
        if isinstance(made, RefusalCode):
            raise TypeError(made)
        return made

    def _after_forfeit(self, action: AnyAction, at_ms: int, forfeit_undo_ms: int) -> Made | RefusalCode:
        forfeited_at_ms = self.forfeited_at_ms if self.forfeited_at_ms is not None else at_ms
        if isinstance(action, Undo) and at_ms - forfeited_at_ms <= forfeit_undo_ms:
            return self._accept_without_cards(ActionKind.UNDO_FORFEIT, at_ms, None)
        return RefusalCode.FORFEITED

    def _accept_without_cards(
        self, kind: ActionKind, at_ms: int, refusal: Refusal | None
    ) -> Made | RefusalCode:
        """Accept an action that moves no cards, or refuse it."""
        if refusal is not None:
            return RefusalCode.of(refusal)
        if kind is ActionKind.RESTART:
            self.reached_ms = at_ms
        else:
            self.forfeited_at_ms = at_ms if kind is ActionKind.FORFEIT else None
        return self._accept(kind, at_ms, None)

    def _accept(self, kind: ActionKind, at_ms: int, step: Step | None) -> Made:
        """Count an action that was carried out; return its entry and answer."""
        self.n += 1
        self.at_ms = at_ms
        game = self.game
        if step is None:
            entry = LogEntry(at_ms, kind)
            source = target = cards = run = None
            state = self.state
        else:
            source, target, cards, run = step
            self.reached_ms = at_ms
            entry = LogEntry(at_ms, kind, source, target, cards)
            state = _PLAYING if run is None else self.state  # the last card leaves with a run
        answer = Accepted(
            race=self.race,
            n=self.n,
            at_ms=at_ms,
            score=game.score,
            moves=game.moves,
            runs=game.runs,
            undoable=game.undoable,
            source=source,
            target=target,
            cards=cards,
            run=run,
            state=state,
        )
        return Made(_ENCODER.encode(entry), answer, kind)


def load(deal: Board, race: int, entries: list[bytes]) -> Play:
    """Return the game of a stored log. Raises ValueError if the log does not belong to this deal."""
    play = Play(deal, race)
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
    """Return whether a stored entry is this action, sent again."""
    match action:
        case Move():
            sent = (ActionKind.MOVE, action.source, action.target, action.cards)
            return sent == (entry.kind, entry.source, entry.target, entry.cards)
        case AutoMove():
            cards = (None, entry.cards)
            return (
                entry.kind is ActionKind.AUTO_MOVE and entry.source == action.source and action.cards in cards
            )
        case Undo():
            return entry.kind in (ActionKind.UNDO, ActionKind.UNDO_FORFEIT)
        case Restart():
            return entry.kind is ActionKind.RESTART
        case Forfeit():
            return entry.kind is ActionKind.FORFEIT
        case _:
            assert_never(action)
