"""The client's side of the protocol: hello, the room, actions in order, and resuming after a lost connection.

It knows no socket and no clock: the connection feeds it messages and sends what it queues.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

import msgspec

from client_cli.core import model as models
from client_cli.core import retries
from client_cli.core.commands import MoveCards, SimpleCommand
from client_cli.core.connection_end import ConnectionEnd, connection_end
from client_cli.core.model import Model
from client_cli.core.requests import action
from client_cli.core.translatable import Translatable
from client_cli.core.translatable import gettext_noop as _
from protocol import from_client, from_server, limits
from protocol.close_codes import CloseCode
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode
from protocol.parts import LeaveReason, Phase

_NO_RACE: Final = _("You are not in a running race. Get ready for the next one.")
_UNREAD: Final = _("The connection was lost. This chat message may not have arrived: {text}")


@dataclass(frozen=True, slots=True)
class Identity:
    """Identity of a player on a server: the public id and the secret token."""

    player: str
    token: str


class Conversation:
    """One player's side of the protocol with a server, across any number of connections.

    `goal` is what to do after hello: create a room, join one, or nothing. With `keep_early_actions`, actions
    submitted before a race wait until it starts; otherwise they are dropped with a note. `take_notes` returns
    sentences for people. If `must_reconnect` is set, the client must close this connection and open another
    one; if `ended` is set, it must close it and open none.
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
        self.model = Model()  # the state of the room; a fold over the messages
        self.identity = identity
        self.live = False  # hello and join were answered on this connection
        self.must_reconnect = False
        self.ended: ConnectionEnd | None = None
        # The deal that this client named for the next race.
        self.named_code = goal.code if isinstance(goal, from_client.Create) else None
        self.reconnect_delay_s = 0.0  # how long the server asked to wait before the next connection
        self._extra_cost = 0.0  # what the server charged beyond the messages themselves, in messages
        self.notes: list[str] = []
        self._name, self._lang, self._client = name, lang, client
        self._goal = goal
        self._keeps_early_actions = keep_early_actions
        self._outbox: deque[from_client.FromClient] = deque()  # messages for the connection
        self._queued: deque[MoveCards | SimpleCommand] = deque()  # actions that are not sent yet
        self._outstanding: dict[int, from_client.AnyAction] = {}  # by race: the action without an answer
        self._held: list[tuple[int, from_client.FromClient]] = []  # messages to send again, and when
        self._resume_at: int | None = None  # `seq` of `resumed` until all missed events are known to be here
        self._unanswered: dict[int, from_client.FromClient] = {}  # by `ref`
        self._refs = 0
        self._game_ref = 0  # of the `get_game` that corrects the action numbers, 0 if none is under way
        self._reconnect_reason = ""  # what the server answered, if `must_reconnect`

    @property
    def idle(self) -> bool:
        """Whether every request and action has been answered."""
        return not (self._queued or self._outstanding or self._unanswered or self._outbox or self._held)

    @property
    def awaits_race(self) -> bool:
        """Whether actions wait for a race to start."""
        return bool(self._queued) and not self._outstanding and not self._game_ref

    def take_notes(self) -> list[str]:
        """Return the notes for people, and forget them."""
        notes, self.notes = self.notes, []
        return notes

    def next_message(self) -> from_client.FromClient | None:
        """Remove and return the next message to send, if there is one."""
        if not self._outbox:
            return None
        message = self._outbox.popleft()
        if isinstance(message, from_client.RoomRequest):
            self._extra_cost += limits.ROOM_EVENT_COST - 1
        return message

    def release_held(self, now: int) -> int | None:
        """Queue the held messages that are due; return the ms until the next one is, None without one.

        `now` is the client's own clock in ms, as in `message_received`.
        """
        due = [message for at_ms, message in self._held if at_ms <= now]
        self._held = [each for each in self._held if each[0] > now]
        self._outbox.extend(due)
        return min((at_ms - now for at_ms, _ in self._held), default=None)

    def take_extra_cost(self) -> float:
        """Return what the server charged beyond the messages themselves, in messages, and reset it."""
        owed, self._extra_cost = self._extra_cost, 0.0
        return owed

    def connection_opened(self) -> None:
        """Queue `hello` on a new connection."""
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
        """Queue an action in the race, after those submitted before."""
        self._queued.append(command)
        self._send_next_action()

    def submit_request(self, request: from_client.FromClient) -> int:
        """Queue a request; return the reference that its answer will carry."""
        self._refs += 1
        request = msgspec.structs.replace(request, ref=self._refs)
        self._unanswered[self._refs] = request
        if isinstance(request, from_client.Configure):
            self.named_code = request.code
        if self.live:
            self._outbox.append(request)
        return self._refs

    def message_received(self, message: from_server.FromServer, now: int) -> None:
        """Process a message that arrived at `now`, the client's own clock in ms."""
        before = self.model
        self.model = models.fold(before, message, now)
        goes_on = self.model.racing and self.model.race_number == before.race_number
        if before.racing and not goes_on and self._queued:
            self._queued.clear()  # submitted for the race that was running then
            self.notes.append(_NO_RACE)
        match message:
            case from_server.Welcome():
                self._on_welcome(message)
            case from_server.Room() | from_server.Resumed():
                self._take_request(message.ref)
                self._on_joined(message.seq)
            case from_server.Accepted() | from_server.Refused():
                self._action_answered(message, now)
            case from_server.Error():
                self._on_error(message, now)
            case from_server.Notice():
                if message.code == NoticeCode.RESTARTING:
                    self.reconnect_delay_s = (message.retry_in_ms or 0) / 1000
            case from_server.Game() | from_server.Done() | from_server.Board() | from_server.RecordSent():
                self._take_request(message.ref)
            case from_server.Leaderboard():
                self._take_request(message.ref)
                if message.ref:
                    self._outbox.append(from_client.UnsubscribeLeaderboard(code=message.code))
            case from_server.RaceStarted():
                self.named_code = None
            case from_server.MemberLeft() if message.player == self.model.me:
                kicked = message.reason is LeaveReason.KICKED
                self.ended = ConnectionEnd(False, ErrorCode.KICKED.sentence if kicked else "")
            case _:
                pass
        self._send_next_action()

    def connection_closed(self, code: int | None) -> ConnectionEnd:
        """Return what to do after the connection ended with a code; None: without a close frame."""
        self.live = False
        if self.ended is not None:
            return self.ended
        if self.must_reconnect:
            return ConnectionEnd(True, self._reconnect_reason)
        if code == CloseCode.BAD_TOKEN and self.identity is not None:
            self.identity = None
            self.notes.append(_("The server does not know your identity any more. You get a new one."))
            return ConnectionEnd(True, CloseCode.BAD_TOKEN.sentence)
        return connection_end(code)

    def _on_welcome(self, message: from_server.Welcome) -> None:
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
            self._on_joined(self.model.seq)
            return
        self._refs += 1
        self._unanswered[self._refs] = msgspec.structs.replace(goal, ref=self._refs)
        self._outbox.append(self._unanswered[self._refs])

    def _on_joined(self, seq: int) -> None:
        """Send what has no answer again; missed events up to `seq` can follow."""
        if self.live:
            return
        self.live = True
        dropped = [ref for ref, each in self._unanswered.items() if isinstance(each, retries.SEND_ONCE)]
        for ref in dropped:
            request = self._unanswered.pop(ref)
            if isinstance(request, from_client.Chat):
                self.notes.append(Translatable(_UNREAD, text=request.text))
        self._outbox.extend(self._unanswered.values())
        self._resume_at = seq if self.model.seq < seq else None
        self._resend_actions()

    def _resend_actions(self) -> None:
        """Send outstanding actions again, with their race and number, except those that the game contains.

        If missed events follow, the game can be of a race that the client does not know yet. Then all are
        sent: the server carries out none of them twice.
        """
        game = self.model.game if self._resume_at is None else None
        for race, sent in [*self._outstanding.items()]:
            if race == self.model.race_number and game is not None and sent.n <= game.n:
                del self._outstanding[race]  # it had arrived: it is on the board
            else:
                self._send_action(sent)

    def _knows_race(self) -> bool:
        """Return whether race and game are of the present; if not, learn it.

        The last missed event may not be for this client, so it cannot be awaited. The answer to `get_game`
        follows all of them. Without a game in `resumed` the race is over, which an event will say.
        """
        if self._resume_at is None or self.model.seq >= self._resume_at:
            return True
        if self.model.catching_up is None:
            return not self.model.racing
        self._resume_at = None
        self._game_ref = self.submit_request(from_client.GetGame())
        return False

    def _send_action(self, chosen: from_client.AnyAction) -> None:
        self._outstanding[chosen.race] = chosen
        self.model = models.sent(self.model, chosen)
        self._outbox.append(chosen)

    def _take_action(self, race: int | None, n: int | None) -> from_client.AnyAction | None:
        """Remove and return the outstanding action that an answer names, if there is one."""
        sent = self._outstanding.get(race) if race is not None else None
        if race is None or sent is None or sent.n != n:
            return None
        return self._outstanding.pop(race)

    def _action_answered(self, message: from_server.Accepted | from_server.Refused, now: int) -> None:
        sent = self._take_action(message.race, message.n)
        if sent is None:
            return
        if isinstance(message, from_server.Refused) and message.code in retries.TEMPORARY:
            self._repeat(sent, message, now)
            return
        self._resume_at = None  # the answer follows all missed events
        if isinstance(message, from_server.Accepted):
            return
        self._extra_cost += limits.REFUSED_COST - 1
        dropped = next((text for code, text in retries.DROPPED.items() if code == message.code), None)
        if dropped is not None:
            self.notes.append(Translatable(dropped, race=message.race))
            if message.race == self.model.race_number:
                self._queued.clear()  # submitted after it, for the same race
        elif message.code in retries.OUT_OF_STEP and message.race == self.model.race_number:
            self._game_ref = self.submit_request(from_client.GetGame())

    def _repeat(
        self, message: from_client.FromClient, answer: from_server.Refused | from_server.Error, now: int
    ) -> None:
        """Send a message again: after `retry_in_ms`, otherwise as soon as the rate limit allows."""
        if isinstance(message, from_client.AnyAction):
            self._outstanding[message.race] = message
            self.model = models.sent(self.model, message)
        if answer.retry_in_ms is not None:
            self._held.append((now + answer.retry_in_ms, message))
        else:
            self._extra_cost += retries.RATE_LIMITED_TOKENS
            self._outbox.append(message)

    def _on_error(self, message: from_server.Error, now: int) -> None:
        failed = self._take_request(message.ref) or self._take_action(message.race, message.n)
        again = message.code in (ErrorCode.RATE_LIMITED, ErrorCode.BUSY)
        if not again:
            self._extra_cost += limits.REFUSED_COST - 1
        if not self.live and message.code != ErrorCode.BAD_TOKEN:
            self.must_reconnect = message.code in retries.TRY_AGAIN
            self.reconnect_delay_s = max(self.reconnect_delay_s, (message.retry_in_ms or 0) / 1000)
            self._reconnect_reason = message.text
            self.ended = None if self.must_reconnect else ConnectionEnd(False, message.text)
        elif again:
            # An error without an echo can only be about the outstanding action.
            repeated = failed or self._outstanding.get(self.model.race_number)
            if repeated is None:
                self._extra_cost += retries.RATE_LIMITED_TOKENS
                return
            if message.ref:
                self._unanswered[message.ref] = repeated
            self._repeat(repeated, message, now)

    def _take_request(self, ref: int) -> from_client.FromClient | None:
        if ref == self._game_ref:
            self._game_ref = 0
        request = self._unanswered.pop(ref, None)
        if isinstance(request, from_client.Leave):
            self.ended = ConnectionEnd(False, "")
        return request

    def _send_next_action(self) -> None:
        """Send the next action if none is outstanding; drop those that no race can take, with a note."""
        while self._queued and self.live and not self._game_ref:
            model = self.model
            if (model.racing and model.race_number in self._outstanding) or not self._knows_race():
                return
            if model.racing and model.game is not None:
                command = self._queued.popleft()
                self._send_action(action(command, model.race_number, model.game))
                return
            if self._keeps_early_actions and model.phase in (Phase.LOBBY, Phase.COUNTDOWN):
                return
            self._queued.clear()
            self.notes.append(_NO_RACE)
