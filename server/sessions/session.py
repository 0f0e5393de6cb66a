"""A client's connection: its messages in order, and the answers to them in order.

A request that must wait for the store and changes who or where the client is (hello, create, join, leave)
keeps later messages waiting, so that a client may send `hello`, `join` and `ready` at once. A request that
only reads keeps later requests waiting, but not actions.
"""

from collections.abc import Callable, Coroutine
from typing import Any, Final

from protocol import from_client as ask
from protocol import from_server as say
from protocol.close_codes import CloseCode
from protocol.codec import CODECS, JSON_CODEC, MSGPACK_CODEC, BadInputError, Codec
from protocol.errors import ErrorCode
from protocol.from_client import AnyAction, FromClient
from protocol.from_server import FromServer
from protocol.limits import REFUSED_COST, REREAD_PER_TOKEN, WHOLE_FLOATS_COST
from protocol.notices import NoticeCode
from protocol.refusals import RefusalCode
from protocol.words import ENGLISH
from server.core.token_bucket import Bucket
from server.rooms.live_room import LiveRoom
from server.services.identity import Identity
from server.sessions.context import SessionContext
from server.sessions.dispatch import dispatch
from server.sessions.held_messages import HeldMessages
from server.sessions.replies import Replies, Reply, error_for, error_for_input
from server.transport import Connection, message_frame

MAX_UNANSWERED: Final = 1_000
"""Most requests of one connection without an answer; a client that sends more is disconnected."""

# On the path of every message, `type(message) in` these: isinstance() of structs costs five times as much.
_ACTIONS: Final = (ask.Move, ask.AutoMove, ask.Undo, ask.Restart, ask.Forfeit)
_ACTION_TAGS: Final = frozenset(each.__struct_config__.tag for each in _ACTIONS)
_REFUSALS: Final = (say.Refused, say.Error)


class Session:
    """A client's connection: the transport's `Handler`, and a room's `Subscriber`."""

    __slots__ = (
        "_bucket",
        "_context",
        "_held",
        "_lang",
        "_name",
        "_newcomer",
        "_player",
        "_replies",
        "_room",
        "codec",
        "connection",
        "opened_at",
        "subscriptions",
    )

    def __init__(self, context: SessionContext, connection: Connection) -> None:
        self.connection = connection
        self.codec: Codec = CODECS.get(connection.subprotocol or "", JSON_CODEC)
        self.opened_at = context.monotonic()
        self.subscriptions: set[str] = set()
        self._context = context
        self._player = ""
        self._name = ""
        self._newcomer: Identity | None = None  # the identity, until it enters a room
        self._lang = ENGLISH
        self._room: LiveRoom | None = None
        limits = context.limits
        self._bucket = Bucket(limits.messages_per_second, limits.message_burst, self.opened_at)
        self._replies = Replies(self.send)
        self._held = HeldMessages()
        context.sessions.add(self)
        context.unidentified.add(self)

    @property
    def address(self) -> str:
        """Address that the client connects from."""
        return self.connection.address

    @property
    def gone(self) -> bool:
        """Whether the connection has ended."""
        return self not in self._context.sessions

    @property
    def player(self) -> str:
        """The client's player id, empty before `hello`."""
        return self._player

    @property
    def name(self) -> str:
        """The client's name."""
        return self._name

    @property
    def lang(self) -> str:
        """Language of texts for people."""
        return self._lang

    @property
    def newcomer(self) -> Identity | None:
        """The identity of a client that has never entered a room."""
        return self._newcomer

    @property
    def room(self) -> LiveRoom | None:
        """The room that the client is in."""
        return self._room

    # What the transport calls.

    def received(self, data: bytes | str) -> None:
        """Handle one message."""
        in_time = self._bucket.take(self._context.monotonic())
        try:
            if isinstance(data, str) is self.codec.binary:
                self._change_encoding(data)
            message = self.codec.from_client(data)
        except BadInputError as fault:
            if fault.message is None or self._bucket.exhausted:
                self._answer_bad_input(fault)
                return
            self._bucket.take(self._context.monotonic(), WHOLE_FLOATS_COST)
            message = fault.message
        if type(message) in _ACTIONS:
            if in_time and not self._held.holds_all:
                self._act(message)  # type: ignore[arg-type]  # mypy learns nothing from this way of asking
            else:
                self._keep_or_refuse(message, in_time=in_time)  # type: ignore[arg-type]
        else:
            self._request(message, in_time=in_time)

    def closed(self, code: int, reason: str) -> None:  # noqa: ARG002 - part of the transport's port
        """Detach from the room; the player may connect again."""
        self._context.sessions.discard(self)
        self._context.unidentified.discard(self)
        self._held.clear()
        for game_code in self.subscriptions:
            self._context.leaderboards.unsubscribe(game_code, self)
        if self._room is not None:
            self._room.membership.disconnected(self._player, self)

    # What rooms call.

    def send(self, message: FromServer) -> None:
        """Send a message; one that refuses costs the client more than others."""
        if type(message) in _REFUSALS:
            self._bucket.take(self._context.monotonic(), REFUSED_COST - 1)
        self.connection.send(message_frame(self.codec, message))

    def charge(self, actions: int) -> None:
        """Take the tokens for reading that many actions again."""
        self._bucket.take(self._context.monotonic(), actions / REREAD_PER_TOKEN)

    def replaced(self) -> None:
        """End the connection, because the player connected elsewhere."""
        self._room = None
        code = NoticeCode.REPLACED
        self.send(say.Notice(code=code, text=code.text(self._lang)))
        self.close(CloseCode.REPLACED)

    def failed(self) -> None:
        """End the connection, because the server cannot answer it."""
        self.close(CloseCode.INTERNAL)

    def overran(self) -> None:
        """End the connection, because it sent more than may wait for an answer."""
        self.close(CloseCode.RATE_LIMITED)

    def left(self) -> None:
        """Detach from the room, because the player has no seat in it any more."""
        self._room = None

    # What the handlers of requests call.

    def close(self, code: CloseCode) -> None:
        """Close the connection with a code and its sentence."""
        self.connection.close(code, code.sentence)

    def introduce(self, name: str, lang: str) -> None:
        """Set the name and the language of the client."""
        self._name, self._lang = name, lang

    def identify(self, identity: Identity) -> None:
        """Set who the client is."""
        self._player = identity.player
        self._newcomer = None if identity.established else identity
        self._context.unidentified.discard(self)

    def entered(self, room: LiveRoom) -> None:
        """Set the room that the client is in."""
        self._room = room

    def established(self) -> None:
        """Record that the client has entered a room: it is not a newcomer any more."""
        self._newcomer = None

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work in the background; an exception in it ends the connection, as one in `received` does."""
        self._context.spawn(self._guarded(work))

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            self.close(CloseCode.INTERNAL)  # otherwise the client would never get an answer
            raise

    def hold(self) -> None:
        """Keep later messages waiting until `release`."""
        self._held.hold_all()

    def hold_requests(self) -> None:
        """Keep later requests waiting until `release`, but not actions."""
        self._held.hold_requests()

    def release(self) -> None:
        """Handle the messages that waited, until one of them holds the others again."""
        self._held.resume()
        while (held := self._held.take()) is not None:
            message, reply = held
            if isinstance(message, _REFUSALS):
                self._answer_in_turn(message)
            elif reply is None:
                self._act(message)  # type: ignore[arg-type]  # only actions have no reply
            else:
                dispatch(self._context, self, message, reply)

    def when_next(self, reply: Reply, act: Callable[[], None]) -> None:
        """Call `act` once all earlier requests have been answered; later messages wait until then."""

        def take_turn() -> None:
            self._held.resume()
            act()
            if not self._held.holds_all:
                self.release()

        self.hold()
        reply.when_next(take_turn)

    def take_tokens(self, tokens: float) -> None:
        """Take what a request costs beyond one message from the token bucket."""
        self._bucket.take(self._context.monotonic(), tokens)

    # Messages that come.

    def _request(self, message: FromClient, *, in_time: bool) -> None:
        """Handle a request, or keep it waiting. A `ping` never waits: it measures the connection."""
        if type(message) is ask.Ping and in_time:
            self.send(say.Pong(ref=message.ref, clock_ms=self._context.now_ms()))
            return
        reply = self._expect(message)
        if reply is None:
            return
        if not in_time:
            self._rate_limited(reply)
        elif not (self._held.holds_all or self._held.holds_requests):
            dispatch(self._context, self, message, reply)
        elif len(self._held) < self._context.limits.message_burst:
            self._held.append(message, reply)
        else:
            self._rate_limited(reply)

    def _expect(self, message: FromClient | None) -> Reply | None:
        """Return the reply to a request; None if too many have no answer, and the connection is closed."""
        if len(self._replies) < MAX_UNANSWERED:
            return self._replies.expect(message)
        self.close(CloseCode.RATE_LIMITED)
        return None

    def _rate_limited(self, reply: Reply) -> None:
        if self._bucket.exhausted:
            self.close(CloseCode.RATE_LIMITED)
        else:
            reply.error(ErrorCode.RATE_LIMITED)

    def _answer_bad_input(self, fault: BadInputError) -> None:
        """Answer input that is not a message in its turn; `undecodable` at once, before closing."""
        if self._bucket.exhausted:
            self.close(CloseCode.RATE_LIMITED)
            return
        answer = error_for_input(fault)
        if fault.code is ErrorCode.UNDECODABLE:
            self.send(answer)
            self.close(CloseCode.BAD_MESSAGE)
            return
        if answer.request in _ACTION_TAGS:
            self._answer_in_turn(answer)
        elif (reply := self._expect(None)) is not None:
            reply.send(answer)

    def _change_encoding(self, data: bytes | str) -> None:
        """Answer in the encoding of a client that negotiated none. Raises BadInputError."""
        if self.connection.subprotocol is not None:
            raise BadInputError(ErrorCode.UNDECODABLE, "MessagePack is binary, JSON is text")
        self.codec = JSON_CODEC if isinstance(data, str) else MSGPACK_CODEC

    # Actions.

    def _act(self, action: AnyAction) -> None:
        if self._room is not None and self._room.act(self._player, action):
            return
        if self._player:
            self._refuse(action, RefusalCode.NOT_RACING)
        else:
            self._answer_in_turn(error_for(action, ErrorCode.HELLO_REQUIRED))

    def _keep_or_refuse(self, action: AnyAction, *, in_time: bool) -> None:
        """Keep an action waiting until `release`, or refuse it if too many messages came."""
        if in_time and len(self._held) < self._context.limits.message_burst:
            self._held.append(action, None)
        elif self._bucket.exhausted:
            self.close(CloseCode.RATE_LIMITED)
        else:
            code = RefusalCode.RATE_LIMITED
            room = None if self._held.holds_all else self._room
            if room is None or not room.refuse(self._player, action, code):
                self._refuse(action, code)

    def _refuse(self, action: AnyAction, code: RefusalCode) -> None:
        text = code.text(self._lang)
        self._answer_in_turn(say.Refused(race=action.race, n=action.n, expected=0, code=code, text=text))

    def _answer_in_turn(self, answer: say.Refused | say.Error) -> None:
        """Send an answer to an action once earlier actions have theirs."""
        if self._held.holds_all and len(self._held) < MAX_UNANSWERED:
            self._held.append(answer, None)
        elif self._held.holds_all:
            self.close(CloseCode.RATE_LIMITED)
        elif self._room is not None:
            self._room.answer_in_turn(self._player, answer)
        else:
            self.send(answer)
