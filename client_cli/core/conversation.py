"""What the client says, and when: hello, the room, actions one by one, all of it again after a loss.

Bytes, sockets and waiting are the connection's; this is the whole conversation without them.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

import msgspec

from client_cli.core import model as models
from client_cli.core.commands import Shift, Simple
from client_cli.core.model import Model
from client_cli.core.requests import action
from client_cli.core.translatable import Told
from client_cli.core.translatable import note as _
from protocol import from_client as say
from protocol import from_server as msg
from protocol import limits
from protocol.close_codes import RECONNECT_WITHOUT_CODE, CloseCode
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode
from protocol.parts import LeaveReason, Phase
from protocol.refusals import RefusalCode

TOO_MANY: Final = frozenset({ErrorCode.TOO_MANY_PLAYERS, ErrorCode.TOO_MANY_TRIES})
"""Errors of hello and join that pass in a while, and that a person who waits had better know."""

TRY_AGAIN: Final = TOO_MANY | {
    ErrorCode.STORE_UNAVAILABLE,
    ErrorCode.DRAINING,
    ErrorCode.RATE_LIMITED,
    ErrorCode.BUSY,
}
"""Errors of hello and join after which the client connects again; the others a person has to know about."""

RATE_LIMITED_TOKENS: Final = limits.MESSAGE_BURST + limits.MESSAGES_PER_SECOND
"""What a `rate_limited` costs: all that we thought we had, so that we wait for a second."""

REPLACED: Final = _(
    "You connected again elsewhere. The newest connection wins. "
    "For another person on this machine use --name."
)
TO_PEOPLE: Final = {CloseCode.REPLACED: REPLACED, CloseCode.RESTART: _("The server restarts.")}
"""Sentences in place of those of close codes that say what a program has to do."""

_LATER: Final = _("The server cannot let us in right now.")
_NO_RACE: Final = _("No race is running for you; take part in the next one.")
_CUT: Final = _("The connection was cut.")
_UNREAD: Final = _("The connection was lost; perhaps nobody has read: {text}")
_PRIVATE: Final = 4000
"""Close codes from here on belong to the protocol; one that we do not know is no invitation to come back."""

_LOST: Final = frozenset({RefusalCode.WRONG_NUMBER, RefusalCode.NUMBER_TAKEN})
_TEMPORARY: Final = frozenset({RefusalCode.BUSY, RefusalCode.RATE_LIMITED, RefusalCode.STORE_UNAVAILABLE})
"""Refusals after which the same action is sent again under its number, after a moment."""

_GONE: Final = {
    RefusalCode.WRONG_RACE: _("Race {race} is over; your last action in it was not carried out."),
    RefusalCode.RACE_FORGOTTEN: _(
        "The server no longer knows whether your last action in race {race} counts; the record shows it."
    ),
}
"""Refusals after which the outstanding actions of a race are dropped."""

_ONCE: Final = (say.Create, say.Join, say.Chat, say.Leave, say.Hello)
"""Requests that are not sent again after a loss: a repeat could take effect twice."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who one is on a server: the public id and the secret that proves it."""

    player: str
    token: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do after a connection has ended, and why it did."""

    reconnect: bool
    sentence: str


class Link:
    """One player's conversation with a server, across any number of connections.

    `goal` is what to do after hello: open a room, join one, or nothing. A `patient` link keeps actions that
    come before the race until it starts; otherwise they are refused at once. What is in `notes` is to be told
    to people. A link that is `stuck` wants a new connection, later; one that is `over` wants none.
    """

    def __init__(
        self,
        name: str,
        goal: say.Create | say.Join | None,
        identity: Identity | None = None,
        *,
        lang: str = "en",
        client: str = "",
        patient: bool = False,
    ) -> None:
        self.model = Model()
        self.identity = identity
        self.live = False
        self.stuck = False
        self.over: Verdict | None = None
        self.named = goal.code if isinstance(goal, say.Create) else None
        self.hold_seconds = 0.0
        self._owed = 0.0
        self.notes: list[str] = []
        self._name, self._lang, self._client = name, lang, client
        self._goal = goal
        self._patient = patient
        self._outbox: deque[say.FromClient] = deque()
        self._waiting: deque[Shift | Simple] = deque()
        self._outstanding: dict[int, say.AnyAction] = {}  # by race: the action that has no answer yet
        self._held: list[tuple[int, say.FromClient]] = []  # what a busy server gets again, and when
        self._resume_at: int | None = None  # the `seq` up to which missed events are still to come
        self._unanswered: dict[int, say.FromClient] = {}
        self._refs = 0
        self._syncing = 0
        self._later: str = _LATER

    @property
    def idle(self) -> bool:
        """Whether everything that was said has been answered."""
        return not (self._waiting or self._outstanding or self._unanswered or self._outbox or self._held)

    @property
    def holding(self) -> bool:
        """Whether actions wait for a race to start."""
        return bool(self._waiting) and not self._outstanding and not self._syncing

    def take_notes(self) -> list[str]:
        """Take what is to be told to people."""
        notes, self.notes = self.notes, []
        return notes

    def to_send(self) -> say.FromClient | None:
        """Take the next message that is to be sent, if there is one."""
        if not self._outbox:
            return None
        message = self._outbox.popleft()
        if isinstance(message, say.RoomRequest):
            self._owed += limits.ROOM_EVENT_COST - 1
        return message

    def release(self, now: int) -> int | None:
        """Put what is due again into the outbox; return the ms until the next such message, None if none.

        `now` is the client's own clock in ms, as in `received`.
        """
        due = [message for at_ms, message in self._held if at_ms <= now]
        self._held = [each for each in self._held if each[0] > now]
        self._outbox.extend(due)
        return min((at_ms - now for at_ms, _ in self._held), default=None)

    def take_owed(self) -> float:
        """Take what the server charged beyond the messages themselves, in messages."""
        owed, self._owed = self._owed, 0.0
        return owed

    def opened(self) -> None:
        """A connection is open: say hello."""
        self._outbox.clear()
        self._held.clear()
        self._resume_at = None
        self.live = self.stuck = False
        known = self.identity
        self._outbox.append(
            say.Hello(
                client=self._client,
                name=self._name,
                player=known.player if known else None,
                token=known.token if known else None,
                lang=self._lang,
            )
        )

    def act(self, command: Shift | Simple) -> None:
        """Do something in the race, after what was typed before."""
        self._waiting.append(command)
        self._pump()

    def ask(self, request: say.FromClient) -> int:
        """Send a request, and return the reference that its answer will carry."""
        self._refs += 1
        request = msgspec.structs.replace(request, ref=self._refs)
        self._unanswered[self._refs] = request
        if isinstance(request, say.Configure):
            self.named = request.code
        if self.live:
            self._outbox.append(request)
        return self._refs

    def received(self, message: msg.FromServer, now: int) -> None:
        """Take in a message that came at `now`, the client's own clock in ms."""
        before = self.model
        self.model = models.fold(before, message, now)
        goes_on = self.model.racing and self.model.race_number == before.race_number
        if before.racing and not goes_on and self._waiting:
            self._waiting.clear()  # typed for the race that was running then
            self.notes.append(_NO_RACE)
        match message:
            case msg.Welcome():
                self._welcome(message)
            case msg.Room() | msg.Resumed():
                self._answered(message.ref)
                self._joined(message.seq)
            case msg.Accepted() | msg.Refused():
                self._action_answered(message, now)
            case msg.Error():
                self._error(message, now)
            case msg.Notice():
                if message.code == NoticeCode.RESTARTING:
                    self.hold_seconds = (message.retry_in_ms or 0) / 1000
            case msg.Game() | msg.Done() | msg.Board() | msg.RecordSent():
                self._answered(message.ref)
            case msg.Leaderboard():
                self._answered(message.ref)
                if message.ref:
                    self._outbox.append(say.UnsubscribeLeaderboard(code=message.code))
            case msg.RaceStarted():
                self.named = None
            case msg.MemberLeft() if message.player == self.model.me:
                kicked = message.reason is LeaveReason.KICKED
                self.over = Verdict(False, ErrorCode.KICKED.sentence if kicked else "")
            case _:
                pass
        self._caught_up()
        self._pump()

    def closed(self, code: int | None) -> Verdict:
        """Say what to do after a connection ended with this code; None: without a close frame."""
        self.live = False
        if self.over is not None:
            return self.over
        if self.stuck:
            return Verdict(True, self._later)
        if code == CloseCode.BAD_TOKEN and self.identity is not None:
            self.identity = None
            self.notes.append(_("This server does not know you any more; you get a new identity."))
            return Verdict(True, CloseCode.BAD_TOKEN.sentence)
        known = next((each for each in CloseCode if each == code), None)
        if known is not None:
            return Verdict(known.reconnect, TO_PEOPLE.get(known, known.sentence))
        return Verdict(RECONNECT_WITHOUT_CODE if code is None else code < _PRIVATE, _CUT)

    def _welcome(self, message: msg.Welcome) -> None:
        if message.token is not None:
            self.identity = Identity(message.player, message.token)
        self._name = message.name
        goal = self._goal
        if self.model.room:
            password = goal.password if goal else None
            spectate = isinstance(goal, say.Join) and goal.spectate
            goal = say.Join(room=self.model.room, password=password, spectate=spectate, seen=self.model.seq)
        if goal is None:
            self._joined(self.model.seq)
            return
        self._refs += 1
        self._unanswered[self._refs] = msgspec.structs.replace(goal, ref=self._refs)
        self._outbox.append(self._unanswered[self._refs])

    def _joined(self, seq: int) -> None:
        """Send every unanswered request again; actions follow once the events up to `seq` have come."""
        if self.live:
            return
        self.live = True
        dropped = [ref for ref, each in self._unanswered.items() if isinstance(each, _ONCE)]
        for ref in dropped:
            request = self._unanswered.pop(ref)
            if isinstance(request, say.Chat):
                self.notes.append(Told(_UNREAD, text=request.text))
        self._outbox.extend(self._unanswered.values())
        self._resume_at = seq

    def _caught_up(self) -> None:
        """Send outstanding actions again, each with its race and number, when the running race is known."""
        if self._resume_at is None or self.model.seq < self._resume_at:
            return
        self._resume_at = None
        game = self.model.game
        for race, action_ in [*self._outstanding.items()]:
            if race == self.model.race_number and game is not None and action_.n <= game.n:
                del self._outstanding[race]  # it had arrived: the board has it
            else:
                self._send_action(action_)

    def _send_action(self, chosen: say.AnyAction) -> None:
        self._outstanding[chosen.race] = chosen
        self.model = models.sent(self.model, chosen)
        self._outbox.append(chosen)

    def _settle(self, race: int | None, n: int | None) -> say.AnyAction | None:
        """Take the outstanding action that an answer names; None if it names no such action."""
        action_ = self._outstanding.get(race) if race is not None else None
        if race is None or action_ is None or action_.n != n:
            return None
        return self._outstanding.pop(race)

    def _action_answered(self, message: msg.Accepted | msg.Refused, now: int) -> None:
        action_ = self._settle(message.race, message.n)
        if action_ is None or isinstance(message, msg.Accepted):
            return
        if message.code in _TEMPORARY:
            self._again(action_, message, now)
            return
        self._owed += limits.REFUSED_COST - 1
        gone = next((text for code, text in _GONE.items() if code == message.code), None)
        if gone is not None:
            self.notes.append(Told(gone, race=message.race))
            if message.race == self.model.race_number:
                self._waiting.clear()  # typed after it, for the same race
        elif message.code in _LOST and message.race == self.model.race_number:
            self._syncing = self.ask(say.GetGame())

    def _again(self, message: say.FromClient, answer: msg.Refused | msg.Error, now: int) -> None:
        """Send a message again: when a busy server says, or as soon as the pace allows."""
        if isinstance(message, say.AnyAction):
            self._outstanding[message.race] = message
            self.model = models.sent(self.model, message)
        if answer.retry_in_ms is not None:
            self._held.append((now + answer.retry_in_ms, message))
        else:
            self._owed += RATE_LIMITED_TOKENS
            self._outbox.append(message)

    def _error(self, message: msg.Error, now: int) -> None:
        failed = self._answered(message.ref) or self._settle(message.race, message.n)
        again = message.code in (ErrorCode.RATE_LIMITED, ErrorCode.BUSY)
        if not again:
            self._owed += limits.REFUSED_COST - 1
        if not self.live and message.code != ErrorCode.BAD_TOKEN:
            self.stuck = message.code in TRY_AGAIN
            self.hold_seconds = max(self.hold_seconds, (message.retry_in_ms or 0) / 1000)
            self._later = message.text if message.code in TOO_MANY else _LATER
            self.over = None if self.stuck else Verdict(False, message.text)
        elif again:
            # Without an echo it can only be about the action that waits for its answer.
            repeated = failed or self._outstanding.get(self.model.race_number)
            if repeated is None:
                self._owed += RATE_LIMITED_TOKENS
                return
            if message.ref:
                self._unanswered[message.ref] = repeated
            self._again(repeated, message, now)

    def _answered(self, ref: int) -> say.FromClient | None:
        if ref == self._syncing:
            self._syncing = 0
        request = self._unanswered.pop(ref, None)
        if isinstance(request, say.Leave):
            self.over = Verdict(False, "")
        return request

    def _pump(self) -> None:
        """Send the next action, if it is its turn; tell of those that can go nowhere."""
        while self._waiting and self.live and self._resume_at is None and not self._syncing:
            model = self.model
            if model.racing and model.game is not None:
                if model.race_number not in self._outstanding:
                    command = self._waiting.popleft()
                    self._send_action(action(command, model.race_number, model.game))
                return
            if self._patient and model.phase in (Phase.LOBBY, Phase.COUNTDOWN):
                return
            self._waiting.clear()
            self.notes.append(_NO_RACE)
