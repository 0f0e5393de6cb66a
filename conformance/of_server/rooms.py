"""A chapter about rooms: people, rights, settings."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from conformance.chapter import Step
from conformance.errors import UnmetError
from conformance.of_server.visitor import Message, Stage, Visitor, require, same
from protocol.errors import ErrorCode
from protocol.limits import CHAT_LENGTH, LEADERBOARD_SUBSCRIPTIONS
from protocol.parts import Settings
from protocol.version import MSGPACK

ALPHABET: Final = frozenset("BCDFGHJKMNPQRTVWXY")
CODE: Final = "SS1-S1-AAAAABD"


class Rooms:
    """Ann opens a room; Bo and Cy come and go."""

    ann: Visitor
    bo: Visitor
    cy: Visitor
    room: Message

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def steps(self) -> Sequence[Step]:
        """Return what to check."""
        room, says, codes = "Life of a room", "Messages, answers and numbers", "Names and codes"
        return (
            Step(
                "`create` is answered by the whole room, all settings at their defaults",
                says,
                self._create,
                True,
            ),
            Step("settings out of range and wrong codes are errors", says, self._bad_settings),
            Step("requests of a room need a room", says, self._outside),
            Step("a wrong code of a room is `no_such_room`", says, self._no_such_room),
            Step(
                "the code of a room may be typed in any case; the others hear of it", codes, self._join, True
            ),
            Step("equal names are told apart", codes, self._equal_names, True),
            Step("one connection is in one room", "Life of a connection", self._one_room),
            Step("what only the host may do is `not_host` for others", says, self._rights),
            Step("settings are replaced as a whole, and everybody is told", says, self._configure),
            Step("a named code brings its suits and stays sealed", codes, self._named_code),
            Step("a line of chat comes to everybody, the speaker included", says, self._chat),
            Step("`ready` and its end come to everybody", says, self._ready),
            Step("a locked room takes nobody new", room, self._lock),
            Step("newcomers need the password and a seat", says, self._small_room),
            Step("who was kicked is out, and cannot come back", room, self._kick),
            Step("the owner is host again after coming back", room, self._host),
            Step("who leaves hears of it, and is in no room", says, self._leave),
            Step("one connection follows 20 leaderboards and no more", "Limits", self._followed),
        )

    async def _create(self) -> None:
        self.ann = await Visitor.greeted(self.stage, "Ann")
        self.room = await self.ann.ask("create", "room")
        person = {
            "player": self.ann.player,
            "name": "Ann",
            "ready": False,
            "spectator": False,
            "connected": True,
        }
        me, code = self.ann.player, self.room["room"]
        require(self.room, "Ann's own room", you=me, host=me, owner=me, phase="lobby", races=0, locked=False)
        same(self.room["members"], [person], "the people")
        same(self.room["settings"], msgspec.to_builtins(Settings()), "the settings")
        if len(code) != 5 or set(code) - ALPHABET:
            raise UnmetError(f"five letters of {''.join(sorted(ALPHABET))}", code)

    async def _bad_settings(self) -> None:
        eve = await Visitor.greeted(self.stage, "Eve")
        await eve.fails(ErrorCode.BAD_SETTINGS, "create", settings={"suits": 3})
        await eve.is_bad("create", settings={"countdown_s": 61})
        await eve.is_bad("create", settings={"ranking": "luck"})
        for code in ("SS1-S3-AAAAAAA", "SS1-S1-AAAAAA", "SS2-S1-AAAAAAA", "SS1-S1-AAAAAA1", ""):
            await eve.fails(ErrorCode.BAD_CODE, "create", code=code)

    async def _outside(self) -> None:
        eve = await Visitor.greeted(self.stage, "Eve")
        for type_ in ("leave", "ready", "start_countdown", "cancel_countdown", "get_game"):
            await eve.fails(ErrorCode.NOT_IN_ROOM, type_)
        refused = await eve.act(1, 1, "undo")
        require(refused, "`not_racing`", type="refused", code="not_racing", expected=0)

    async def _no_such_room(self) -> None:
        eve = await Visitor.greeted(self.stage, "Eve")
        for code in ("AAAAA", "room", "BBBBBB"):
            await eve.fails(ErrorCode.NO_SUCH_ROOM, "join", room=code)

    async def _join(self) -> None:
        self.bo = await Visitor.greeted(self.stage, "Bo", MSGPACK)
        room = await self.bo.ask("join", "room", room=self.room["room"].lower())
        same([each["name"] for each in room["members"]], ["Ann", "Bo"], "the people, in order")
        joined = await self.ann.hear("member_joined")
        same(joined["member"], room["members"][1], "who joined")
        same(joined["seq"], room["seq"], "the seq of that event")

    async def _equal_names(self) -> None:
        self.cy = await Visitor.arrive(self.stage, "Cy")
        await self.cy.hello(name="ann")
        room = await self.cy.ask("join", "room", room=self.room["room"])
        name = room["members"][2]["name"]
        if name.casefold() == "ann" or not name.startswith("ann"):
            raise UnmetError("a name like `ann 2`", name)
        require(
            await self.ann.hear("member_joined"), "the same name for the others", member=room["members"][2]
        )

    async def _one_room(self) -> None:
        await self.bo.fails(ErrorCode.ALREADY_IN_ROOM, "create")
        await self.bo.fails(ErrorCode.ALREADY_IN_ROOM, "join", room="AAAAA")
        await self.bo.ask("join", "room", room=self.room["room"])

    async def _rights(self) -> None:
        fields: dict[str, Message] = {
            "start_countdown": {},
            "cancel_countdown": {},
            "lock": {},
            "configure": {"settings": {}},
            "kick": {"player": self.cy.player},
        }
        for type_, more in fields.items():
            await self.bo.fails(ErrorCode.NOT_HOST, type_, **more)
        await self.ann.fails(ErrorCode.CANNOT_TARGET_SELF, "kick", player=self.ann.player)
        await self.ann.fails(ErrorCode.NO_SUCH_MEMBER, "kick", player="nobody")
        await self.ann.fails(ErrorCode.NOBODY_READY, "start_countdown")
        await self.ann.fails(ErrorCode.NO_COUNTDOWN, "cancel_countdown")

    async def _configure(self) -> None:
        await self._settings(ranking="score", time_limit_s=60)
        await self._settings(countdown_s=1)
        await self.ann.fails(ErrorCode.BAD_SETTINGS, "configure", settings={"suits": 3})
        await self.ann.fails(ErrorCode.BAD_CODE, "configure", settings={}, code="SS1-S1-AAAAAA")

    async def _settings(self, **chosen: Any) -> None:
        await self.ann.ask("configure", settings=chosen)
        settings = msgspec.to_builtins(Settings()) | chosen
        for each in (self.ann, self.bo):
            require(await each.hear("configured"), "the new settings", settings=settings, named_code=False)

    async def _named_code(self) -> None:
        await self.ann.ask("configure", settings={"suits": 1}, code=" ss1-s2-abcdefg ")
        told = await self.bo.hear("configured")
        require(
            told, "two suits, and a named code", named_code=True, settings=told["settings"] | {"suits": 2}
        )
        if "ABCDEFG" in str(told).upper():
            raise UnmetError("an event that does not tell the code", str(told))

    async def _chat(self) -> None:
        await self.bo.ask("chat", text="Good luck! 加油 🍀")
        for each in (self.ann, self.bo):
            require(
                await each.hear("chat_message"), "the line", player=self.bo.player, text="Good luck! 加油 🍀"
            )
        await self.bo.is_bad("chat", text="x" * (CHAT_LENGTH + 1))

    async def _ready(self) -> None:
        for ready in (True, False):
            await self.bo.ask("ready", ready=ready)
            for each in (self.ann, self.bo):
                require(await each.hear("ready_changed"), "Bo's", player=self.bo.player, ready=ready)

    async def _lock(self) -> None:
        eve = await Visitor.greeted(self.stage, "Eve")
        await self.ann.ask("lock")
        require(await self.bo.hear("lock_changed"), "a locked room", locked=True)
        await eve.fails(ErrorCode.ROOM_LOCKED, "join", room=self.room["room"])
        await (await self.bo.again()).ask("join", "room", room=self.room["room"])
        await self.ann.ask("lock", locked=False)
        await eve.ask("join", "room", room=self.room["room"], spectate=True)
        await eve.ask("leave")
        self.bo = await self.bo.again()
        await self.bo.ask("join", "room", room=self.room["room"])

    async def _small_room(self) -> None:
        dan, eve, fay = [await Visitor.greeted(self.stage, name) for name in ("Dan", "Eve", "Fay")]
        word = {"password": "sesame"}
        room = await dan.ask("create", "room", settings={"max_members": 2}, **word)
        require(room, "a room with a password", has_password=True)
        for wrong in ({}, {"password": "Sesame"}):
            await eve.fails(ErrorCode.WRONG_PASSWORD, "join", room=room["room"], **wrong)
        await eve.ask("join", "room", room=room["room"], **word)
        await fay.fails(ErrorCode.ROOM_FULL, "join", room=room["room"], **word)
        await (await eve.again()).ask("join", "room", room=room["room"])

    async def _kick(self) -> None:
        await self.ann.ask("kick", player=self.cy.player)
        for each in (self.bo, self.cy):
            left = await each.hear("member_left", player=self.cy.player)
            require(left, "that Cy was kicked", reason="kicked")
        await self.cy.fails(ErrorCode.KICKED, "join", room=self.room["room"])

    async def _host(self) -> None:
        await self.ann.ask("leave")
        require(await self.bo.hear("host_changed"), "that Bo is host", player=self.bo.player)
        await self.ann.ask("join", "room", room=self.room["room"])
        require(await self.bo.hear("host_changed"), "that Ann is host", player=self.ann.player)

    async def _leave(self) -> None:
        await self.bo.ask("leave")
        for each in (self.ann, self.bo):
            left = await each.hear("member_left", player=self.bo.player)
            require(left, "that Bo left", reason="left")
        await self.bo.fails(ErrorCode.NOT_IN_ROOM, "leave")

    async def _followed(self) -> None:
        codes = [
            f"SS1-S1-AAAAA{chr(65 + at // 26)}{chr(65 + at % 26)}"
            for at in range(LEADERBOARD_SUBSCRIPTIONS + 1)
        ]
        for code in codes[:LEADERBOARD_SUBSCRIPTIONS]:
            require(await self.bo.ask("subscribe_leaderboard", "leaderboard", code=code), code, code=code)
        await self.bo.fails(ErrorCode.TOO_MANY_SUBSCRIPTIONS, "subscribe_leaderboard", code=codes[-1])
        await self.bo.ask("unsubscribe_leaderboard", code=codes[0])
        await self.bo.ask("subscribe_leaderboard", "leaderboard", code=codes[-1])
        await self.bo.fails(ErrorCode.BAD_CODE, "subscribe_leaderboard", code="x")
