"""A group of racing clients in one room."""

import asyncio
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from racetest import CODE, solution, until

from chaostest.connection import Message
from chaostest.fleet import Fleet, Server
from chaostest.racing_client import Address, RacingClient

GATHER_S: Final = 60.0


def plan(code: str, rng: random.Random) -> list[Message]:
    """Return actions that win a deal, with a few undone moves among them."""
    actions: list[Message] = []
    *steps, winning = solution(code)
    for step in steps:
        move = {"type": "move", **step}
        if rng.random() < 0.05:
            actions += [move, {"type": "undo"}]
        actions.append(move)
    return [*actions, {"type": "move", **winning}]


class ClientGroup:
    """Clients in one room on the servers of a fleet. The first one is the host."""

    def __init__(self, fleet: Fleet, count: int, *, seed: int = 1, every_s: float = 0.03) -> None:
        self.fleet = fleet
        self.room = ""
        self.code = CODE
        self.races = 0
        self.settings: dict[str, object] = {"countdown_s": 0, "max_members": 1000}
        self.script: Callable[[str, random.Random], list[Message]] = plan
        self.best: dict[str, dict[str, int]] = {}
        self.clients = [
            RacingClient(f"Racer {number}", self._anywhere(random.Random(seed * 10_000 + number)), number)
            for number in range(count)
        ]
        for client in self.clients:
            client.every_s = every_s

    @property
    def host(self) -> RacingClient:
        """The client that creates the room and starts its races."""
        return self.clients[0]

    async def create_room(self, **settings: object) -> None:
        """Create a room by the host, and let every client join it."""
        self.settings |= settings
        self.host.start_client()
        await self.host.ask("create", settings=self.settings, code=self.code)
        self.room = self.host.room
        for client in self.clients[1:]:
            client.room = self.room
            client.start_client()
        async with asyncio.timeout(GATHER_S):
            await asyncio.gather(*(client.in_room.wait() for client in self.clients))

    def assign_servers(self, servers: Sequence[Server]) -> None:
        """Assign the clients to these servers in turn."""
        for number, client in enumerate(self.clients):
            client.address = partial(_address_of, servers[number % len(servers)])

    async def start(self, *, by_host: bool = True, hold_last: bool = False) -> None:
        """Get every client ready and start the race; return when all of them race.

        With `hold_last`, each client stops before its last action until `go_on`.
        """
        self.races += 1
        if self.races > 1:
            await self.host.ask("configure", settings=self.settings, code=self.code)
        for client in self.clients:
            client.plan = self.script(self.code, client.rng)
            client.stop_at = len(client.plan) - 1 if hold_last else None
        await asyncio.gather(*(client.ask("ready") for client in self.clients))
        if by_host:
            await self.host.ask("start_countdown")
        await self.until(lambda client: client.race == self.races)

    async def until(self, so: Callable[[RacingClient], object], within: float = GATHER_S) -> None:
        """Wait until a condition holds for every client."""
        waiting = set(self.clients)

        def settled() -> bool:
            waiting.difference_update([client for client in waiting if so(client)])
            return not waiting

        try:
            await until(settled, within)
        except TimeoutError:
            errors = sorted({fault for client in self.clients for fault in client.errors})
            late = ", ".join(map(str, sorted(waiting, key=lambda client: client.name)[:10]))
            raise AssertionError(f"{len(waiting)} clients timed out: {late}; errors: {errors[:5]}") from None

    async def wait_for_progress(self, share: float) -> None:
        """Wait until this share of all planned actions has been accepted."""
        total = sum(len(client.plan) for client in self.clients)
        await until(lambda: sum(client.acknowledged for client in self.clients) >= share * total, GATHER_S)

    async def wait_for_event(
        self, watcher: RacingClient, type_: str, players: set[str], within: float
    ) -> None:
        """Wait until a client has received an event of this type about each of these players."""

        def named() -> set[str]:
            return {event["player"] for _, event in watcher.events if event["type"] == type_}

        await until(lambda: players <= named(), within)

    async def finish(self, within: float = GATHER_S) -> None:
        """Wait until every client has the results of the race."""
        await self.until(lambda client: self.races in client.results, within)

    async def leave(self) -> None:
        """Disconnect every client."""
        await asyncio.gather(*(client.leave() for client in self.clients))

    def _anywhere(self, rng: random.Random) -> Callable[[], Address]:
        def choose() -> Address:
            servers = self.fleet.accepting
            if not servers:
                raise OSError("no server is running")
            return rng.choice(servers).address

        return choose


def _address_of(server: Server) -> Address:
    return server.address
