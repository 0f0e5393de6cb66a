"""Checks of the race that an action names: earlier, running or later."""

from collections.abc import Sequence
from typing import Final

from conformance.checks import Check
from conformance.of_server.racer import Racer, fields
from conformance.of_server.scripted_client import (
    TIMEOUT_S,
    Message,
    ScriptedClient,
    ServerUnderTest,
    require,
    require_equal,
)
from protocol.version import MSGPACK

CODE: Final = "SS1-S1-AAAAABD"
TIME_LIMIT_S: Final = 5
"""Seconds after which the first race ends."""


class RaceNumbers:
    """Ann and Bo race on one deal twice; the first race ends by its time limit."""

    ann: ScriptedClient
    bo: ScriptedClient
    a: Racer
    accepted: Message
    move: dict[str, int]

    def __init__(self, server: ServerUnderTest) -> None:
        self.server = server
        self.room = ""

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        numbers = "Ordering, acknowledgement, repetition"
        return (
            Check("`accepted` and `refused` have the race of their action", numbers, self._first_race, True),
            Check(
                "an action of a later race gets `wrong_race` and changes nothing",
                numbers,
                self._race_to_come,
            ),
            Check("in the next race actions are numbered from 1 again", numbers, self._second_race, True),
            Check(
                "an action that was accepted in an earlier race gets the same answer again",
                numbers,
                self._accepted_earlier,
            ),
            Check(
                "another action of an earlier race gets `wrong_race` and changes nothing",
                numbers,
                self._not_accepted_earlier,
            ),
            Check(
                "errors and refusals of actions of another race come in the order of the actions",
                numbers,
                self._in_order,
            ),
        )

    async def _first_race(self) -> None:
        self.ann = await ScriptedClient.identified(self.server, "Ann", MSGPACK)
        self.bo = await ScriptedClient.identified(self.server, "Bo")
        settings = {"countdown_s": 0, "time_limit_s": TIME_LIMIT_S}
        self.room = (await self.ann.request("create", "room", settings=settings, code=CODE))["room"]
        await self.bo.request("join", "room", room=self.room)
        self.a = await self._race(1)
        self.move = self.a.legal_move()
        self.accepted = await self.a.act("move", **self.move)
        await self.a.act("move", **{"from": 0, "to": 0, "cards": 1})

    async def _race(self, number: int) -> Racer:
        """Let both race; return Ann's game."""
        for each in (self.ann, self.bo):
            await each.request("ready")
        await self.ann.request("start_countdown")
        for each in (self.ann, self.bo):
            require(await each.expect("race_started"), f"race {number}", race=number, code=CODE)
        return Racer(self.ann, CODE, number)

    async def _race_to_come(self) -> None:
        for n in (1, self.a.n + 1):
            await self._wrong_race(2, n, "undo")
        await self._wrong_race(1000, self.a.n + 1, "restart")

    async def _second_race(self) -> None:
        self.ann.timeout_s = TIME_LIMIT_S + TIMEOUT_S
        require(await self.ann.expect("race_ended"), "the end of race 1", race=1)
        self.ann.timeout_s = TIMEOUT_S
        require_equal(
            await self.ann.act(1, 1, "move", **self.move), self.accepted, "the answer after the race"
        )
        await self._is_wrong_race(1, 2, "undo")
        await self.ann.request("configure", settings={"countdown_s": 0}, code=CODE)
        self.a = await self._race(2)
        others = [fields(move) for move in self.a.game.board.legal_moves() if fields(move) != self.move]
        await self.a.act("move", **others[0])

    async def _accepted_earlier(self) -> None:
        require_equal(
            await self.ann.act(1, 1, "move", **self.move), self.accepted, "the answer in the next race"
        )
        await self._same_game()
        self.ann = self.a.client = await self.ann.reconnect()
        await self.ann.request("join", "room", room=self.room)
        require_equal(
            await self.ann.act(1, 1, "move", **self.move), self.accepted, "the answer after a return"
        )
        await self._same_game()

    async def _not_accepted_earlier(self) -> None:
        await self._wrong_race(1, self.a.n + 1, "undo")
        await self._wrong_race(1, 1, "restart")
        refused = await self.bo.act(1, 1, "auto_move", **{"from": 0})
        require(refused, "`wrong_race`", type="refused", code="wrong_race")
        game = await self.bo.request("get_game", "game")
        require(game, "Bo's game of race 2", race=2, game=Racer(self.bo, CODE, 2).view())
        await self.a.act("undo")

    async def _in_order(self) -> None:
        n, place = self.a.n, len(self.ann.received)
        for action in (
            {"type": "move", "race": 2, "n": n + 1, **self.a.legal_move()},
            {"type": "undo", "race": 1000, "n": 1},
            {"type": "move", "race": 2, "n": n + 2, "from": 0, "to": 1, "cards": "x"},
            {"type": "undo", "race": 2, "n": n + 2},
        ):
            await self.ann.send(action)
        for race, number in ((2, n + 1), (1000, 1), (2, n + 2)):
            await self.ann.answer(race, number)
        kinds = [each["type"] for each in self.ann.received[place:] if "n" in each]
        require_equal(kinds, ["accepted", "refused", "error", "accepted"], "the types of the answers")

    async def _wrong_race(self, race: int, n: int, type_: str) -> None:
        """Send an action of another race; require that it changes nothing in the running one."""
        await self._is_wrong_race(race, n, type_)
        await self._same_game()

    async def _is_wrong_race(self, race: int, n: int, type_: str) -> None:
        refused = await self.ann.act(race, n, type_)
        require(refused, "`wrong_race`", type="refused", race=race, n=n, code="wrong_race")

    async def _same_game(self) -> None:
        game = await self.ann.request("get_game", "game")
        require(game, f"the game of race {self.a.race}", race=self.a.race, game=self.a.view())
