"""One racer's game on this node: the path that every action takes.

`play` is ahead of the store by what is under way; `line` is what the store has remembered, and the only
thing that others hear of. After a conflict (another node wrote this log) the game is read again, and what
stood on the wrong state is decided anew, in order.
"""

import asyncio
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.progress import progress
from protocol.errors import ErrorCode
from protocol.from_client import AnyAction
from protocol.from_server import Accepted, Refused
from protocol.parts import RacerState
from protocol.record import ActionKind
from protocol.refusals import RefusalCode
from server.core import play as plays
from server.core.commands import Forfeit, UndoForfeit, Win
from server.rooms.node_messages import Progress
from server.rooms.race.repeats import remembered_answer
from server.rooms.race.standings import Line, measured
from server.rooms.retry import patiently
from server.store import keys
from server.store.journal import JournalFull
from server.store.port import Append, Commit, Committed, Outcome

if TYPE_CHECKING:
    from server.rooms.race.live_race import Track
    from server.rooms.room_log import Answer


MOST_WAITING: Final = 1_000
"""Most actions of one racer that wait for the store; who sends on regardless loses the connection."""

# In Python 3.11 an enum looks its members up in Python; these stand on the path of every move.
_WON: Final = RacerState.WON
_FORFEIT, _UNFORFEIT = ActionKind.FORFEIT, ActionKind.UNDO_FORFEIT


class _Underway(Struct, frozen=True, gc=False):
    """An action without an answer yet; a refused one waits only for those before it."""

    action: AnyAction
    at: int
    answer: Accepted | Refused
    reached_ms: int


class Seat:
    """A racer's place on the track. `at` is always in ms since the start of the race."""

    __slots__ = (
        "_last",
        "_later",
        "_loading",
        "_redo",
        "_repeating",
        "_stale",
        "_still",
        "_track",
        "_underway",
        "line",
        "log",
        "play",
        "player",
    )

    def __init__(self, track: "Track", player: str) -> None:
        self.player = player
        self.log = keys.game_log(track.room, track.number, player)
        self.play: plays.Play | None = plays.Play(track.deal, track.number)
        self.line = Line(measured(player, self.play))
        self._track = track
        self._last: _Underway | None = None
        self._underway: list[_Underway] = []
        self._redo: list[tuple[AnyAction, int]] = []  # decided on a wrong state
        self._later: list[tuple[AnyAction, int]] = []  # came when that was known
        self._stale = False
        self._repeating = 0
        self._loading: asyncio.Future[None] | None = None
        self._still: asyncio.Event | None = None

    def measure(self) -> Progress:
        """Return how far the remembered game has come; once a tick, not once a move.

        Its `progress` is ahead of that by the actions under way.
        """
        last, self._last = self._last, None
        play, line = self.play, self.line
        if last is not None and isinstance(last.answer, Accepted):
            it = last.answer
            ahead = line.progress.progress if play is None else progress(play.game.board, play.game.runs)
            line.progress = Progress(
                self.player, it.n, it.state, it.score, it.moves, it.runs, last.reached_ms, it.at_ms, ahead
            )
        return line.progress

    def act(self, action: AnyAction, at: int) -> None:
        """Decide an action that came at `at`; its answer goes to the racer once it is remembered."""
        play = self.play
        if self._stale or play is None or self._loading is not None:
            if len(self._later) < MOST_WAITING:
                self._later.append((action, at))
            else:
                self._track.overrun(self.player)
            self._reload_when_still()
            return
        if action.n != play.n + 1:
            self._misnumbered(action, at, play)
            return
        track = self._track
        if at >= track.time_limit_ms:
            self._refuse(action, at, RefusalCode.TIME_UP)
            return
        made = play.decide(action, at, track.context.rules.forfeit_undo_ms)
        if not isinstance(made, plays.Made):
            self._refuse(action, at, made)
            return
        append = Append(self.log, action.n - 1, (made.entry,))
        underway = _Underway(action, at, made.answer, play.reached_ms)
        self._underway.append(underway)
        if made.answer.state is _WON or made.kind is _FORFEIT or made.kind is _UNFORFEIT:
            self._tell_room(made, append, underway)
            return
        try:
            track.context.journal.submit(Commit((append,)), self._outcome)
        except JournalFull:
            self._undecide(underway, RefusalCode.STORE_UNAVAILABLE)

    def turn_down(self, action: AnyAction, at: int, code: RefusalCode) -> None:
        """Refuse an action unseen, for a reason that is not the game's; the answer waits for its turn."""
        self._refuse(action, at, code)

    def forget(self) -> None:
        """Let another node go on with this game: what is known here may be old from now on."""
        self._stale = True

    async def fresh(self) -> plays.Play:
        """Return the game as it is remembered: nothing under way, nothing of another node missing."""
        while self._underway or self.play is None or self._stale or self._loading is not None:
            if self._underway:
                await self._when_still()
            else:
                await asyncio.shield(self._reload_when_still())
        return self.play

    def _tell_room(self, made: plays.Made, append: Append, underway: _Underway) -> None:
        """Let the room remember a win, a forfeit or its undo in the same commit as the action."""
        track, answer = self._track, made.answer
        command: Win | Forfeit | UndoForfeit
        if made.kind is _FORFEIT:
            command = Forfeit(self.player, track.number)
        elif made.kind is _UNFORFEIT:
            command = UndoForfeit(self.player, track.number)
        else:
            command = Win(self.player, track.number, answer.at_ms, answer.score, answer.moves)

        def done(answer: "Answer") -> None:
            if isinstance(answer, list):
                self._remembered()
            else:
                away = answer is ErrorCode.STORE_UNAVAILABLE
                self._undecide(underway, RefusalCode.STORE_UNAVAILABLE if away else RefusalCode.NOT_RACING)

        # In a wrong state its place in the log may fit by accident.
        track.desk.submit(command, done, (append,), self._conflicted, void=lambda: bool(self._redo))
        if made.kind is _UNFORFEIT:
            self._stale = True  # the desk may keep it for a while: a move sent behind it must not overtake it

    def _outcome(self, outcome: Outcome) -> None:
        if isinstance(outcome, Committed):
            self._remembered()
        else:
            self._conflicted()

    def _remembered(self) -> None:
        underway = self._underway
        self._last = last = underway.pop(0)
        answer = last.answer
        if not isinstance(answer, Accepted):
            raise TypeError("refusals are not remembered")
        self._track.accepted(self, answer)
        if underway or self._still is not None:
            self._answer_refused()

    def _conflicted(self) -> None:
        """Another node wrote this log, or the room has changed: all from here on is decided again."""
        undone = self._underway.pop(0)
        self._track.context.counts.actions["conflict"] += 1
        self._stale = True
        self._redo.append((undone.action, undone.at))
        self._answer_refused()
        self._reload_when_still()

    def _undecide(self, underway: _Underway, code: RefusalCode) -> None:
        """Refuse an action after all, though the game has gone on with it: the game is read again."""
        action = underway.action
        refused = _Underway(action, underway.at, self._refusal(action, code, action.n), underway.reached_ms)
        self._underway[self._underway.index(underway)] = refused
        self._stale = True
        self._answer_refused()
        self._reload_when_still()

    def _refuse(self, action: AnyAction, at: int, code: RefusalCode, expected: int | None = None) -> None:
        refused = self._refusal(action, code, expected)
        if not self._underway:
            self._track.refused(self, refused)
        elif len(self._underway) < MOST_WAITING:
            self._underway.append(_Underway(action, at, refused, 0))
        else:
            self._track.overrun(self.player)

    def _refusal(self, action: AnyAction, code: RefusalCode, expected: int | None) -> Refused:
        if expected is None:
            expected = self.play.n + 1 if self.play else action.n
        text = code.text(self._track.language(self.player))
        return Refused(race=self._track.number, n=action.n, expected=expected, code=code, text=text)

    def _answer_refused(self) -> None:
        """Answer the refusals whose turn it is; those decided on a wrong state are decided again."""
        while self._underway and isinstance(self._underway[0].answer, Refused):
            refused = self._underway.pop(0)
            if self._redo:
                self._redo.append((refused.action, refused.at))
            elif isinstance(refused.answer, Refused):
                self._track.refused(self, refused.answer)
        if self._still is not None and not self._underway:
            self._still.set()
            self._still = None

    async def _when_still(self) -> None:
        """Return once nothing is under way, be it in the journal or at the room's desk."""
        while self._underway:
            if self._still is None:
                self._still = asyncio.Event()
            await self._still.wait()

    def _misnumbered(self, action: AnyAction, at: int, play: plays.Play) -> None:
        if action.n > play.n + 1:
            self._refuse(action, at, RefusalCode.WRONG_NUMBER)
            return
        underway = [each for each in self._underway if isinstance(each.answer, Accepted)]
        place = action.n - (play.n - len(underway)) - 1
        if place < 0:
            self._track.repeated(self, action.n)
            if self._repeating < MOST_WAITING:
                self._repeating += 1
                self._track.context.spawn(self._answer_again(action, at))
            else:
                self._track.overrun(self.player)
        elif underway[place].action != action:
            self._refuse(action, at, RefusalCode.NUMBER_TAKEN)
        # Otherwise its answer is on its way.

    async def _answer_again(self, action: AnyAction, at: int) -> None:
        track = self._track
        try:
            answer = await remembered_answer(track.context.store, self.log, track.deal, action)
        finally:
            self._repeating -= 1
        if answer is None:
            self._refuse(action, at, RefusalCode.NUMBER_TAKEN)
        else:
            track.answer(self, answer)

    def _reload_when_still(self) -> "asyncio.Future[None]":
        """Read the game again once nothing is under way; return what is done then, or has failed."""
        if self._loading is None:
            self._loading = asyncio.get_running_loop().create_future()
            self._track.context.spawn(self._reload(self._loading))
        return self._loading

    async def _reload(self, done: "asyncio.Future[None]") -> None:
        store, track = self._track.context.store, self._track
        await self._when_still()
        known = self.measure().n
        self._stale = False  # before it is read: what another node writes from now on is news
        try:
            entries = await patiently(lambda: store.read(self.log))
            self.play = plays.load(track.deal, track.number, entries)
        except Exception as fault:
            self._give_up(done, fault)
            raise
        self.line.progress = measured(self.player, self.play)
        self._loading = None
        done.set_result(None)
        again, self._redo, self._later = [*self._redo, *self._later], [], []
        for action, at in again:
            self.act(action, at)
        if self.line.progress.n < known:
            track.went_back(self.player, known - self.line.progress.n)

    def _give_up(self, done: "asyncio.Future[None]", fault: Exception) -> None:
        """Let nobody wait for a game that cannot be read: who waits hears of it, the racer is cut off."""
        self._stale, self._loading = True, None
        self._redo.clear()
        self._later.clear()
        done.set_exception(fault)
        done.exception()  # it is told below, whether somebody waits or not
        self._track.cut_off(self.player)
