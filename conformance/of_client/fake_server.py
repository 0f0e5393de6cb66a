"""The referee's end of the conversation: takes clients in, speaks, and judges the numbers they send."""

import asyncio
import json
from typing import Any, Final

import msgspec

from conformance.errors import UnmetError
from conformance.of_client.fake_room import Pretence
from conformance.report import shorten
from conformance.wire import Guest, HungUpError
from engine import Refusal
from protocol import from_client as say
from protocol import from_server as msg
from protocol.codec import CODECS, JSON_CODEC, BadInputError
from protocol.refusals import RefusalCode

NOVELTY: Final[dict[str, Any]] = {"mood": {"sky": ["blue", 1, None]}}
"""A field that no message has; every message of the referee has it, and clients ignore it."""

LATE_ACTIONS: Final = 8
"""Actions of an earlier race that may come for the first time in the next: they were under way."""

NEWS: Final[dict[str, Any]] = {"type": "weather", "sky": "blue"}
"""A message of a type that there is not."""


class Listener:
    """Whoever is connected now, if anybody, and the pretended server behind it.

    `patience` is how many seconds we wait for something that a person has to bring about.
    """

    def __init__(self, patience: float) -> None:
        self.pretence = Pretence()
        self.patience = patience
        self.said: list[str] = []
        self.arrivals: asyncio.Queue[Guest] = asyncio.Queue()
        self.guest: Guest | None = None
        self.sent_seq = 0
        self._codec = JSON_CODEC
        self._loose: set[int] = set()
        self._heard: dict[tuple[int, int], say.AnyAction] = {}  # the first of each race and n
        self._late = 0  # actions of an earlier race that were not heard while it ran

    # Coming and going.

    async def next_guest(self, patience: float, wanted: str) -> Guest:
        """Wait for the next connection. Raises UnmetError."""
        try:
            async with asyncio.timeout(patience):
                return self.talk_to(await self.arrivals.get())
        except TimeoutError:
            raise UnmetError(wanted, f"nothing within {patience:g} seconds") from None

    def talk_to(self, guest: Guest) -> Guest:
        """Go on with a new connection."""
        self.guest = guest
        self._codec = CODECS.get(guest.subprotocol or "", JSON_CODEC)
        self._loose.clear()
        self.said.append(f"client connects, with {guest.subprotocol or 'no subprotocol'}")
        return guest

    async def leave(self) -> None:
        """Hang up."""
        if self.guest is not None:
            await self.guest.close()

    def cut(self) -> None:
        """Break the connection without a word."""
        if self.guest is not None:
            self.said.append("the connection is cut")
            self.guest.cut()

    async def close(self, code: int, reason: str = "") -> None:
        """Close the connection with a code."""
        if self.guest is not None:
            self.said.append(f"client < close {code} {reason}".rstrip())
            await self.guest.close(code, reason)

    # Talking.

    async def tell(self, *messages: msg.FromServer) -> None:
        """Send messages, each with a field that nobody knows."""
        for message in messages:
            self.sent_seq = max(self.sent_seq, getattr(message, "seq", 0))
            await self.tell_raw(msgspec.to_builtins(message))

    async def tell_raw(self, message: dict[str, Any]) -> None:
        """Send a message that may be none of ours."""
        message = message | NOVELTY
        self.said.append(f"client < {shorten(json.dumps(message, ensure_ascii=False))}")
        data = msgspec.msgpack.encode(message) if self._codec.binary else json.dumps(message)
        if self.guest is not None:
            await self.guest.send(data)

    async def hear(self, wanted: str) -> say.FromClient:
        """Return what the client says next. Raises UnmetError if it is nothing, or no message."""
        if self.guest is None:
            raise UnmetError(wanted, "nobody is connected")
        try:
            async with asyncio.timeout(self.patience):
                data = await self.guest.receive()
        except TimeoutError:
            raise UnmetError(wanted, f"nothing within {self.patience:g} seconds") from None
        except HungUpError as gone:
            self.said.append(f"client hangs up: {gone}")
            raise UnmetError(wanted, f"the client hung up: {gone}") from None
        shown = data if isinstance(data, str) else json.dumps(_unpacked(data), ensure_ascii=False)
        self.said.append(f"client > {shorten(shown)}")
        if isinstance(data, str) is self._codec.binary:
            raise UnmetError(f"{'binary' if self._codec.binary else 'text'} frames", shorten(shown))
        try:
            return self._codec.from_client(data)
        except BadInputError as fault:
            raise UnmetError("a message by its table", f"{fault.text}: {shorten(shown)}") from None

    async def next_request(self, wanted: str, *kinds: type) -> say.FromClient:
        """Answer everything until a request of one of these kinds comes, and return that unanswered."""
        while True:
            message = await self.hear(wanted)
            if isinstance(message, kinds):
                return message
            if isinstance(message, say.AnyAction):
                await self.tell(self.pretence.refusal(message, RefusalCode.NOT_RACING))
            else:
                await self.tell(*self.pretence.answer(message))

    async def next_action(self, wanted: str) -> say.AnyAction:
        """Answer everything until an action comes that the rules allow; return it, not carried out."""
        while not await self.is_allowed(action := await self.any_action(wanted), wanted):
            pass
        return action

    async def any_action(self, wanted: str) -> say.AnyAction:
        """Answer everything until an action comes, whatever it is worth."""
        while not isinstance(message := await self.hear(wanted), say.AnyAction):
            await self.tell(*self.pretence.answer(message))
        return message

    async def is_allowed(self, action: say.AnyAction, wanted: str) -> bool:
        """Return whether an action is the next, and allowed; answer it if it is not.

        Raises UnmetError if it has a wrong race or number. What was sent before the client could know of a
        refusal may be numbered too high; it is refused as it would be by a server. So is an action of an
        earlier race that was not carried out, as long as it is the one that had this number then.
        """
        pretence = self.pretence
        expected = pretence.n + 1
        known = pretence.carried_out.get((action.race, action.n))
        heard = self._heard.setdefault((action.race, action.n), action)
        if (action.race, action.n) == (pretence.race, expected):
            self._heard[action.race, action.n] = action  # after a refusal it may be another
            self._loose.clear()
            refusal = pretence.would_refuse(action)
            if refusal is not None:
                await self.refuse(action, refusal)
            return refusal is None
        if known is not None and known[0] == action:
            await self.tell(known[1])
        elif self._is_late(action, heard):
            await self.tell(pretence.refusal(action, RefusalCode.WRONG_RACE))
        elif action.race == pretence.race and expected in self._loose and action.n > expected:
            await self.tell(pretence.refusal(action, RefusalCode.WRONG_NUMBER))
        else:
            raise UnmetError(f"{wanted}, of race {pretence.race} and with number {expected}", str(action))
        return False

    def _is_late(self, action: say.AnyAction, heard: say.AnyAction) -> bool:
        """Return whether an action of an earlier race may come now."""
        if action.race >= self.pretence.race or heard != action:
            return False
        self._late += heard is action
        return self._late <= LATE_ACTIONS

    async def refuse(self, action: say.AnyAction, code: RefusalCode | Refusal) -> None:
        """Refuse an action."""
        await self.tell_refusal(self.pretence.refusal(action, code))

    async def tell_refusal(self, refused: msg.Refused) -> None:
        """Refuse; what follows already may be numbered too high until the number comes again."""
        self._loose.add(refused.n)
        await self.tell(refused)

    async def accept(self, action: say.AnyAction) -> msg.Accepted:
        """Carry an action out, and answer it."""
        accepted = self.carry_out(action)
        await self.tell(accepted)
        return accepted

    def carry_out(self, action: say.AnyAction) -> msg.Accepted:
        """Carry out an action that `next_action` has returned, and tell nobody."""
        accepted = self.pretence.carry_out(action)
        if isinstance(accepted, Refusal):
            raise TypeError(f"{action} was allowed before")
        return accepted

    async def silence(self, seconds: float) -> Guest | None:
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
