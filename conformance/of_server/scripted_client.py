"""A client that sends what a check says and keeps what it receives."""

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self, TypeAlias

import msgspec

from conformance.errors import CheckFailedError, CheckSkippedError
from conformance.report import shorten
from conformance.wire import ConnectionClosedError, OutgoingConnection
from protocol.codec import CODECS, BadInputError
from protocol.errors import ErrorCode
from protocol.limits import REFUSED_COST
from protocol.rate_limit import RateLimit
from protocol.version import JSON

TIMEOUT_S: Final = 5.0
"""Seconds after which an answer is missing. PROTOCOL.md has no such limit."""

ANSWERS: Final = ("accepted", "refused")

Message = dict[str, Any]


Verify: TypeAlias = Callable[[bytes], Sequence[str]]
"""Returns the faults of a record of a race, given as JSON."""


def no_verifier(_: bytes) -> Sequence[str]:
    """Skip the check of a record."""
    raise CheckSkippedError("no verifier of records was given")


@dataclass(slots=True)
class ServerUnderTest:
    """The server under test. `transcript` has one line for each message."""

    url: str
    verify: Verify = no_verifier
    transcript: list[str] = field(default_factory=list)
    clients: list["ScriptedClient"] = field(default_factory=list)

    async def disconnect(self) -> None:
        """Close every connection."""
        await asyncio.gather(*(each.connection.close() for each in self.clients))


class ScriptedClient:
    """One connection of a player called `name`. `timeout_s` is the longest wait for a message."""

    def __init__(
        self, server: ServerUnderTest, name: str, connection: OutgoingConnection, subprotocol: str
    ) -> None:
        self.server, self.name, self.connection = server, name, connection
        self.player = self.token = self.room = ""
        self.received: list[Message] = []
        self.timeout_s = TIMEOUT_S
        self._codec = CODECS[subprotocol]
        self._at = self._answered = 0
        self._rate_limit = RateLimit(at=time.monotonic())
        self._ref = 0
        self._answers: set[int] = set()
        server.clients.append(self)

    @classmethod
    async def connect(cls, server: ServerUnderTest, name: str, subprotocol: str = JSON) -> Self:
        """Connect without `hello`."""
        return cls(server, name, await OutgoingConnection.open(server.url, subprotocol), subprotocol)

    @classmethod
    async def identified(cls, server: ServerUnderTest, name: str, subprotocol: str = JSON) -> Self:
        """Connect and send `hello`."""
        client = await cls.connect(server, name, subprotocol)
        await client.hello()
        return client

    async def hello(self, **fields: Any) -> Message:
        """Send `hello` as a new player, or as the same as before; return `welcome`."""
        known = {"player": self.player, "token": self.token} if self.player else {}
        welcome = await self.request("hello", "welcome", **{"name": self.name, **known, **fields})
        self.player, self.token = welcome["player"], welcome.get("token", self.token)
        return welcome

    async def reconnect(self) -> "ScriptedClient":
        """Return a new connection of the same player, after `hello`."""
        other = await ScriptedClient.connect(self.server, self.name, self._codec.subprotocol)
        other.player, other.token, other.room = self.player, self.token, self.room
        await other.hello()
        return other

    @property
    def seen(self) -> int:
        """The `seq` of the last event or snapshot."""
        return max((each["seq"] for each in self.received if "seq" in each), default=0)

    # Sending.

    async def send(self, message: Message) -> None:
        """Send a message, no faster than the limits allow."""
        await asyncio.sleep(self._rate_limit.wait(time.monotonic()))
        raw = msgspec.msgpack.encode(message) if self._codec.binary else json.dumps(message)
        await self.send_raw(raw, json.dumps(message, ensure_ascii=False))

    async def send_raw(self, data: str | bytes, shown: str = "") -> None:
        """Send any data."""
        text = data if isinstance(data, str) else f"bytes {data.hex()}"
        self.server.transcript.append(f"{self.name} > {shorten(shown or text)}")
        try:
            await self.connection.send(data)
        except ConnectionClosedError as closed:
            raise CheckFailedError("an open connection", str(closed)) from None

    async def request(self, type_: str, wanted: str = "done", /, **fields: Any) -> Message:
        """Send a request, and return its answer, which must be of a type (`a|b`: of one of two)."""
        self._ref += 1
        ref, place = self._ref, len(self.received)
        await self.send({"type": type_, "ref": ref, **fields})
        while True:
            for at in range(place, len(self.received)):
                if self.received[at].get("ref") == ref:
                    self._answers.add(at)
                    return require(
                        self.received[at], f"`{wanted}` with ref {ref}", type=tuple(wanted.split("|"))
                    )
            place = len(self.received)
            await self._receive(f"`{wanted}` with ref {ref}")

    async def expect_error(self, code: ErrorCode, type_: str, /, **fields: Any) -> Message:
        """Send a request that must be answered by this error."""
        answer = await self.request(type_, "error", **fields)
        wanted = f"the error `{code}`"
        return require(answer, wanted, code=code, request=type_, temporary=code.temporary or None)

    async def expect_bad_message(self, type_: str, /, **fields: Any) -> None:
        """Send a request with a wrong field: the error `bad_message`."""
        await self.expect_error(ErrorCode.BAD_MESSAGE, type_, **fields)

    async def act(self, race: int, n: int, type_: str, /, **fields: Any) -> Message:
        """Send an action of a race, and return its answer."""
        await self.send({"type": type_, "race": race, "n": n, **fields})
        return await self.answer(race, n)

    # Receiving.

    async def answer(self, race: int, n: int) -> Message:
        """Return the next answer to an action, which must be that to action `n` of this race."""
        wanted = f"the answer to action {n} of race {race}"
        while True:
            while self._answered < len(self.received):
                message = self.received[self._answered]
                self._answered += 1
                if message["type"] in ANSWERS:
                    return require(message, wanted, race=race, n=n)
            await self._receive(wanted)

    async def expect(self, types: str, **fields: Any) -> Message:
        """Skip to the next message of a type with these fields; answers do not count."""
        kinds = types.split("|")
        also = f" with {fields}" if fields else ""

        def fits(message: Message) -> bool:
            return message["type"] in kinds and all(message.get(name) == fields[name] for name in fields)

        return await self._next(fits, f"`{types}`{also}")

    def latest(self, type_: str) -> Message:
        """Return the last message of a type."""
        return next(each for each in reversed(self.received) if each["type"] == type_)

    async def catch_up(self) -> None:
        """Receive everything that was sent until now."""
        await self.request("ping", "pong")

    async def expect_close(self, code: int, timeout_s: float = TIMEOUT_S) -> None:
        """Wait until the server closes with this code."""
        wanted = f"the close code {code}"
        try:
            async with asyncio.timeout(timeout_s):
                while True:
                    self._keep(await self.connection.receive())
        except ConnectionClosedError as closed:
            self.server.transcript.append(f"{self.name} < {closed}")
            if closed.code != code:
                raise CheckFailedError(wanted, str(closed)) from None
        except TimeoutError:
            raise CheckFailedError(wanted, f"nothing within {timeout_s:g} seconds") from None

    async def _next(self, fits: Callable[[Message], bool], wanted: str) -> Message:
        while True:
            while self._at < len(self.received):
                at, message = self._at, self.received[self._at]
                self._at += 1
                if at not in self._answers and message["type"] not in ANSWERS and fits(message):
                    return message
            await self._receive(wanted)

    async def _receive(self, wanted: str) -> None:
        try:
            async with asyncio.timeout(self.timeout_s):
                self._keep(await self.connection.receive())
        except TimeoutError:
            raise CheckFailedError(
                wanted, f"nothing of that kind within {self.timeout_s:g} seconds"
            ) from None
        except ConnectionClosedError as closed:
            self.server.transcript.append(f"{self.name} < {closed}")
            raise CheckFailedError(wanted, str(closed)) from None

    def _keep(self, data: str | bytes) -> None:
        """Keep a message without default values. It must be valid, or of an unknown type."""
        if isinstance(data, str) is self._codec.binary:
            raise CheckFailedError(f"{'binary' if self._codec.binary else 'text'} frames", shorten(str(data)))
        shown = data if isinstance(data, str) else _as_json(data)
        self.server.transcript.append(f"{self.name} < {shorten(shown)}")
        try:
            message = msgspec.to_builtins(self._codec.from_server(data))
        except BadInputError as fault:
            if fault.code is not ErrorCode.UNKNOWN_TYPE:
                raise CheckFailedError("a valid message", f"{fault.text}: {shorten(shown)}") from None
            message = msgspec.json.decode(shown)
        if message["type"] in ("error", "refused"):
            self._rate_limit.charge(REFUSED_COST - 1)
        self.received.append(message)


def require(message: Message, wanted: str, **fields: Any) -> Message:
    """Require values of fields (tuple: one of them; None: absent); return the message or fail the check."""
    for name, value in fields.items():
        got = message.get(name)
        if got not in value if isinstance(value, tuple) else got != value:
            meant = "no" if value is None else json.dumps(value, ensure_ascii=False)
            shown = shorten(json.dumps(message, ensure_ascii=False))
            raise CheckFailedError(f"{wanted}, with {meant} `{name}`", shown)
    return message


def require_equal(got: object, wanted: object, what: str) -> None:
    """Require that two values are equal. Raises CheckFailedError."""
    if got != wanted:
        raise CheckFailedError(f"{what}: {shorten(str(wanted))}", shorten(str(got)))


def _as_json(data: bytes) -> str:
    try:
        return json.dumps(msgspec.msgpack.decode(data), ensure_ascii=False)
    except msgspec.DecodeError:
        raise CheckFailedError("MessagePack", f"bytes {data[:100].hex()}") from None
