"""One racer's game on this node: the path of every action.

`play` also contains the actions in flight to the store; `standing` contains only what the store has
committed, and only that is sent to others. After a conflict (another node wrote to this log) the game is read
again, and the actions that were decided on the wrong state are decided again, in order.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec import Struct

from engine.progress import progress as cards_in_order
from protocol.errors import ErrorCode
from protocol.from_client import AnyAction
from protocol.from_server import Accepted, Error, Refused
from protocol.parts import RacerState
from protocol.record import ActionKind
from protocol.refusals import RefusalCode
from server.core import play as plays
from server.core.commands import Forfeit, UndoForfeit, Win
from server.rooms.node_messages import RacerProgress
from server.rooms.race.ports import RaceOfGame
from server.rooms.race.repeats import stored_answer
from server.rooms.race.standings import RacerStanding, progress_of
from server.rooms.retry import retry_while_unavailable
from server.rooms.room_log import Answer
from server.store import keys
from server.store.journal import JournalFull
from server.store.port import Append, Commit, Committed, Outcome

MAX_WAITING: Final = 1_000
"""Most actions of one racer that wait for the store; a racer who sends more is disconnected."""

# In Python 3.11 an enum looks its members up in Python; these stand on the path of every move.
_WON: Final = RacerState.WON
_FORFEIT, _UNDO_FORFEIT = ActionKind.FORFEIT, ActionKind.UNDO_FORFEIT


class _Pending(Struct, frozen=True, gc=False):
    """An action whose answer is not sent yet. An accepted one waits for the store, others for their turn.

    `action` is None if the answer was not decided by this game, and so is never decided again.
    """

    action: AnyAction | None
    at_ms: int
    answer: Accepted | Refused | Error
    reached_ms: int


class RacerGame:
    """One racer's game in the running race. Times are race times."""

    __slots__ = (
        "_again",
        "_empty",
        "_in_flight",
        "_last_committed",
        "_loading",
        "_race",
        "_repeating",
        "_stale",
        "_waiting",
        "log",
        "play",
        "player",
        "standing",
    )

    def __init__(self, race: RaceOfGame, player: str) -> None:
        self.player = player
        self.log = keys.game_log(race.room, race.number, player)
        self.play: plays.Play | None = plays.Play(race.deal, race.number)
        self.standing = RacerStanding(progress_of(player, self.play))
        self._race = race
        self._last_committed: _Pending | None = None  # not in `standing` yet
        self._in_flight: list[_Pending] = []  # decided, in the order of their answers
        self._again: list[Callable[[], None]] = []  # decided on a wrong state: to be decided again
        self._waiting: list[Callable[[], None]] = []  # came while the log was to be read
        self._stale = False  # whether another node may have written to the log
        self._repeating = 0  # actions whose stored answer is being read
        self._loading: asyncio.Future[None] | None = None  # done when the log has been read
        self._empty: asyncio.Event | None = None  # set when nothing is in flight

    def measure(self) -> RacerProgress:
        """Return the committed progress; called once for each standings message, not for each move.

        Only its `progress` may include actions in flight; the difference is invisible in a progress bar.
        """
        last, self._last_committed = self._last_committed, None
        play, standing = self.play, self.standing
        if last is not None and isinstance(last.answer, Accepted):
            it = last.answer
            cards = (
                standing.progress.progress
                if play is None
                else cards_in_order(play.game.board, play.game.runs)
            )
            standing.replace(
                RacerProgress(
                    self.player, it.n, it.state, it.score, it.moves, it.runs, last.reached_ms, it.at_ms, cards
                )
            )
        return standing.progress

    def act(self, action: AnyAction, at_ms: int) -> None:
        """Decide an action received at race time `at_ms`; the answer is sent once it is committed."""
        play = self.play
        if self._stale or play is None or self._loading is not None:
            self._wait(partial(self.act, action, at_ms))
            self._reload_when_empty()
            return
        if action.n != play.n + 1:
            self._misnumbered(action, at_ms, play)
            return
        race = self._race
        if at_ms >= race.time_limit_ms:
            self.refuse(action, at_ms, RefusalCode.TIME_UP)
            return
        made = play.decide(action, at_ms, race.context.rules.forfeit_undo_ms)
        if not isinstance(made, plays.Made):
            self.refuse(action, at_ms, made)
            return
        append = Append(self.log, action.n - 1, (made.entry,))
        pending = _Pending(action, at_ms, made.answer, play.reached_ms)
        self._in_flight.append(pending)
        if made.answer.state is _WON or made.kind is _FORFEIT or made.kind is _UNDO_FORFEIT:
            self._commit_with_room(action, made, append, pending)
            return
        try:
            race.context.journal.submit(Commit((append,)), self._on_outcome)
        except JournalFull:
            self._revoke(pending, action, RefusalCode.STORE_UNAVAILABLE)

    def refuse(self, action: AnyAction, at_ms: int, code: RefusalCode, expected: int | None = None) -> None:
        """Refuse an action without deciding it; the answer waits for those of earlier actions."""
        if self._loading is not None:
            self._wait(partial(self.refuse, action, at_ms, code, expected))
        else:
            self._send_in_turn(_Pending(action, at_ms, self._refusal(action, code, expected), 0))

    def answer(self, answer: Refused | Error) -> None:
        """Send an answer that was decided elsewhere, once earlier actions have theirs."""
        if self._loading is not None:
            self._wait(partial(self.answer, answer))
        else:
            self._send_in_turn(_Pending(None, 0, answer, 0))

    def invalidate(self) -> None:
        """Read the log before the next action: another node may write to it from now on."""
        self._stale = True

    async def committed_play(self) -> plays.Play:
        """Return the game as the store has it, with nothing in flight."""
        while self._in_flight or self.play is None or self._stale or self._loading is not None:
            if self._in_flight:
                await self._until_empty()
            else:
                await asyncio.shield(self._reload_when_empty())
        return self.play

    def _send_in_turn(self, pending: _Pending) -> None:
        if not self._in_flight:
            self._send(pending)
        elif len(self._in_flight) < MAX_WAITING:
            self._in_flight.append(pending)
        else:
            self._race.overran(self.player)

    def _wait(self, act: Callable[[], None]) -> None:
        """Call `act` once the log has been read."""
        if len(self._waiting) < MAX_WAITING:
            self._waiting.append(act)
        else:
            self._race.overran(self.player)

    def _commit_with_room(
        self, action: AnyAction, made: plays.Made, append: Append, pending: _Pending
    ) -> None:
        """Commit a win, a forfeit or its undo together with the room's event."""
        race, answer = self._race, made.answer
        command: Win | Forfeit | UndoForfeit
        if made.kind is _FORFEIT:
            command = Forfeit(self.player, race.number)
        elif made.kind is _UNDO_FORFEIT:
            command = UndoForfeit(self.player, race.number)
        else:
            command = Win(self.player, race.number, answer.at_ms, answer.score, answer.moves)

        def done(answer: Answer) -> None:
            if isinstance(answer, list):
                self._committed()
            else:
                unavailable = answer is ErrorCode.STORE_UNAVAILABLE
                code = RefusalCode.STORE_UNAVAILABLE if unavailable else RefusalCode.NOT_RACING
                self._revoke(pending, action, code)

        # The entry may fit the log by accident although it was decided on a wrong state.
        race.log.submit_with(command, done, (append,), self._conflicted, is_void=lambda: bool(self._again))
        if made.kind is _UNDO_FORFEIT:
            self._stale = True  # the room may delay the commit: a later move must not overtake it

    def _on_outcome(self, outcome: Outcome) -> None:
        if isinstance(outcome, Committed):
            self._committed()
        else:
            self._conflicted()

    def _committed(self) -> None:
        in_flight = self._in_flight
        self._last_committed = last = in_flight.pop(0)
        answer = last.answer
        if not isinstance(answer, Accepted):
            raise TypeError("only accepted actions are committed")
        self._race.accepted(self.player, answer)
        if in_flight or self._empty is not None:
            self._send_ready()

    def _conflicted(self) -> None:
        """Decide again from this action on: another node wrote to the log, or the room has changed."""
        conflicted = self._in_flight.pop(0)
        self._race.context.counters.actions["conflict"] += 1
        self._stale = True
        self._decide_again(conflicted)
        self._send_ready()
        self._reload_when_empty()

    def _decide_again(self, pending: _Pending) -> None:
        action, answer = pending.action, pending.answer
        if action is not None:
            self._again.append(partial(self.act, action, pending.at_ms))
        elif not isinstance(answer, Accepted):
            self._again.append(partial(self.answer, answer))

    def _revoke(self, pending: _Pending, action: AnyAction, code: RefusalCode) -> None:
        """Refuse an action that was already carried out on `play`; the game is read again."""
        refused = _Pending(action, pending.at_ms, self._refusal(action, code, action.n), pending.reached_ms)
        self._in_flight[self._in_flight.index(pending)] = refused
        self._stale = True
        self._send_ready()
        self._reload_when_empty()

    def _refusal(self, action: AnyAction, code: RefusalCode, expected: int | None) -> Refused:
        if expected is None:
            expected = self.play.n + 1 if self.play else action.n
        text = code.text(self._race.language(self.player))
        return Refused(race=self._race.number, n=action.n, expected=expected, code=code, text=text)

    def _send_ready(self) -> None:
        """Send the answers whose turn it is; actions refused on a wrong state are decided again."""
        while self._in_flight and not isinstance(self._in_flight[0].answer, Accepted):
            pending = self._in_flight.pop(0)
            if self._again:
                self._decide_again(pending)
            else:
                self._send(pending)
        if self._empty is not None and not self._in_flight:
            self._empty.set()
            self._empty = None

    def _send(self, pending: _Pending) -> None:
        if pending.action is not None and isinstance(pending.answer, Refused):
            self._race.refused(self.player, pending.answer)
        else:
            self._race.answer(self.player, pending.answer)

    async def _until_empty(self) -> None:
        """Wait until nothing is in flight, neither in the journal nor in the room's log."""
        while self._in_flight:
            if self._empty is None:
                self._empty = asyncio.Event()
            await self._empty.wait()

    def _misnumbered(self, action: AnyAction, at_ms: int, play: plays.Play) -> None:
        """Answer an action whose number is not the next one."""
        if action.n > play.n + 1:
            self.refuse(action, at_ms, RefusalCode.WRONG_NUMBER)
            return
        in_flight = [each for each in self._in_flight if isinstance(each.answer, Accepted)]
        place = action.n - (play.n - len(in_flight)) - 1
        if place < 0:
            self._race.repeated(self.player, action.n)
            if self._repeating < MAX_WAITING:
                self._repeating += 1
                self._race.context.spawn(self._answer_again(action, at_ms))
            else:
                self._race.overran(self.player)
        elif in_flight[place].action != action:
            self.refuse(action, at_ms, RefusalCode.NUMBER_TAKEN)
        # Otherwise it is in flight, and its answer comes once.

    async def _answer_again(self, action: AnyAction, at_ms: int) -> None:
        race = self._race
        try:
            answer = await stored_answer(race.context.store, self.log, race.deal, action)
        finally:
            self._repeating -= 1
        if answer is None:
            self.refuse(action, at_ms, RefusalCode.NUMBER_TAKEN)
        else:
            race.answer(self.player, answer)

    def _reload_when_empty(self) -> "asyncio.Future[None]":
        """Read the log once nothing is in flight; return a future of its end."""
        if self._loading is None:
            self._loading = asyncio.get_running_loop().create_future()
            self._race.context.spawn(self._reload(self._loading))
        return self._loading

    async def _reload(self, done: "asyncio.Future[None]") -> None:
        store, race = self._race.context.store, self._race
        await self._until_empty()
        known = self.measure().n
        self._stale = False  # before the read: whatever another node writes later makes the game stale again
        try:
            entries = await retry_while_unavailable(lambda: store.read(self.log))
            self.play = plays.load(race.deal, race.number, entries)
        except Exception as fault:
            self._loading_failed(done, fault)
            raise
        self.standing.replace(progress_of(self.player, self.play))
        self._loading = None
        done.set_result(None)
        again, self._again, self._waiting = [*self._again, *self._waiting], [], []
        for act in again:
            act()
        if self.standing.progress.n < known:
            race.rolled_back(self.player, known - self.standing.progress.n)

    def _loading_failed(self, done: "asyncio.Future[None]", fault: Exception) -> None:
        """Disconnect the racer of a game that cannot be read, and pass the fault to those who await it."""
        self._stale, self._loading = True, None
        self._again.clear()
        self._waiting.clear()
        done.set_exception(fault)
        done.exception()  # mark it as retrieved: the task that reads the log reports it
        self._race.failed(self.player)
