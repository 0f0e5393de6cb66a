"""Many people in one room: gathered, set racing, waited for."""

import asyncio
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from racetest import CODE, solution, until

from ordeal.fleet import Fleet, Server
from ordeal.racer import Address, Racer
from ordeal.wire import Message

GATHER_S: Final = 60.0


def plan(code: str, chance: random.Random) -> list[Message]:
    """Return actions that win a deal, with a few moves taken back on the way."""
    actions: list[Message] = []
    *steps, winning = solution(code)
    for step in steps:
        move = {"type": "move", **step}
        if chance.random() < 0.05:
            actions += [move, {"type": "undo"}]
        actions.append(move)
    return [*actions, {"type": "move", **winning}]


class Crowd:
    """The people of one room on the servers of a fleet; the first is the host."""

    def __init__(self, fleet: Fleet, count: int, *, seed: int = 1, every_s: float = 0.03) -> None:
        self.fleet = fleet
        self.room = ""
        self.code = CODE
        self.races = 0
        self.settings: dict[str, object] = {"countdown_s": 0, "max_members": 1000}
        self.script: Callable[[str, random.Random], list[Message]] = plan
        self.best: dict[str, dict[str, int]] = {}
        self.people = [
            Racer(f"Racer {number}", self._anywhere(random.Random(seed * 10_000 + number)), number)
            for number in range(count)
        ]
        for racer in self.people:
            racer.every_s = every_s

    @property
    def host(self) -> Racer:
        """The one who opens the room and starts its races."""
        return self.people[0]

    async def gather(self, **settings: object) -> None:
        """Let the host open a room and everybody come."""
        self.settings |= settings
        self.host.live()
        await self.host.ask("create", settings=self.settings, code=self.code)
        self.room = self.host.room
        for racer in self.people[1:]:
            racer.room = self.room
            racer.live()
        async with asyncio.timeout(GATHER_S):
            await asyncio.gather(*(racer.here.wait() for racer in self.people))

    def spread(self, servers: Sequence[Server]) -> None:
        """Let the people connect to these servers by turns, and stay with them."""
        for number, racer in enumerate(self.people):
            racer.address = partial(_address_of, servers[number % len(servers)])

    async def start(self, *, by_host: bool = True, hold_last: bool = False) -> None:
        """Let everybody be ready and the race start; return when all of them race.

        With `hold_last` nobody makes the last move before `release`.
        """
        self.races += 1
        if self.races > 1:
            await self.host.ask("configure", settings=self.settings, code=self.code)
        for racer in self.people:
            racer.plan = self.script(self.code, racer.chance)
            racer.hold_at = len(racer.plan) - 1 if hold_last else None
        await asyncio.gather(*(racer.ask("ready") for racer in self.people))
        if by_host:
            await self.host.ask("start_countdown")
        await self.until(lambda racer: racer.race == self.races)

    async def until(self, so: Callable[[Racer], object], within: float = GATHER_S) -> None:
        """Wait until something is so for everybody."""
        waiting = set(self.people)

        def settled() -> bool:
            waiting.difference_update([racer for racer in waiting if so(racer)])
            return not waiting

        try:
            await until(settled, within)
        except TimeoutError:
            faults = sorted({fault for racer in self.people for fault in racer.faults})
            late = ", ".join(map(str, sorted(waiting, key=lambda racer: racer.name)[:10]))
            raise AssertionError(f"{len(waiting)} wait in vain: {late}; faults: {faults[:5]}") from None

    async def progressed(self, share: float) -> None:
        """Wait until the crowd has made this share of all its actions."""
        total = sum(len(racer.plan) for racer in self.people)
        await until(lambda: sum(racer.acknowledged for racer in self.people) >= share * total, GATHER_S)

    async def seen(self, watcher: Racer, type: str, players: set[str], within: float) -> None:  # noqa: A002
        """Wait until somebody has been told such an event of each of these players."""

        def of(message: Message) -> bool:
            return bool(message["type"] == type)

        await until(
            lambda: players <= {message["player"] for _, message in watcher.events if of(message)}, within
        )

    async def finish(self, within: float = GATHER_S) -> None:
        """Wait until everybody knows the results of the race."""
        await self.until(lambda racer: self.races in racer.over, within)

    async def leave(self) -> None:
        """Let everybody go."""
        await asyncio.gather(*(racer.leave() for racer in self.people))

    def _anywhere(self, chance: random.Random) -> Callable[[], Address]:
        def choose() -> Address:
            servers = self.fleet.welcoming
            if not servers:
                raise OSError("no server lives")
            return chance.choice(servers).address

        return choose


def _address_of(server: Server) -> Address:
    return server.address
