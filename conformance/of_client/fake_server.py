"""The referee's end of the conversation: takes clients in, speaks, and judges the numbers they send."""

import asyncio
import json
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
"""A field that no message has; every message of the referee has it, and clients ignore it."""

LATE_ACTIONS: Final = 8
"""Actions of an earlier race that may come for the first time in the next: they were under way."""

UNKNOWN_MESSAGE: Final[dict[str, Any]] = {"type": "weather", "sky": "blue"}
"""A message of a type that there is not."""


class FakeServer:
    """Whoever is connected now, if anybody, and the pretended server behind it.

    `patience` is how many seconds we wait for something that a person has to bring about.
    """

    def __init__(self, timeout_s: float) -> None:
        self.room = FakeRoom()
        self.timeout_s = timeout_s
        self.transcript: list[str] = []
        self.arrivals: asyncio.Queue[IncomingConnection] = asyncio.Queue()
        self.connection: IncomingConnection | None = None
        self.sent_seq = 0
        self._codec = JSON_CODEC
        self._gap_after: set[int] = set()
        self._first_sent: dict[tuple[int, int], from_client.AnyAction] = {}  # the first of each race and n
        self._late_actions = 0  # actions of an earlier race that were not heard while it ran

    # Coming and going.

    async def next_connection(self, timeout_s: float, wanted: str) -> IncomingConnection:
        """Wait for the next connection. Raises UnmetError."""
        try:
            async with asyncio.timeout(timeout_s):
                return self.use_connection(await self.arrivals.get())
        except TimeoutError:
            raise CheckFailedError(wanted, f"nothing within {timeout_s:g} seconds") from None

    def use_connection(self, connection: IncomingConnection) -> IncomingConnection:
        """Go on with a new connection."""
        self.connection = connection
        self._codec = CODECS.get(connection.subprotocol or "", JSON_CODEC)
        self._gap_after.clear()
        self.transcript.append(f"client connects, with {connection.subprotocol or 'no subprotocol'}")
        return connection

    async def disconnect(self) -> None:
        """Hang up."""
        if self.connection is not None:
            await self.connection.close()

    def cut(self) -> None:
        """Break the connection without a word."""
        if self.connection is not None:
            self.transcript.append("the connection is cut")
            self.connection.cut()

    async def close(self, code: int, reason: str = "") -> None:
        """Close the connection with a code."""
        if self.connection is not None:
            self.transcript.append(f"client < close {code} {reason}".rstrip())
            await self.connection.close(code, reason)

    # Talking.

    async def send(self, *messages: from_server.FromServer) -> None:
        """Send messages, each with a field that nobody knows."""
        for message in messages:
            self.sent_seq = max(self.sent_seq, getattr(message, "seq", 0))
            await self.send_raw(msgspec.to_builtins(message))

    async def send_raw(self, message: dict[str, Any]) -> None:
        """Send a message that may be none of ours."""
        message = message | UNKNOWN_FIELD
        self.transcript.append(f"client < {shorten(json.dumps(message, ensure_ascii=False))}")
        data = msgspec.msgpack.encode(message) if self._codec.binary else json.dumps(message)
        if self.connection is not None:
            await self.connection.send(data)

    async def receive(self, wanted: str) -> from_client.FromClient:
        """Return what the client says next. Raises UnmetError if it is nothing, or no message."""
        if self.connection is None:
            raise CheckFailedError(wanted, "nobody is connected")
        try:
            async with asyncio.timeout(self.timeout_s):
                data = await self.connection.receive()
        except TimeoutError:
            raise CheckFailedError(wanted, f"nothing within {self.timeout_s:g} seconds") from None
        except ConnectionClosedError as closed:
            self.transcript.append(f"client hangs up: {closed}")
            raise CheckFailedError(wanted, f"the client hung up: {closed}") from None
        shown = data if isinstance(data, str) else json.dumps(_unpacked(data), ensure_ascii=False)
        self.transcript.append(f"client > {shorten(shown)}")
        if isinstance(data, str) is self._codec.binary:
            raise CheckFailedError(f"{'binary' if self._codec.binary else 'text'} frames", shorten(shown))
        try:
            return self._codec.from_client(data)
        except BadInputError as fault:
            raise CheckFailedError("a message by its table", f"{fault.text}: {shorten(shown)}") from None

    async def next_request(self, wanted: str, *kinds: type) -> from_client.FromClient:
        """Answer everything until a request of one of these kinds comes, and return that unanswered."""
        while True:
            message = await self.receive(wanted)
            if isinstance(message, kinds):
                return message
            if isinstance(message, from_client.AnyAction):
                await self.send(self.room.refusal(message, RefusalCode.NOT_RACING))
            else:
                await self.send(*self.room.answer(message))

    async def next_action(self, wanted: str) -> from_client.AnyAction:
        """Answer everything until an action comes that the rules allow; return it, not carried out."""
        while not await self.is_allowed(action := await self.any_action(wanted), wanted):
            pass
        return action

    async def any_action(self, wanted: str) -> from_client.AnyAction:
        """Answer everything until an action comes, whatever it is worth."""
        while not isinstance(message := await self.receive(wanted), from_client.AnyAction):
            await self.send(*self.room.answer(message))
        return message

    async def is_allowed(self, action: from_client.AnyAction, wanted: str) -> bool:
        """Return whether an action is the next, and allowed; answer it if it is not.

        Raises UnmetError if it has a wrong race or number. What was sent before the client could know of a
        refusal may be numbered too high; it is refused as it would be by a server. So is an action of an
        earlier race that was not carried out, as long as it is the one that had this number then.
        """
        room = self.room
        expected = room.n + 1
        known = room.applied.get((action.race, action.n))
        heard = self._first_sent.setdefault((action.race, action.n), action)
        if (action.race, action.n) == (room.race, expected):
            self._first_sent[action.race, action.n] = action  # after a refusal it may be another
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
        """Return whether an action of an earlier race may come now."""
        if action.race >= self.room.race or heard != action:
            return False
        self._late_actions += heard is action
        return self._late_actions <= LATE_ACTIONS

    async def refuse(self, action: from_client.AnyAction, code: RefusalCode | Refusal) -> None:
        """Refuse an action."""
        await self.send_refusal(self.room.refusal(action, code))

    async def send_refusal(self, refused: from_server.Refused) -> None:
        """Refuse; what follows already may be numbered too high until the number comes again."""
        self._gap_after.add(refused.n)
        await self.send(refused)

    async def accept(self, action: from_client.AnyAction) -> from_server.Accepted:
        """Carry an action out, and answer it."""
        accepted = self.apply(action)
        await self.send(accepted)
        return accepted

    def apply(self, action: from_client.AnyAction) -> from_server.Accepted:
        """Carry out an action that `next_action` has returned, and send nobody."""
        accepted = self.room.apply(action)
        if isinstance(accepted, Refusal):
            raise TypeError(f"{action} was allowed before")
        return accepted

    async def connection_within(self, seconds: float) -> IncomingConnection | None:
        """Wait whether somebody connects; return who did."""
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
