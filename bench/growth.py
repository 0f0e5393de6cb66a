"""Measure how costs grow with racers, size of rooms, workers, length of logs and leaderboards.

    python -m bench.growth [racers|rooms|workers|logs|boards ...] [--rounds 3] [--seconds 4]

Each sweep is written to bench/results as JSON and as a chart. Every point is measured once in each round, so
that other load on the machine affects all of them; the chart shows medians, with whiskers from minimum to
maximum. The sweeps over racers, rooms and workers run the load generator; those over logs and leaderboards
call the store and the replay.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Final

from bench import growth_store, plot, report, subjects
from bench.growth_store import Samples
from bench.measuring import measure_on
from bench.scenarios import Scenario

RACERS: Final = (500, 1_000, 2_000, 4_000, 8_000, 12_000, 15_000)
ROOM_SIZES: Final = (2, 4, 10, 40, 100, 1_000)
WORKERS: Final = (1, 2)
CPU: Final = "CPU µs/move"
ACK: Final = "ack p99 ms"
_REST_S: Final = 2.0
"""Pause between runs, for other programs on the machine."""

Start = Callable[[], AbstractContextManager[subjects.Subject]]
Runs = Sequence[tuple[float, Scenario, Start]]
"""The place of each run in the chart, its scenario, and its server."""


def by_racers(rounds: int, seconds: float) -> Samples:
    """Measure racers at one move per second, in rooms of four."""
    runs: Runs = [(racers, Scenario("", racers, 1), subjects.simonrace) for racers in RACERS]
    return _sweep(runs, rounds, seconds)


def by_room_size(rounds: int, seconds: float) -> Samples:
    """Measure a thousand racers at one move per second, in rooms of different sizes."""
    runs: Runs = [(size, Scenario("", 1_000, 1, size), subjects.simonrace) for size in ROOM_SIZES]
    return _sweep(runs, rounds, seconds)


def by_workers(rounds: int, seconds: float) -> Samples:
    """Measure a thousand racers in closed loop on one and two processes."""
    scenario = Scenario("", 1_000, 0, sampled_rooms=0)
    runs: Runs = [(workers, scenario, partial(subjects.simonrace, 1, workers)) for workers in WORKERS]
    return {CPU: _sweep(runs, rounds, seconds)[CPU]}


def by_log_length(rounds: int, seconds: float) -> Samples:  # noqa: ARG001 - has no fixed duration
    """Measure logs of 10 to 20,000 actions."""
    return asyncio.run(growth_store.by_log_length(rounds))


def by_posts(rounds: int, seconds: float) -> Samples:  # noqa: ARG001 - has no fixed duration
    """Measure leaderboards after 10 to 1,000,000 posts, to one leaderboard or to as many."""
    return asyncio.run(growth_store.by_posts(rounds))


def _sweep(runs: Runs, rounds: int, seconds: float) -> Samples:
    samples: Samples = {CPU: [], ACK: []}
    for number in range(rounds):
        for x, scenario, start in runs:
            with start() as subject:
                run = measure_on(subject, scenario, seconds)
            print(number + 1, x, run, file=sys.stderr)
            samples[CPU].append((x, run["cpu_us_per_move"]))
            if run["ack_ms"]["p99"] is not None:
                samples[ACK].append((x, run["ack_ms"]["p99"]))
            time.sleep(_REST_S)
    return samples


def save(name: str, across: str, rounds: int, samples: plot.Samples, folder: Path = report.RESULTS) -> Path:
    """Save a sweep as JSON and as a chart."""
    lines = plot.spread(samples)
    record = {
        "about": report.about(),
        "across": across,
        "rounds": rounds,
        "columns": plot.Point._fields,
        "lines": lines,
    }
    path = folder / f"growth-{name}.json"
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    of = f"median and range of {rounds} runs" if rounds > 1 else "one run"
    path.with_suffix(".svg").write_text(plot.chart(f"By {name}: {of}", across, lines))
    return path


SWEEPS: Final[dict[str, tuple[Callable[[int, float], Samples], str]]] = {
    "racers": (by_racers, "racers at 1 move/s in rooms of four"),
    "rooms": (by_room_size, "racers in a room; 1,000 racers at 1 move/s"),
    "workers": (by_workers, "worker processes; 1,000 racers in closed loop"),
    "logs": (by_log_length, "actions in a racer's log"),
    "boards": (by_posts, "posts, to one leaderboard or each to its own"),
}


def main() -> None:
    """Run the named sweeps, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sweeps", nargs="*", default=list(SWEEPS), choices=SWEEPS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--seconds", type=float, default=4.0, help="seconds of each run of the load generator"
    )
    options = parser.parse_args()
    for name in options.sweeps:
        sweep, across = SWEEPS[name]
        print(save(name, across, options.rounds, sweep(options.rounds, options.seconds)))


if __name__ == "__main__":
    main()
