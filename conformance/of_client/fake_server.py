"""A fake server for a client under test. It checks the race and number of every action."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import msgspec

from conformance.errors import CheckFailedError
from conformance.of_client.fake_room import FakeRoom
from conformance.report import shorten
from conformance.wire import ConnectionClosedError, IncomingConnection
from engine import Refusal
from protocol import from_client, from_server
from protocol.codec import CODECS, JSON_CODEC, BadInputError
from protocol.refusals import RefusalCode

UNKNOWN_FIELD: Final[dict[str, Any]] = {"mood": {"sky": ["blue", 1, None]}}
"""An unknown field. Every message has it; clients must ignore it."""

LATE_ACTIONS: Final = 8
"""Most actions of an earlier race that are first received in the next: they were sent before its end."""

UNKNOWN_MESSAGE: Final[dict[str, Any]] = {"type": "weather", "sky": "blue"}
"""A message of an unknown type. Clients must ignore it."""


NOTICE_AFTER_S: Final = 3.0
"""Seconds of a wait after which a line says what is waited for."""


class FakeServer:
    """The fake server, with the present connection of the client, if there is one.

    `timeout_s` is the longest wait for something that a person has to do. `show` shows a line to the author
    of the client. `encode` replaces the encoder of MessagePack.
    """

    def __init__(self, timeout_s: float, show: Callable[[str], None] = lambda _: None) -> None:
        self.room = FakeRoom()
        self.encode: Callable[[Any], bytes] | None = None
        self._show = show
        self.timeout_s = timeout_s
        self.transcript: list[str] = []
        self.arrivals: asyncio.Queue[IncomingConnection] = asyncio.Queue()
        self.connection: IncomingConnection | None = None
        self.sent_seq = 0
        self._codec = JSON_CODEC
        self._gap_after: set[int] = set()
        self._first_sent: dict[tuple[int, int], from_client.AnyAction] = {}  # by race and n
        self._late_actions = 0  # actions of an earlier race that were first received after it

    @property
    def binary(self) -> bool:
        """Whether the client uses MessagePack."""
        return self._codec.binary

    # Connections.

    async def next_connection(self, timeout_s: float, wanted: str) -> IncomingConnection:
        """Wait for the next connection. Raises CheckFailedError."""
        async with self.waiting(wanted, timeout_s):
            return self.use_connection(await self.arrivals.get())

    @asynccontextmanager
    async def waiting(self, wanted: str, timeout_s: float) -> AsyncIterator[None]:
        """Limit the time of a wait, and show what is waited for if it takes long. Raises CheckFailedError."""
        line = f"Waiting for {wanted}, at most {timeout_s:g} seconds."
        notice = asyncio.get_running_loop().call_later(NOTICE_AFTER_S, self._show, line)
        try:
            async with asyncio.timeout(timeout_s):
                yield
        except TimeoutError:
            raise CheckFailedError(wanted, f"nothing within {timeout_s:g} seconds") from None
        finally:
            notice.cancel()

    def use_connection(self, connection: IncomingConnection) -> IncomingConnection:
        """Use a new connection."""
        self.connection = connection
        self._codec = CODECS.get(connection.subprotocol or "", JSON_CODEC)
        self._gap_after.clear()
        self.transcript.append(f"client connects, with {connection.subprotocol or 'no subprotocol'}")
        return connection

    async def disconnect(self) -> None:
        """Close the connection."""
        if self.connection is not None:
            await self.connection.close()

    def cut(self) -> None:
        """Cut the connection without a close frame."""
        if self.connection is not None:
            self.transcript.append("the connection is cut")
            self.connection.cut()

    def stop_reading(self) -> None:
        """Answer nothing any more on this connection, not even pings."""
        if self.connection is not None:
            self.transcript.append("the server stops answering")
            self.connection.stop_reading()

    async def close(self, code: int, reason: str = "") -> None:
        """Close the connection with a code."""
        if self.connection is not None:
            self.transcript.append(f"client < close {code} {reason}".rstrip())
            await self.connection.close(code, reason)

    # Messages.

    async def send(self, *messages: from_server.FromServer) -> None:
        """Send messages, each with an unknown field."""
        for message in messages:
            self.sent_seq = max(self.sent_seq, getattr(message, "seq", 0))
            await self.send_raw(msgspec.to_builtins(message))

    async def send_raw(self, message: dict[str, Any]) -> None:
        """Send a message, possibly of an unknown type."""
        message = message | UNKNOWN_FIELD
        self.transcript.append(f"client < {shorten(json.dumps(message, ensure_ascii=False))}")
        binary = self.encode or msgspec.msgpack.encode
        data = binary(message) if self.binary else json.dumps(message)
        if self.connection is not None:
            await self.connection.send(data)

    async def receive(self, wanted: str) -> from_client.FromClient:
        """Return the next message. Raises CheckFailedError if there is none or it is invalid."""
        if self.connection is None:
            raise CheckFailedError(wanted, "the client is not connected")
        try:
            async with self.waiting(wanted, self.timeout_s):
                data = await self.connection.receive()
        except ConnectionClosedError as closed:
            self.transcript.append(f"client closes: {closed}")
            raise CheckFailedError(wanted, f"the client closed the connection: {closed}") from None
        shown = data if isinstance(data, str) else json.dumps(_unpacked(data), ensure_ascii=False)
        self.transcript.append(f"client > {shorten(shown)}")
        if isinstance(data, str) is self._codec.binary:
            raise CheckFailedError(f"{'binary' if self._codec.binary else 'text'} frames", shorten(shown))
        try:
            return self._codec.from_client(data)
        except BadInputError as fault:
            if fault.message is not None:
                return fault.message
            raise CheckFailedError("a valid message", f"{fault.text}: {shorten(shown)}") from None

    async def actions_within(self, seconds: float) -> list[from_client.AnyAction]:
        """Answer requests for some seconds and refuse actions; return these."""
        actions: list[from_client.AnyAction] = []
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    message = await self.receive("a message")
                    if isinstance(message, from_client.AnyAction):
                        actions.append(message)
                        await self.send(self.room.refusal(message, RefusalCode.NOT_RACING))
                    else:
                        await self.send(*self.room.answer(message))
        return actions

    async def next_request(self, wanted: str, *kinds: type) -> from_client.FromClient:
        """Answer messages until a request of one of these types comes; return it unanswered."""
        while True:
            message = await self.receive(wanted)
            if isinstance(message, kinds):
                return message
            if isinstance(message, from_client.AnyAction):
                await self.send(self.room.refusal(message, RefusalCode.NOT_RACING))
            else:
                await self.send(*self.room.answer(message))

    async def next_action(self, wanted: str) -> from_client.AnyAction:
        """Answer messages until an action comes that the rules allow; return it, not carried out."""
        while not await self.is_allowed(action := await self.any_action(wanted), wanted):
            pass
        return action

    async def any_action(self, wanted: str) -> from_client.AnyAction:
        """Answer messages until an action comes; return it unanswered."""
        while not isinstance(message := await self.receive(wanted), from_client.AnyAction):
            await self.send(*self.room.answer(message))
        return message

    async def is_allowed(self, action: from_client.AnyAction, wanted: str) -> bool:
        """Return whether an action is the next one and the rules allow it; answer it if not.

        Actions that were sent before a refusal was received can have a number that is too high; they are
        refused as by a server. So is an action of an earlier race that was not carried out, if it is the one
        that had this number in that race. Raises CheckFailedError for any other wrong race or number.
        """
        room = self.room
        expected = room.n + 1
        known = room.applied.get((action.race, action.n))
        heard = self._first_sent.setdefault((action.race, action.n), action)
        if (action.race, action.n) == (room.race, expected):
            self._first_sent[action.race, action.n] = (
                action  # after a refusal, another action may have the number
            )
            self._gap_after.clear()
            refusal = room.would_refuse(action)
            if refusal is not None:
                await self.refuse(action, refusal)
            return refusal is None
        if known is not None and known[0] == action:
            await self.send(known[1])
        elif self._is_late(action, heard):
            await self.send(room.refusal(action, RefusalCode.WRONG_RACE))
        elif action.race == room.race and expected in self._gap_after and action.n > expected:
            await self.send(room.refusal(action, RefusalCode.WRONG_NUMBER))
        else:
            raise CheckFailedError(f"{wanted}, of race {room.race} and with number {expected}", str(action))
        return False

    def _is_late(self, action: from_client.AnyAction, heard: from_client.AnyAction) -> bool:
        """Return whether an action of an earlier race is acceptable now."""
        if action.race >= self.room.race or heard != action:
            return False
        self._late_actions += heard is action
        return self._late_actions <= LATE_ACTIONS

    async def refuse(self, action: from_client.AnyAction, code: RefusalCode | Refusal) -> None:
        """Refuse an action."""
        await self.send_refusal(self.room.refusal(action, code))

    async def send_refusal(self, refused: from_server.Refused) -> None:
        """Send a refusal. Until its number comes again, later numbers are accepted as sent before it."""
        self._gap_after.add(refused.n)
        await self.send(refused)

    async def accept(self, action: from_client.AnyAction) -> from_server.Accepted:
        """Carry out an action and answer it."""
        accepted = self.apply(action)
        await self.send(accepted)
        return accepted

    def apply(self, action: from_client.AnyAction) -> from_server.Accepted:
        """Carry out an action that `next_action` returned, without an answer."""
        accepted = self.room.apply(action)
        if isinstance(accepted, Refusal):
            raise TypeError(f"{action} was allowed before")
        return accepted

    async def connection_within(self, seconds: float) -> IncomingConnection | None:
        """Wait for a connection; return None if there is none in time."""
        try:
            async with asyncio.timeout(seconds):
                return await self.arrivals.get()
        except TimeoutError:
            return None


def _unpacked(data: bytes) -> Any:
    try:
        return msgspec.msgpack.decode(data)
    except msgspec.DecodeError:
        return f"bytes {data[:100].hex()}"
