"""Checks of lost connections and returns."""

from collections.abc import Sequence
from typing import Final

from conformance.checks import Check
from conformance.of_server.racer import Racer
from conformance.of_server.scripted_client import (
    Message,
    ScriptedClient,
    ServerUnderTest,
    require,
    require_equal,
)
from protocol.close_codes import CloseCode
from protocol.version import MSGPACK

CODE: Final = "SS1-S4-AAAAABD"


class Resuming:
    """Ann and Bo race on a deal that Ann named. Bo loses the connection several times."""

    ann: ScriptedClient
    bo: ScriptedClient
    b: Racer

    def __init__(self, server: ServerUnderTest) -> None:
        self.server = server
        self.room = ""
        self.seen = 0

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        resuming, numbers = "Resuming", "Ordering, acknowledgement, repetition"
        return (
            Check("a named code is the deal of the race", "Life of a room", self._start, True),
            Check("the others receive a lost connection, and the seat is kept", resuming, self._away, True),
            Check("with `seen`, every missed event comes once and in order", resuming, self._missed),
            Check(
                "an action without an answer is carried out once, however often it is sent",
                numbers,
                self._unanswered,
                True,
            ),
            Check("an earlier answer is the same on another connection", numbers, self._repeated),
            Check("without `seen`, a snapshot comes with the client's game", resuming, self._snapshot),
            Check("with an impossible `seen`, a snapshot comes", resuming, self._wrong_seen),
            Check(
                "the newest connection wins; the older one gets a notice and close code 4002",
                resuming,
                self._replaced,
            ),
            Check(
                "joining the same room again returns a new snapshot",
                "Messages, answers and numbers",
                self._again,
            ),
        )

    async def _start(self) -> None:
        self.ann = await ScriptedClient.identified(self.server, "Ann")
        self.bo = await ScriptedClient.identified(self.server, "Bo", MSGPACK)
        room = await self.ann.request("create", "room", settings={"countdown_s": 0}, code=CODE.lower())
        require(room, "a room with a named code", named_code=True)
        self.room = room["room"]
        await self.bo.request("join", "room", room=self.room)
        await self.ann.request("ready")
        await self.bo.request("ready")
        await self.ann.request("start_countdown")
        for each in (self.ann, self.bo):
            require(await each.expect("race_started"), "the named deal", code=CODE)
        self.b = Racer(self.bo, CODE)
        await self._moves()

    async def _moves(self) -> Message:
        """Make any legal move."""
        return await self.b.act("move", **self.b.legal_move())

    async def _away(self) -> None:
        self.seen = self.bo.seen
        self.bo.connection.cut()
        require(await self.ann.expect("member_disconnected"), "that Bo is away", player=self.bo.player)

    async def _back(self, wanted: str, **how: int) -> Message:
        """Return on a new connection."""
        self.bo = self.b.client = await self.bo.reconnect()
        return await self.bo.request("join", wanted, room=self.room, **how)

    async def _missed(self) -> None:
        for line in ("one", "two", "three"):
            await self.ann.request("chat", text=line)
        resumed = await self._back("resumed", seen=self.seen)
        require_equal(resumed.get("game"), self.b.view(), "Bo's game")
        await self.bo.catch_up()
        await self.ann.catch_up()
        events = [
            [each for each in who.received if each.get("seq", 0) > self.seen] for who in (self.bo, self.ann)
        ]
        missed = [each for each in events[0] if each["type"] != "resumed"]
        require_equal(missed, events[1], "the events after `seen`, as Ann saw them")
        require_equal(
            [each["text"] for each in missed if each["type"] == "chat_message"],
            ["one", "two", "three"],
            "lines",
        )
        require_equal(missed[-1]["type"], "member_reconnected", "the last event")

    async def _unanswered(self) -> None:
        n = self.b.n + 1
        action = {"type": "move", "race": 1, "n": n, **self.b.legal_move()}
        wanted = self.b.decide("move", **self.b.legal_move())
        seen = self.bo.seen
        await self.bo.send(action)
        self.bo.connection.cut()
        await self._back("resumed", seen=seen)
        for _ in range(2):
            await self.bo.send(action)
        first, second = await self.bo.answer(1, n), await self.bo.answer(1, n)
        self.b.compare(first, wanted)
        require_equal(second, first, "the second answer")
        self.last = first
        require_equal((await self.bo.request("get_game", "game"))["game"], self.b.view(), "the game")

    async def _repeated(self) -> None:
        await self._back("resumed", seen=self.bo.seen)
        move = {name: self.last[name] for name in ("from", "to", "cards")}
        require_equal(await self.bo.act(1, self.last["n"], "move", **move), self.last, "the answer of before")

    async def _snapshot(self) -> None:
        await self._moves()
        room = await self._back("room")
        require(room, "a room in a race", phase="racing", game=self.b.view(), you=self.bo.player)
        require_equal(room["current_race"]["code"], CODE, "the code of the race")

    async def _wrong_seen(self) -> None:
        require(await self._back("room", seen=1_000_000), "the whole room", game=self.b.view())

    async def _replaced(self) -> None:
        old = self.bo
        await self._back("resumed", seen=old.seen)
        require(await old.expect("notice"), "the notice `replaced`", code="replaced")
        await old.expect_close(CloseCode.REPLACED)
        await self._moves()

    async def _again(self) -> None:
        room = await self.bo.request("join", "room", room=self.room)
        require(room, "the whole room", game=self.b.view(), phase="racing")
