"""One connection: its messages in, in order, and what it is told.

A request that must wait for the store (hello, create, join) holds back what comes after it, so that a client
may send `hello`, `join` and `ready` in one go.
"""

from collections.abc import Coroutine
from typing import Any, Final, assert_never

from protocol import from_client as ask
from protocol import from_server as say
from protocol.closes import CloseCode
from protocol.codec import CODECS, JSON_CODEC, MSGPACK_CODEC, BadInputError, Codec
from protocol.errors import ErrorCode
from protocol.from_client import AnyAction, FromClient
from protocol.from_server import FromServer
from protocol.limits import REFUSED_COST, REREAD_PER_TOKEN, ROOM_EVENT_COST
from protocol.notices import NoticeCode
from protocol.refusals import RefusalCode
from protocol.words import ENGLISH
from server.core.limits import Bucket
from server.identity import Identity
from server.rooms.fanout import framed
from server.rooms.live_room import LiveRoom
from server.sessions import asking, entering
from server.sessions.lounge import Lounge
from server.transport import Connection

# Where every message comes by, `type(message) in` these: isinstance() of structs is five times as dear.
_ACTIONS: Final = (ask.Move, ask.AutoMove, ask.Undo, ask.Restart, ask.Forfeit)
_REFUSALS: Final = (say.Refused, say.Error)


class Session:
    """A client's connection: the transport's `Handler`, and a room's `Ear`."""

    __slots__ = (
        "_bucket",
        "_held",
        "_hold",
        "codec",
        "following",
        "lang",
        "link",
        "lounge",
        "name",
        "newcomer",
        "opened_at",
        "player",
        "room",
    )

    def __init__(self, lounge: Lounge, connection: Connection) -> None:
        self.lounge = lounge
        self.link = connection
        self.codec: Codec = CODECS.get(connection.subprotocol or "", JSON_CODEC)
        self.player = ""
        self.name = ""
        self.newcomer: Identity | None = None  # somebody who has never come into a room
        self.lang = ENGLISH
        self.room: LiveRoom | None = None
        self.following: set[str] = set()
        self.opened_at = lounge.monotonic()
        self._bucket = Bucket(lounge.limits.messages_per_second, lounge.limits.message_burst, self.opened_at)
        self._hold = False
        self._held: list[FromClient | say.Error] = []
        lounge.sessions.add(self)
        lounge.strangers.add(self)

    @property
    def address(self) -> str:
        """Where the client connects from."""
        return self.link.address

    @property
    def gone(self) -> bool:
        """Whether the connection has ended."""
        return self not in self.lounge.sessions

    # What the transport calls.

    def received(self, data: bytes | str) -> None:
        """Take one message."""
        in_time = self._bucket.take(self.lounge.monotonic())
        try:
            if isinstance(data, str) is self.codec.binary:
                self._change_encoding(data)
            message = self.codec.from_client(data)
        except BadInputError as fault:
            if self._bucket.exhausted:
                self.close(CloseCode.RATE_LIMITED)
                return
            self._answer_bad_input(fault)
            return
        if not in_time:
            self._too_fast(message)
        elif self._hold:
            self._keep(message)
        elif type(message) in _ACTIONS:
            self._act(message)  # type: ignore[arg-type]  # mypy learns nothing from this way of asking
        else:
            self._answer(message)

    def closed(self, code: int, reason: str) -> None:  # noqa: ARG002 - the transport tells, nobody asks
        """Leave the room as somebody who may come back."""
        self.lounge.sessions.discard(self)
        self.lounge.strangers.discard(self)
        self._held.clear()
        for game_code in self.following:
            self.lounge.leaderboards.unfollow(game_code, self)
        if self.room is not None:
            self.room.door.drop(self.player, self)

    # What rooms call.

    def tell(self, message: FromServer) -> None:
        """Send a message; one that refuses costs the client more than others."""
        if type(message) in _REFUSALS:
            self._bucket.take(self.lounge.monotonic(), REFUSED_COST - 1)
        self.link.send(framed(self.codec, message))

    def charge(self, actions: int) -> None:
        """Take from the bucket what it costs to read so many actions again."""
        self._bucket.take(self.lounge.monotonic(), actions / REREAD_PER_TOKEN)

    def replaced(self) -> None:
        """End, because the player connected elsewhere."""
        self.room = None
        code = NoticeCode.REPLACED
        self.tell(say.Notice(code=code, text=code.text(self.lang)))
        self.close(CloseCode.REPLACED)

    def failed(self) -> None:
        """End, because of a bug of the server."""
        self.close(CloseCode.INTERNAL)

    def overran(self) -> None:
        """End, because more waits for an answer than may."""
        self.close(CloseCode.RATE_LIMITED)

    def left(self) -> None:
        """Be in no room any more."""
        self.room = None

    # What the session's own parts call.

    def close(self, code: CloseCode) -> None:
        """Close the connection with a verdict."""
        self.link.close(code, code.sentence)

    def error(self, code: ErrorCode, message: FromClient, detail: str = "") -> None:
        """Answer a message with an error that repeats what identifies the message."""
        text = f"{code.sentence} ({detail})" if detail else code.sentence
        self.tell(
            say.Error(
                ref=getattr(message, "ref", 0),
                request=str(message.__struct_config__.tag),
                race=getattr(message, "race", None),
                n=getattr(message, "n", None),
                code=code,
                text=text,
                temporary=code.temporary,
            )
        )

    def _answer_bad_input(self, fault: BadInputError) -> None:
        """Answer input that is not a message, in the order in which it came."""
        echo = fault.echo
        answer = say.Error(
            ref=echo.ref or 0,
            request=echo.request,
            race=echo.race,
            n=echo.n,
            code=fault.code,
            text=fault.text,
        )
        if fault.code is ErrorCode.UNDECODABLE:
            self.tell(answer)
            self.close(CloseCode.BAD_MESSAGE)
        elif self._hold and len(self._held) < self.lounge.limits.message_burst:
            self._held.append(answer)
        else:
            self.tell(answer)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do what takes a while; a bug in it ends the connection, as one in `received` does."""
        self.lounge.spawn(self._guarded(work))

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            self.close(CloseCode.INTERNAL)  # or the client would wait for its answer for ever
            raise

    def hold(self) -> None:
        """Let later messages wait until `go_on`."""
        self._hold = True

    def go_on(self) -> None:
        """Take up the messages that waited, until one of them lets the others wait again."""
        self._hold = False
        while self._held and not self._hold:
            message = self._held.pop(0)
            if isinstance(message, _ACTIONS):
                self._act(message)
            elif isinstance(message, say.Error):
                self.tell(message)
            else:
                self._answer(message)

    def _keep(self, message: FromClient) -> None:
        """Let a message wait; no more of them than may come at once, for the store may be away for hours."""
        if len(self._held) < self.lounge.limits.message_burst:
            self._held.append(message)
        else:
            self._too_fast(message)

    def _change_encoding(self, data: bytes | str) -> None:
        """Answer in the encoding that a client speaks which asked for none. Raises BadInputError."""
        if self.link.subprotocol is not None:
            raise BadInputError(ErrorCode.UNDECODABLE, "MessagePack is binary, JSON is text")
        self.codec = JSON_CODEC if isinstance(data, str) else MSGPACK_CODEC

    def _act(self, action: AnyAction) -> None:
        if self.room is None or not self.room.act(self.player, action):
            self._refuse(action, RefusalCode.NOT_RACING)

    def _refuse(self, action: AnyAction, code: RefusalCode) -> None:
        self.tell(say.Refused(race=action.race, n=action.n, expected=0, code=code, text=code.text(self.lang)))

    def _too_fast(self, message: FromClient) -> None:
        if self._bucket.exhausted:
            self.close(CloseCode.RATE_LIMITED)
        elif isinstance(message, _ACTIONS):
            code = RefusalCode.RATE_LIMITED
            if self.room is None or not self.room.turn_down(self.player, message, code):
                self._refuse(message, code)
        else:
            self.error(ErrorCode.RATE_LIMITED, message)

    def _answer(self, message: FromClient) -> None:
        """Answer any message but a racer's action: the one dispatch of requests."""
        match message:
            case ask.Hello():
                entering.hello(self, message)
            case ask.Ping():
                self.tell(say.Pong(ref=message.ref, clock_ms=self.lounge.now_ms()))
            case _ if not self.player:
                self.error(ErrorCode.HELLO_REQUIRED, message)
            case ask.Create():
                entering.create(self, message)
            case ask.Join():
                entering.join(self, message)
            case ask.Leave():
                entering.leave(self, message)
            case (
                ask.Ready()
                | ask.StartCountdown()
                | ask.CancelCountdown()
                | ask.Configure()
                | ask.Lock()
                | ask.Kick()
                | ask.Chat()
            ):
                self._bucket.take(self.lounge.monotonic(), ROOM_EVENT_COST - 1)
                asking.room_request(self, message)
            case ask.GetGame():
                asking.get_game(self, message)
            case ask.GetBoard():
                asking.get_board(self, message)
            case ask.GetRecord():
                asking.get_record(self, message)
            case ask.SubscribeLeaderboard() | ask.UnsubscribeLeaderboard():
                asking.leaderboard(self, message)
            case ask.Move() | ask.AutoMove() | ask.Undo() | ask.Restart() | ask.Forfeit():
                self._act(message)
            case _:
                assert_never(message)
