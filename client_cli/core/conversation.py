"""What the client says, and when: hello, the room, actions one by one, all of it again after a loss.

Bytes, sockets and waiting are the connection's; this is the whole conversation without them.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

import msgspec

from client_cli.core import model as models
from client_cli.core.commands import MoveCards, SimpleCommand
from client_cli.core.model import Model
from client_cli.core.requests import action
from client_cli.core.translatable import Translatable
from client_cli.core.translatable import gettext_noop as _
from protocol import from_client, from_server, limits
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
    "You connected from elsewhere. The newest connection wins. For another person on this machine use --name."
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

_ONCE: Final = (from_client.Create, from_client.Join, from_client.Chat, from_client.Leave, from_client.Hello)
"""Requests that are not sent again after a loss: a repeat could take effect twice."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who one is on a server: the public id and the secret that proves it."""

    player: str
    token: str


@dataclass(frozen=True, slots=True)
class ConnectionEnd:
    """What to do after a connection has ended, and why it did."""

    reconnect: bool
    sentence: str


class Conversation:
    """One player's side of the protocol with a server, across any number of connections.

    `goal` is what to do after hello: create a room, join one, or nothing. With `keep_early_actions`, actions
    submitted before a race wait until it starts; otherwise they are refused at once. `notes` holds sentences
    for people. `must_reconnect` asks for a new connection later; `ended` says that none is wanted.
    """

    def __init__(
        self,
        name: str,
        goal: from_client.Create | from_client.Join | None,
        identity: Identity | None = None,
        *,
        lang: str = "en",
        client: str = "",
        keep_early_actions: bool = False,
    ) -> None:
        self.model = Model()
        self.identity = identity
        self.live = False
        self.must_reconnect = False
        self.ended: ConnectionEnd | None = None
        self.named_code = goal.code if isinstance(goal, from_client.Create) else None
        self.reconnect_delay_s = 0.0
        self._extra_cost = 0.0
        self.notes: list[str] = []
        self._name, self._lang, self._client = name, lang, client
        self._goal = goal
        self._keeps_early_actions = keep_early_actions
        self._outbox: deque[from_client.FromClient] = deque()
        self._waiting: deque[MoveCards | SimpleCommand] = deque()
        self._outstanding: dict[int, from_client.AnyAction] = {}  # by race: the action that has no answer yet
        self._held: list[tuple[int, from_client.FromClient]] = []  # what a busy server gets again, and when
        self._resume_at: int | None = None  # the `seq` up to which missed events are still to come
        self._unanswered: dict[int, from_client.FromClient] = {}
        self._refs = 0
        self._syncing = 0
        self._later: str = _LATER

    @property
    def idle(self) -> bool:
        """Whether everything that was said has been answered."""
        return not (self._waiting or self._outstanding or self._unanswered or self._outbox or self._held)

    @property
    def awaits_race(self) -> bool:
        """Whether actions wait for a race to start."""
        return bool(self._waiting) and not self._outstanding and not self._syncing

    def take_notes(self) -> list[str]:
        """Take what is to be told to people."""
        notes, self.notes = self.notes, []
        return notes

    def next_message(self) -> from_client.FromClient | None:
        """Take the next message that is to be sent, if there is one."""
        if not self._outbox:
            return None
        message = self._outbox.popleft()
        if isinstance(message, from_client.RoomRequest):
            self._extra_cost += limits.ROOM_EVENT_COST - 1
        return message

    def release_held(self, now: int) -> int | None:
        """Put what is due again into the outbox; return the ms until the next such message, None if none.

        `now` is the client's own clock in ms, as in `received`.
        """
        due = [message for at_ms, message in self._held if at_ms <= now]
        self._held = [each for each in self._held if each[0] > now]
        self._outbox.extend(due)
        return min((at_ms - now for at_ms, _ in self._held), default=None)

    def take_extra_cost(self) -> float:
        """Take what the server charged beyond the messages themselves, in messages."""
        owed, self._extra_cost = self._extra_cost, 0.0
        return owed

    def connection_opened(self) -> None:
        """A connection is open: say hello."""
        self._outbox.clear()
        self._held.clear()
        self._resume_at = None
        self.live = self.must_reconnect = False
        known = self.identity
        self._outbox.append(
            from_client.Hello(
                client=self._client,
                name=self._name,
                player=known.player if known else None,
                token=known.token if known else None,
                lang=self._lang,
            )
        )

    def submit_action(self, command: MoveCards | SimpleCommand) -> None:
        """Do something in the race, after what was typed before."""
        self._waiting.append(command)
        self._pump()

    def submit_request(self, request: from_client.FromClient) -> int:
        """Send a request, and return the reference that its answer will carry."""
        self._refs += 1
        request = msgspec.structs.replace(request, ref=self._refs)
        self._unanswered[self._refs] = request
        if isinstance(request, from_client.Configure):
            self.named_code = request.code
        if self.live:
            self._outbox.append(request)
        return self._refs

    def message_received(self, message: from_server.FromServer, now: int) -> None:
        """Take in a message that came at `now`, the client's own clock in ms."""
        before = self.model
        self.model = models.fold(before, message, now)
        goes_on = self.model.racing and self.model.race_number == before.race_number
        if before.racing and not goes_on and self._waiting:
            self._waiting.clear()  # typed for the race that was running then
            self.notes.append(_NO_RACE)
        match message:
            case from_server.Welcome():
                self._welcome(message)
            case from_server.Room() | from_server.Resumed():
                self._answered(message.ref)
                self._joined(message.seq)
            case from_server.Accepted() | from_server.Refused():
                self._action_answered(message, now)
            case from_server.Error():
                self._error(message, now)
            case from_server.Notice():
                if message.code == NoticeCode.RESTARTING:
                    self.reconnect_delay_s = (message.retry_in_ms or 0) / 1000
            case from_server.Game() | from_server.Done() | from_server.Board() | from_server.RecordSent():
                self._answered(message.ref)
            case from_server.Leaderboard():
                self._answered(message.ref)
                if message.ref:
                    self._outbox.append(from_client.UnsubscribeLeaderboard(code=message.code))
            case from_server.RaceStarted():
                self.named_code = None
            case from_server.MemberLeft() if message.player == self.model.me:
                kicked = message.reason is LeaveReason.KICKED
                self.ended = ConnectionEnd(False, ErrorCode.KICKED.sentence if kicked else "")
            case _:
                pass
        self._caught_up()
        self._pump()

    def connection_closed(self, code: int | None) -> ConnectionEnd:
        """Say what to do after a connection ended with this code; None: without a close frame."""
        self.live = False
        if self.ended is not None:
            return self.ended
        if self.must_reconnect:
            return ConnectionEnd(True, self._later)
        if code == CloseCode.BAD_TOKEN and self.identity is not None:
            self.identity = None
            self.notes.append(_("This server does not know you any more; you get a new identity."))
            return ConnectionEnd(True, CloseCode.BAD_TOKEN.sentence)
        known = next((each for each in CloseCode if each == code), None)
        if known is not None:
            return ConnectionEnd(known.reconnect, TO_PEOPLE.get(known, known.sentence))
        return ConnectionEnd(RECONNECT_WITHOUT_CODE if code is None else code < _PRIVATE, _CUT)

    def _welcome(self, message: from_server.Welcome) -> None:
        if message.token is not None:
            self.identity = Identity(message.player, message.token)
        self._name = message.name
        goal = self._goal
        if self.model.room:
            password = goal.password if goal else None
            spectate = isinstance(goal, from_client.Join) and goal.spectate
            goal = from_client.Join(
                room=self.model.room, password=password, spectate=spectate, seen=self.model.seq
            )
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
            if isinstance(request, from_client.Chat):
                self.notes.append(Translatable(_UNREAD, text=request.text))
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

    def _send_action(self, chosen: from_client.AnyAction) -> None:
        self._outstanding[chosen.race] = chosen
        self.model = models.sent(self.model, chosen)
        self._outbox.append(chosen)

    def _settle(self, race: int | None, n: int | None) -> from_client.AnyAction | None:
        """Take the outstanding action that an answer names; None if it names no such action."""
        action_ = self._outstanding.get(race) if race is not None else None
        if race is None or action_ is None or action_.n != n:
            return None
        return self._outstanding.pop(race)

    def _action_answered(self, message: from_server.Accepted | from_server.Refused, now: int) -> None:
        action_ = self._settle(message.race, message.n)
        if action_ is None or isinstance(message, from_server.Accepted):
            return
        if message.code in _TEMPORARY:
            self._again(action_, message, now)
            return
        self._extra_cost += limits.REFUSED_COST - 1
        gone = next((text for code, text in _GONE.items() if code == message.code), None)
        if gone is not None:
            self.notes.append(Translatable(gone, race=message.race))
            if message.race == self.model.race_number:
                self._waiting.clear()  # typed after it, for the same race
        elif message.code in _LOST and message.race == self.model.race_number:
            self._syncing = self.submit_request(from_client.GetGame())

    def _again(
        self, message: from_client.FromClient, answer: from_server.Refused | from_server.Error, now: int
    ) -> None:
        """Send a message again: when a busy server says, or as soon as the pace allows."""
        if isinstance(message, from_client.AnyAction):
            self._outstanding[message.race] = message
            self.model = models.sent(self.model, message)
        if answer.retry_in_ms is not None:
            self._held.append((now + answer.retry_in_ms, message))
        else:
            self._extra_cost += RATE_LIMITED_TOKENS
            self._outbox.append(message)

    def _error(self, message: from_server.Error, now: int) -> None:
        failed = self._answered(message.ref) or self._settle(message.race, message.n)
        again = message.code in (ErrorCode.RATE_LIMITED, ErrorCode.BUSY)
        if not again:
            self._extra_cost += limits.REFUSED_COST - 1
        if not self.live and message.code != ErrorCode.BAD_TOKEN:
            self.must_reconnect = message.code in TRY_AGAIN
            self.reconnect_delay_s = max(self.reconnect_delay_s, (message.retry_in_ms or 0) / 1000)
            self._later = message.text if message.code in TOO_MANY else _LATER
            self.ended = None if self.must_reconnect else ConnectionEnd(False, message.text)
        elif again:
            # Without an echo it can only be about the action that waits for its answer.
            repeated = failed or self._outstanding.get(self.model.race_number)
            if repeated is None:
                self._extra_cost += RATE_LIMITED_TOKENS
                return
            if message.ref:
                self._unanswered[message.ref] = repeated
            self._again(repeated, message, now)

    def _answered(self, ref: int) -> from_client.FromClient | None:
        if ref == self._syncing:
            self._syncing = 0
        request = self._unanswered.pop(ref, None)
        if isinstance(request, from_client.Leave):
            self.ended = ConnectionEnd(False, "")
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
            if self._keeps_early_actions and model.phase in (Phase.LOBBY, Phase.COUNTDOWN):
                return
            self._waiting.clear()
            self.notes.append(_NO_RACE)
