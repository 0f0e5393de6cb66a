"""Measure how long players wait for an answer after `kill -9` of a server, of the store, or of both.

    python -m bench.recovery [--racers 200] [--rounds 5]

Two servers share a store with fsync at every commit; all players are in one room and send five actions per
second. They are the players of the chaos suite: they reconnect to a running server, with full jitter from
0.2 s on, and send actions without an answer again. A player's wait is the time from the kill to the next
answer to an action; the quantiles are over the players, and the range over the rounds is in brackets.
"""

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import uvloop

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))  # the chaos suite's own parts

from chaostest import ClientGroup, Fleet, Message
from racetest import solution

from server.store.embedded import EmbeddedRedis

PAUSE_S: Final = 0.2
QUANTILES: Final = {"p50": 0.5, "p99": 0.99, "max": 1.0}
_LOOK_S: Final = 0.002


async def server_dies(fleet: Fleet) -> None:
    """Kill one server: half of the players lose their connection."""
    fleet.servers[0].kill()


async def store_dies(fleet: Fleet) -> None:
    """Kill the store: all players wait until it has read its file again."""
    fleet.kill_store()
    await fleet.restart_store()


async def both_die(fleet: Fleet) -> None:
    """Kill everything: all players wait until the store and new servers have started."""
    fleet.kill_store()
    for server in fleet.running:
        server.kill()
    await fleet.restart_store()
    await fleet.start()


CASES: Final[dict[str, Callable[[Fleet], Awaitable[None]]]] = {
    "one of two servers": server_dies,
    "the store": store_dies,
    "the store and both servers": both_die,
}


def forth_and_back(code: str, _: random.Random) -> list[Message]:
    """Return actions that never end the race."""
    return [{"type": "move", **solution(code)[0]}, {"type": "undo"}] * 5_000


async def waits(case: Callable[[Fleet], Awaitable[None]], clients: int) -> list[float]:
    """Run a case once; return each affected player's wait in seconds."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis.start(Path(folder) / "store") as store:
        fleet = Fleet(store, Path(folder))
        try:
            await fleet.start()
            group = ClientGroup(fleet, clients, every_s=PAUSE_S)
            group.script = forth_and_back
            await group.create_room()
            await group.start()
            await asyncio.sleep(1.0)
            found = await _waits(group, case)
            await group.leave()
            return found
        finally:
            fleet.end()


async def _waits(group: ClientGroup, case: Callable[[Fleet], Awaitable[None]]) -> list[float]:
    doomed = group.fleet.servers[0].address
    one_server = case is server_dies
    waiting = {
        each: each.acknowledged for each in group.clients if not one_server or each.address_now == doomed
    }
    began = time.monotonic()
    happening = asyncio.ensure_future(case(group.fleet))
    await asyncio.sleep(0)  # an answer sent before the kill and read after it does not count
    waiting = {client: client.acknowledged for client in waiting}
    found = []
    while waiting:
        for client in [client for client, known in waiting.items() if client.acknowledged > known]:
            found.append(time.monotonic() - began)
            del waiting[client]
        await asyncio.sleep(_LOOK_S)
    await happening
    return found


def quantile(values: list[float], share: float) -> float:
    """Return a quantile in milliseconds."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--racers", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rounds: dict[str, list[list[float]]] = {name: [] for name in CASES}
    for _ in range(options.rounds):
        for name, case in CASES.items():
            rounds[name].append(uvloop.run(waits(case, options.clients)))
    print(f"| killed | {' | '.join(f'{name}, ms' for name in QUANTILES)} |\n|---|{'--:|' * len(QUANTILES)}")
    for name, found in rounds.items():
        cells = []
        for share in QUANTILES.values():
            values = [quantile(each, share) for each in found]
            cells.append(f"{statistics.median(values):,.0f} ({min(values):,.0f}–{max(values):,.0f})")
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
