"""Checks of rooms: members, rights, settings."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from conformance.checks import Check
from conformance.errors import CheckFailedError
from conformance.of_server.scripted_client import (
    Message,
    ScriptedClient,
    ServerUnderTest,
    require,
    require_equal,
)
from protocol.errors import ErrorCode
from protocol.limits import CHAT_LENGTH, LEADERBOARD_SUBSCRIPTIONS
from protocol.parts import Settings
from protocol.version import MSGPACK

ALPHABET: Final = frozenset("BCDFGHJKMNPQRTVWXY")
CODE: Final = "SS1-S1-AAAAABD"


class Rooms:
    """Ann creates a room; Bo and Cy enter and leave."""

    ann: ScriptedClient
    bo: ScriptedClient
    cy: ScriptedClient
    room: Message

    def __init__(self, server: ServerUnderTest) -> None:
        self.server = server

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        room, messages, codes = "Life of a room", "Messages, answers and numbers", "Names and codes"
        return (
            Check(
                "`create` returns a snapshot with default settings",
                messages,
                self._create,
                True,
            ),
            Check("settings out of range and invalid codes get errors", messages, self._bad_settings),
            Check("requests of a room need a room", messages, self._outside),
            Check("an unknown room code gets `no_such_room`", messages, self._no_such_room),
            Check(
                "a room code is accepted in any case, and the others receive the new member",
                codes,
                self._join,
                True,
            ),
            Check("equal names get a suffix", codes, self._equal_names, True),
            Check("one connection is in one room", "Life of a connection", self._one_room),
            Check("requests of the host get `not_host` from others", messages, self._rights),
            Check(
                "settings are replaced as a whole, and every member receives them", messages, self._configure
            ),
            Check("a named code sets its suits and stays sealed", codes, self._named_code),
            Check("every member receives a line of chat, the sender included", messages, self._chat),
            Check("every member receives `ready_changed`", messages, self._ready),
            Check("a locked room refuses new members", room, self._lock),
            Check("newcomers need the password and a seat", messages, self._small_room),
            Check("a kicked member is removed and cannot return", room, self._kick),
            Check("the owner is host again after a return", room, self._host),
            Check("a member who leaves receives it and is in no room", messages, self._leave),
            Check("a connection can subscribe to 20 leaderboards", "Limits", self._followed),
        )

    async def _create(self) -> None:
        self.ann = await ScriptedClient.identified(self.server, "Ann")
        self.room = await self.ann.request("create", "room")
        person = {
            "player": self.ann.player,
            "name": "Ann",
            "ready": False,
            "spectator": False,
            "connected": True,
        }
        me, code = self.ann.player, self.room["room"]
        require(self.room, "Ann's own room", you=me, host=me, owner=me, phase="lobby", races=0, locked=False)
        require_equal(self.room["members"], [person], "the people")
        require_equal(self.room["settings"], msgspec.to_builtins(Settings()), "the settings")
        if len(code) != 5 or set(code) - ALPHABET:
            raise CheckFailedError(f"five letters of {''.join(sorted(ALPHABET))}", code)

    async def _bad_settings(self) -> None:
        eve = await ScriptedClient.identified(self.server, "Eve")
        await eve.expect_error(ErrorCode.BAD_SETTINGS, "create", settings={"suits": 3})
        await eve.expect_bad_message("create", settings={"countdown_s": 61})
        await eve.expect_bad_message("create", settings={"ranking": "luck"})
        for code in ("SS1-S3-AAAAAAA", "SS1-S1-AAAAAA", "SS2-S1-AAAAAAA", "SS1-S1-AAAAAA1", ""):
            await eve.expect_error(ErrorCode.BAD_CODE, "create", code=code)

    async def _outside(self) -> None:
        eve = await ScriptedClient.identified(self.server, "Eve")
        for type_ in ("leave", "ready", "start_countdown", "cancel_countdown", "get_game"):
            await eve.expect_error(ErrorCode.NOT_IN_ROOM, type_)
        refused = await eve.act(1, 1, "undo")
        require(refused, "`not_racing`", type="refused", code="not_racing", expected=0)

    async def _no_such_room(self) -> None:
        eve = await ScriptedClient.identified(self.server, "Eve")
        for code in ("AAAAA", "room", "BBBBBB"):
            await eve.expect_error(ErrorCode.NO_SUCH_ROOM, "join", room=code)

    async def _join(self) -> None:
        self.bo = await ScriptedClient.identified(self.server, "Bo", MSGPACK)
        room = await self.bo.request("join", "room", room=self.room["room"].lower())
        require_equal([each["name"] for each in room["members"]], ["Ann", "Bo"], "the people, in order")
        joined = await self.ann.expect("member_joined")
        require_equal(joined["member"], room["members"][1], "who joined")
        require_equal(joined["seq"], room["seq"], "the seq of that event")

    async def _equal_names(self) -> None:
        self.cy = await ScriptedClient.connect(self.server, "Cy")
        await self.cy.hello(name="ann")
        room = await self.cy.request("join", "room", room=self.room["room"])
        name = room["members"][2]["name"]
        if name.casefold() == "ann" or not name.startswith("ann"):
            raise CheckFailedError("a name like `ann 2`", name)
        require(
            await self.ann.expect("member_joined"), "the same name for the others", member=room["members"][2]
        )

    async def _one_room(self) -> None:
        await self.bo.expect_error(ErrorCode.ALREADY_IN_ROOM, "create")
        await self.bo.expect_error(ErrorCode.ALREADY_IN_ROOM, "join", room="AAAAA")
        await self.bo.request("join", "room", room=self.room["room"])

    async def _rights(self) -> None:
        fields: dict[str, Message] = {
            "start_countdown": {},
            "cancel_countdown": {},
            "lock": {},
            "configure": {"settings": {}},
            "kick": {"player": self.cy.player},
        }
        for type_, more in fields.items():
            await self.bo.expect_error(ErrorCode.NOT_HOST, type_, **more)
        await self.ann.expect_error(ErrorCode.CANNOT_TARGET_SELF, "kick", player=self.ann.player)
        await self.ann.expect_error(ErrorCode.NO_SUCH_MEMBER, "kick", player="nobody")
        await self.ann.expect_error(ErrorCode.NOBODY_READY, "start_countdown")
        await self.ann.expect_error(ErrorCode.NO_COUNTDOWN, "cancel_countdown")

    async def _configure(self) -> None:
        await self._settings(ranking="score", time_limit_s=60)
        await self._settings(countdown_s=1)
        await self.ann.expect_error(ErrorCode.BAD_SETTINGS, "configure", settings={"suits": 3})
        await self.ann.expect_error(ErrorCode.BAD_CODE, "configure", settings={}, code="SS1-S1-AAAAAA")

    async def _settings(self, **chosen: Any) -> None:
        await self.ann.request("configure", settings=chosen)
        settings = msgspec.to_builtins(Settings()) | chosen
        for each in (self.ann, self.bo):
            require(await each.expect("configured"), "the new settings", settings=settings, named_code=False)

    async def _named_code(self) -> None:
        await self.ann.request("configure", settings={"suits": 1}, code=" ss1-s2-abcdefg ")
        received = await self.bo.expect("configured")
        require(
            received,
            "two suits, and a named code",
            named_code=True,
            settings=received["settings"] | {"suits": 2},
        )
        if "ABCDEFG" in str(received).upper():
            raise CheckFailedError("an event without the code", str(received))

    async def _chat(self) -> None:
        await self.bo.request("chat", text="Good luck! 加油 🍀")
        for each in (self.ann, self.bo):
            require(
                await each.expect("chat_message"),
                "the line",
                player=self.bo.player,
                text="Good luck! 加油 🍀",
            )
        await self.bo.expect_bad_message("chat", text="x" * (CHAT_LENGTH + 1))

    async def _ready(self) -> None:
        for ready in (True, False):
            await self.bo.request("ready", ready=ready)
            for each in (self.ann, self.bo):
                require(await each.expect("ready_changed"), "Bo's", player=self.bo.player, ready=ready)

    async def _lock(self) -> None:
        eve = await ScriptedClient.identified(self.server, "Eve")
        await self.ann.request("lock")
        require(await self.bo.expect("lock_changed"), "a locked room", locked=True)
        await eve.expect_error(ErrorCode.ROOM_LOCKED, "join", room=self.room["room"])
        await (await self.bo.reconnect()).request("join", "room", room=self.room["room"])
        await self.ann.request("lock", locked=False)
        await eve.request("join", "room", room=self.room["room"], spectate=True)
        await eve.request("leave")
        self.bo = await self.bo.reconnect()
        await self.bo.request("join", "room", room=self.room["room"])

    async def _small_room(self) -> None:
        dan, eve, fay = [await ScriptedClient.identified(self.server, name) for name in ("Dan", "Eve", "Fay")]
        word = {"password": "sesame"}
        room = await dan.request("create", "room", settings={"max_members": 2}, **word)
        require(room, "a room with a password", has_password=True)
        for wrong in ({}, {"password": "Sesame"}):
            await eve.expect_error(ErrorCode.WRONG_PASSWORD, "join", room=room["room"], **wrong)
        await eve.request("join", "room", room=room["room"], **word)
        await fay.expect_error(ErrorCode.ROOM_FULL, "join", room=room["room"], **word)
        await (await eve.reconnect()).request("join", "room", room=room["room"])

    async def _kick(self) -> None:
        await self.ann.request("kick", player=self.cy.player)
        for each in (self.bo, self.cy):
            left = await each.expect("member_left", player=self.cy.player)
            require(left, "that Cy was kicked", reason="kicked")
        await self.cy.expect_error(ErrorCode.KICKED, "join", room=self.room["room"])

    async def _host(self) -> None:
        await self.ann.request("leave")
        require(await self.bo.expect("host_changed"), "that Bo is host", player=self.bo.player)
        await self.ann.request("join", "room", room=self.room["room"])
        require(await self.bo.expect("host_changed"), "that Ann is host", player=self.ann.player)

    async def _leave(self) -> None:
        await self.bo.request("leave")
        for each in (self.ann, self.bo):
            left = await each.expect("member_left", player=self.bo.player)
            require(left, "that Bo left", reason="left")
        await self.bo.expect_error(ErrorCode.NOT_IN_ROOM, "leave")

    async def _followed(self) -> None:
        codes = [
            f"SS1-S1-AAAAA{chr(65 + at // 26)}{chr(65 + at % 26)}"
            for at in range(LEADERBOARD_SUBSCRIPTIONS + 1)
        ]
        for code in codes[:LEADERBOARD_SUBSCRIPTIONS]:
            require(await self.bo.request("subscribe_leaderboard", "leaderboard", code=code), code, code=code)
        await self.bo.expect_error(ErrorCode.TOO_MANY_SUBSCRIPTIONS, "subscribe_leaderboard", code=codes[-1])
        await self.bo.request("unsubscribe_leaderboard", code=codes[0])
        await self.bo.request("subscribe_leaderboard", "leaderboard", code=codes[-1])
        await self.bo.expect_error(ErrorCode.BAD_CODE, "subscribe_leaderboard", code="x")
