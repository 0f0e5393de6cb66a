"""A chapter about lost connections and what brings one back."""

from collections.abc import Sequence
from typing import Final

from conformance.chapter import Step
from conformance.of_server.racer import Racer
from conformance.of_server.visitor import Message, Stage, Visitor, require, same
from protocol.close_codes import CloseCode
from protocol.version import MSGPACK

CODE: Final = "SS1-S4-AAAAABD"


class Resuming:
    """Ann and Bo race on a deal that Ann has named; Bo loses the connection again and again."""

    ann: Visitor
    bo: Visitor
    b: Racer

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.room = ""
        self.seen = 0

    def steps(self) -> Sequence[Step]:
        """Return what to check."""
        resuming, numbers = "Resuming", "Ordering, acknowledgement, repetition"
        return (
            Step("a named code is the deal of the race", "Life of a room", self._start, True),
            Step("a lost connection is told to the others, and the seat is kept", resuming, self._away, True),
            Step("`seen` brings all that was missed, in order, and nothing twice", resuming, self._missed),
            Step(
                "an action without an answer is done once, however often it is sent",
                numbers,
                self._unanswered,
                True,
            ),
            Step("an answer of before is the same on another connection", numbers, self._repeated),
            Step("without `seen` the whole room comes, and one's own game", resuming, self._snapshot),
            Step("with a `seen` that cannot be the whole room comes", resuming, self._wrong_seen),
            Step(
                "the newest connection wins, the older is told and ends with 4002", resuming, self._replaced
            ),
            Step(
                "joining again in the same room brings a fresh snapshot",
                "Messages, answers and numbers",
                self._again,
            ),
        )

    async def _start(self) -> None:
        self.ann = await Visitor.greeted(self.stage, "Ann")
        self.bo = await Visitor.greeted(self.stage, "Bo", MSGPACK)
        room = await self.ann.ask("create", "room", settings={"countdown_s": 0}, code=CODE.lower())
        require(room, "a room with a named code", named_code=True)
        self.room = room["room"]
        await self.bo.ask("join", "room", room=self.room)
        await self.ann.ask("ready")
        await self.bo.ask("ready")
        await self.ann.ask("start_countdown")
        for each in (self.ann, self.bo):
            require(await each.hear("race_started"), "the named deal", code=CODE)
        self.b = Racer(self.bo, CODE)
        await self._moves()

    async def _moves(self) -> Message:
        """Make any legal move."""
        return await self.b.does("move", **self.b.legal())

    async def _away(self) -> None:
        self.seen = self.bo.seen
        self.bo.caller.cut()
        require(await self.ann.hear("member_disconnected"), "that Bo is away", player=self.bo.player)

    async def _back(self, wanted: str, **how: int) -> Message:
        """Come back, and go on with the new connection."""
        self.bo = self.b.visitor = await self.bo.again()
        return await self.bo.ask("join", wanted, room=self.room, **how)

    async def _missed(self) -> None:
        for line in ("one", "two", "three"):
            await self.ann.ask("chat", text=line)
        resumed = await self._back("resumed", seen=self.seen)
        same(resumed.get("game"), self.b.view(), "Bo's game")
        await self.bo.quiet()
        await self.ann.quiet()
        events = [
            [each for each in who.told if each.get("seq", 0) > self.seen] for who in (self.bo, self.ann)
        ]
        missed = [each for each in events[0] if each["type"] != "resumed"]
        same(missed, events[1], "the events after `seen`, as Ann saw them")
        same(
            [each["text"] for each in missed if each["type"] == "chat_message"],
            ["one", "two", "three"],
            "lines",
        )
        same(missed[-1]["type"], "member_reconnected", "the last event")

    async def _unanswered(self) -> None:
        n = self.b.n + 1
        action = {"type": "move", "race": 1, "n": n, **self.b.legal()}
        wanted = self.b.decide("move", **self.b.legal())
        seen = self.bo.seen
        await self.bo.send(action)
        self.bo.caller.cut()
        await self._back("resumed", seen=seen)
        for _ in range(2):
            await self.bo.send(action)
        first, second = await self.bo.answer(1, n), await self.bo.answer(1, n)
        self.b.compare(first, wanted)
        same(second, first, "the second answer")
        self.last = first
        same((await self.bo.ask("get_game", "game"))["game"], self.b.view(), "the game")

    async def _repeated(self) -> None:
        await self._back("resumed", seen=self.bo.seen)
        move = {name: self.last[name] for name in ("from", "to", "cards")}
        same(await self.bo.act(1, self.last["n"], "move", **move), self.last, "the answer of before")

    async def _snapshot(self) -> None:
        await self._moves()
        room = await self._back("room")
        require(room, "a room in a race", phase="racing", game=self.b.view(), you=self.bo.player)
        same(room["current_race"]["code"], CODE, "the code of the race")

    async def _wrong_seen(self) -> None:
        require(await self._back("room", seen=1_000_000), "the whole room", game=self.b.view())

    async def _replaced(self) -> None:
        old = self.bo
        await self._back("resumed", seen=old.seen)
        require(await old.hear("notice"), "the notice `replaced`", code="replaced")
        await old.closed(CloseCode.REPLACED)
        await self._moves()

    async def _again(self) -> None:
        room = await self.bo.ask("join", "room", room=self.room)
        require(room, "the whole room", game=self.b.view(), phase="racing")
