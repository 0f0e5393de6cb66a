"""Somebody at a server under test, who says what a check wants said and keeps what comes."""

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self, TypeAlias

import msgspec

from conformance.errors import SkippedError, UnmetError
from conformance.report import shorten
from conformance.wire import Caller, HungUpError
from protocol.codec import CODECS, BadInputError
from protocol.errors import ErrorCode
from protocol.limits import REFUSED_COST
from protocol.rate_limit import Pace
from protocol.version import JSON

PATIENCE_S: Final = 5.0
"""Seconds after which an answer is missing. PROTOCOL.md promises none, but people would have left."""

ANSWERS: Final = ("accepted", "refused")

Message = dict[str, Any]


Verify: TypeAlias = Callable[[bytes], Sequence[str]]
"""Returns what is wrong in a record of a race, given as JSON."""


def no_verifier(_: bytes) -> Sequence[str]:
    """Skip the check of a record."""
    raise SkippedError("no verifier of records was given")


@dataclass(slots=True)
class Stage:
    """The server under test, and the conversation with it, one line a message."""

    url: str
    verify: Verify = no_verifier
    said: list[str] = field(default_factory=list)
    visitors: list["Visitor"] = field(default_factory=list)

    async def leave(self) -> None:
        """Close every connection."""
        await asyncio.gather(*(each.caller.close() for each in self.visitors))


class Visitor:
    """One connection of somebody called `name`, who waits `patience` seconds for the next message."""

    def __init__(self, stage: Stage, name: str, caller: Caller, subprotocol: str) -> None:
        self.stage, self.name, self.caller = stage, name, caller
        self.player = self.token = self.room = ""
        self.told: list[Message] = []
        self.patience = PATIENCE_S
        self._codec = CODECS[subprotocol]
        self._at = self._answered = 0
        self._pace = Pace(at=time.monotonic())
        self._ref = 0
        self._answers: set[int] = set()
        stage.visitors.append(self)

    @classmethod
    async def arrive(cls, stage: Stage, name: str, subprotocol: str = JSON) -> Self:
        """Connect, and say nothing."""
        return cls(stage, name, await Caller.open(stage.url, subprotocol), subprotocol)

    @classmethod
    async def greeted(cls, stage: Stage, name: str, subprotocol: str = JSON) -> Self:
        """Connect, and say hello."""
        visitor = await cls.arrive(stage, name, subprotocol)
        await visitor.hello()
        return visitor

    async def hello(self, **fields: Any) -> Message:
        """Say hello as somebody new, or as the same as before; return `welcome`."""
        known = {"player": self.player, "token": self.token} if self.player else {}
        welcome = await self.ask("hello", "welcome", **{"name": self.name, **known, **fields})
        self.player, self.token = welcome["player"], welcome.get("token", self.token)
        return welcome

    async def again(self) -> "Visitor":
        """Return the same person on a new connection, after hello."""
        other = await Visitor.arrive(self.stage, self.name, self._codec.subprotocol)
        other.player, other.token, other.room = self.player, self.token, self.room
        await other.hello()
        return other

    @property
    def seen(self) -> int:
        """The `seq` of the last event, or of the last whole room."""
        return max((each["seq"] for each in self.told if "seq" in each), default=0)

    # Saying.

    async def send(self, message: Message) -> None:
        """Send a message, no faster than the server allows."""
        await asyncio.sleep(self._pace.wait(time.monotonic()))
        raw = msgspec.msgpack.encode(message) if self._codec.binary else json.dumps(message)
        await self.send_raw(raw, json.dumps(message, ensure_ascii=False))

    async def send_raw(self, data: str | bytes, shown: str = "") -> None:
        """Send whatever it is."""
        text = data if isinstance(data, str) else f"bytes {data.hex()}"
        self.stage.said.append(f"{self.name} > {shorten(shown or text)}")
        try:
            await self.caller.send(data)
        except HungUpError as gone:
            raise UnmetError("an open connection", str(gone)) from None

    async def ask(self, type_: str, wanted: str = "done", /, **fields: Any) -> Message:
        """Send a request, and return its answer, which must be of a type (`a|b`: of one of two)."""
        self._ref += 1
        ref, place = self._ref, len(self.told)
        await self.send({"type": type_, "ref": ref, **fields})
        while True:
            for at in range(place, len(self.told)):
                if self.told[at].get("ref") == ref:
                    self._answers.add(at)
                    return require(self.told[at], f"`{wanted}` with ref {ref}", type=tuple(wanted.split("|")))
            place = len(self.told)
            await self._receive(f"`{wanted}` with ref {ref}")

    async def fails(self, code: ErrorCode, type_: str, /, **fields: Any) -> Message:
        """Send a request that must be answered by this error."""
        answer = await self.ask(type_, "error", **fields)
        wanted = f"the error `{code}`"
        return require(answer, wanted, code=code, request=type_, temporary=code.temporary or None)

    async def is_bad(self, type_: str, /, **fields: Any) -> None:
        """Send a request with a wrong field: the error `bad_message`."""
        await self.fails(ErrorCode.BAD_MESSAGE, type_, **fields)

    async def act(self, race: int, n: int, type_: str, /, **fields: Any) -> Message:
        """Send an action of a race, and return its answer."""
        await self.send({"type": type_, "race": race, "n": n, **fields})
        return await self.answer(race, n)

    # Hearing.

    async def answer(self, race: int, n: int) -> Message:
        """Return the next answer to an action; it must be that to action `n` of this race."""
        wanted = f"the answer to action {n} of race {race}"
        while True:
            while self._answered < len(self.told):
                message = self.told[self._answered]
                self._answered += 1
                if message["type"] in ANSWERS:
                    return require(message, wanted, race=race, n=n)
            await self._receive(wanted)

    async def hear(self, types: str, **fields: Any) -> Message:
        """Go forward to the next message of a type, and with these fields; answers are left out."""
        kinds = types.split("|")
        also = f" with {fields}" if fields else ""

        def fits(message: Message) -> bool:
            return message["type"] in kinds and all(message.get(name) == fields[name] for name in fields)

        return await self._next(fits, f"`{types}`{also}")

    def latest(self, type_: str) -> Message:
        """Return the last message of a type that came until now."""
        return next(each for each in reversed(self.told) if each["type"] == type_)

    async def quiet(self) -> None:
        """Take in everything that was sent until now."""
        await self.ask("ping", "pong")

    async def closed(self, code: int, patience: float = PATIENCE_S) -> None:
        """Wait until the server has closed with this code."""
        wanted = f"the close code {code}"
        try:
            async with asyncio.timeout(patience):
                while True:
                    self._take(await self.caller.receive())
        except HungUpError as gone:
            self.stage.said.append(f"{self.name} < {gone}")
            if gone.code != code:
                raise UnmetError(wanted, str(gone)) from None
        except TimeoutError:
            raise UnmetError(wanted, f"nothing within {patience:g} seconds") from None

    async def _next(self, fits: Callable[[Message], bool], wanted: str) -> Message:
        while True:
            while self._at < len(self.told):
                at, message = self._at, self.told[self._at]
                self._at += 1
                if at not in self._answers and message["type"] not in ANSWERS and fits(message):
                    return message
            await self._receive(wanted)

    async def _receive(self, wanted: str) -> None:
        try:
            async with asyncio.timeout(self.patience):
                self._take(await self.caller.receive())
        except TimeoutError:
            raise UnmetError(wanted, f"nothing of that kind within {self.patience:g} seconds") from None
        except HungUpError as gone:
            self.stage.said.append(f"{self.name} < {gone}")
            raise UnmetError(wanted, str(gone)) from None

    def _take(self, data: str | bytes) -> None:
        """Keep a message, without what is at its default; it keeps to its table, or is of an unknown type."""
        if isinstance(data, str) is self._codec.binary:
            raise UnmetError(f"{'binary' if self._codec.binary else 'text'} frames", shorten(str(data)))
        shown = data if isinstance(data, str) else _as_json(data)
        self.stage.said.append(f"{self.name} < {shorten(shown)}")
        try:
            message = msgspec.to_builtins(self._codec.from_server(data))
        except BadInputError as fault:
            if fault.code is not ErrorCode.UNKNOWN_TYPE:
                raise UnmetError("a message by its table", f"{fault.text}: {shorten(shown)}") from None
            message = msgspec.json.decode(shown)
        if message["type"] in ("error", "refused"):
            self._pace.charge(REFUSED_COST - 1)
        self.told.append(message)


def require(message: Message, wanted: str, **fields: Any) -> Message:
    """Return a message with these values (a tuple: one of them, None: absent); else raise UnmetError."""
    for name, value in fields.items():
        got = message.get(name)
        if got not in value if isinstance(value, tuple) else got != value:
            meant = "no" if value is None else json.dumps(value, ensure_ascii=False)
            shown = shorten(json.dumps(message, ensure_ascii=False))
            raise UnmetError(f"{wanted}, with {meant} `{name}`", shown)
    return message


def same(got: object, wanted: object, what: str) -> None:
    """Raise UnmetError unless two things are equal."""
    if got != wanted:
        raise UnmetError(f"{what}: {shorten(str(wanted))}", shorten(str(got)))


def _as_json(data: bytes) -> str:
    try:
        return json.dumps(msgspec.msgpack.decode(data), ensure_ascii=False)
    except msgspec.DecodeError:
        raise UnmetError("MessagePack", f"bytes {data[:100].hex()}") from None
