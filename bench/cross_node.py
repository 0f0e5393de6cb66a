"""Measure the cost of a room on two nodes, and the delay of standings between them.

    python -m bench.cross_node [--racers 1000] [--rate 1] [--rounds 5] [--seconds 5]

One room, open loop, on one node and on two that share a store with fsync at every commit. The cost is the CPU
time of the servers' processes for each acknowledged move. The age is the time from the moment when a move was
due to the first standings that show it, for fifty players of the other node, or of the one node for
comparison. Both run once in each round; the output has medians and, in brackets, the range.
"""

import argparse
import asyncio
import statistics
from typing import Final

import uvloop

from bench import subjects
from bench.load import drive
from bench.load.meter import Meter, cpu_seconds, now, quantile_ms
from bench.load.simonrace import SimonRacer, gather_racers

WATCHING: Final = 50
_WARM_UP_S: Final = 3.0

Figures = dict[str, float]


async def run(subject: subjects.Subject, racers: int, rate: float, seconds: float) -> Figures:
    """Run one race of the room for some seconds and return its figures."""
    meter = Meter()
    everybody = [
        racer
        for racer in await gather_racers(meter, list(subject.ports), racers, racers, 0)
        if isinstance(racer, SimonRacer)
    ]
    nodes = len(subject.ports)
    for place, racer in enumerate(everybody[:WATCHING]):
        others = everybody if nodes == 1 else everybody[1 - place % nodes :: nodes]
        racer.rivals = {other.player.result(): other for other in others}
    driver = asyncio.create_task(drive.drive_open(everybody, rate))
    await asyncio.sleep(_WARM_UP_S)
    meter.clear()
    cpu, store, began = cpu_seconds(list(subject.pids)), cpu_seconds(list(subject.store_pids)), now()
    await asyncio.sleep(seconds)
    moves, took = meter.acknowledged, now() - began
    cpu = cpu_seconds(list(subject.pids)) - cpu
    store = cpu_seconds(list(subject.store_pids)) - store
    driver.cancel()
    if meter.faults or any(racer.lost for racer in everybody):
        raise AssertionError("an action was refused, or a connection was lost")
    figures = {
        "moves/s": moves / took,
        "CPU µs/move": 1e6 * cpu / moves,
        "store's µs/move": 1e6 * store / moves,
    }
    for name, share in (("age p50 ms", 0.5), ("age p99 ms", 0.99)):
        figures[name] = quantile_ms(meter.ages, share) or 0.0
    return figures


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--racers", type=int, default=1_000)
    parser.add_argument("--rate", type=float, default=1.0, help="moves per second of each racer")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args()
    found: dict[int, list[Figures]] = {1: [], 2: []}
    for _ in range(options.rounds):
        for nodes, runs in found.items():
            with subjects.simonrace(nodes) as subject:
                runs.append(uvloop.run(run(subject, options.racers, options.rate, options.seconds)))
    names = list(found[1][0])
    print(f"| nodes | {' | '.join(names)} |\n|--:|{'--:|' * len(names)}")
    for nodes, runs in found.items():
        cells = []
        for name in names:
            values = [each[name] for each in runs]
            cells.append(f"{statistics.median(values):,.1f} ({min(values):,.1f}–{max(values):,.1f})")
        print(f"| {nodes} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
