"""How cost grows: `python -m bench.growth [racers|rooms|workers|logs|boards ...]`.

Each question is one sweep, written to bench/results as JSON and as a chart. The sweeps over racers, rooms and
workers run the load generator; those over logs and leaderboards ask the store and the replay, where such a
growth would be.
"""

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from bench import plot, report, subjects
from bench.load.racer import CODE, MOVE
from bench.measuring import measure_on
from bench.scenarios import Scenario
from engine import GameCode, deal
from protocol import from_client as ask
from server.core import play as plays
from server.store.embedded import EmbeddedRedis
from server.store.port import Append, Commit
from server.store.redis_store import RedisStore

Lines = dict[str, list[tuple[float, float]]]
_SECONDS: Final = 4.0


def by_racers() -> Lines:
    """Racers at one move a second, in rooms of four."""
    return _sweep([Scenario("", racers, 1) for racers in (500, 1_000, 2_000, 4_000, 8_000)], "racers")


def by_room_size() -> Lines:
    """A thousand racers at one move a second, in rooms of different sizes."""
    return _sweep([Scenario("", 1_000, 1, size) for size in (2, 4, 10, 40, 100, 1_000)], "room_size")


def by_workers() -> Lines:
    """A thousand racers in closed loop on one and two processes."""
    lines: Lines = {"CPU µs/move": []}
    for workers in (1, 2):
        scenario = Scenario("", 1_000, 0, sampled_rooms=0)
        run = _run(scenario, partial(subjects.simonrace, 1, workers))
        lines["CPU µs/move"].append((workers, run["cpu_us_per_move"]))
    return lines


def by_log_length() -> Lines:
    """One more commit to a log, and reading and replaying all of it, as somebody's return does."""
    lines: Lines = {"commit µs": [], "read and replay ms": []}

    async def ask_store(store: RedisStore) -> None:
        play, entries = plays.Play(deal(GameCode.parse(CODE))), []
        source, target, count = MOVE
        for number in range(1, 20_001):
            move = ask.Move(n=number, source=source, target=target, count=count)
            made = play.decide(move if number % 2 else ask.Undo(n=number), number * 50, 10_000)
            if not isinstance(made, plays.Made):
                raise TypeError(made)
            entries.append(made.entry)
        for length in (10, 100, 1_000, 10_000, 20_000):
            log = f"log of {length}"
            await store.commit([Commit((Append(log, 0, entries[:length]),))])
            commit = await _lower_quartile_us(
                [store.commit([Commit((Append(log, length + n, [b"x"]),))]) for n in range(50)]
            )
            began = time.perf_counter()
            read = await store.read(log)
            plays.load(deal(GameCode.parse(CODE)), read[:length])
            lines["commit µs"].append((length, commit))
            lines["read and replay ms"].append((length, 1e3 * (time.perf_counter() - began)))

    _with_store(ask_store)
    return lines


def by_board_size() -> Lines:
    """Offering a result to a leaderboard, and reading its best ten."""
    lines: Lines = {"post µs": [], "top ten µs": []}

    async def ask_store(store: RedisStore) -> None:
        size = 0
        for wanted in (10, 1_000, 100_000, 1_000_000):
            while size < wanted:
                many = min(1_000, wanted - size)
                rows = [w for n in range(size, size + many) for w in (str(90_000 + n % 77_777), f"p{n:07}")]
                await store._link.ask("ZADD", store._board("b")[0], *rows)
                size += many
            post = await _lower_quartile_us(
                [
                    store.post("b", f"new {size} {n}", 80_000, "lowest", b"x", most=2_000_000, keep_s=3600)
                    for n in range(50)
                ]
            )
            top = await _lower_quartile_us([store.top("b", 10, "lowest") for _ in range(50)])
            lines["post µs"].append((wanted, post))
            lines["top ten µs"].append((wanted, top))

    _with_store(ask_store)
    return lines


def _sweep(scenarios: list[Scenario], across: str) -> Lines:
    lines: Lines = {"CPU µs/move": [], "ack p99 ms": []}
    for scenario in scenarios:
        run = _run(scenario, subjects.simonrace)
        x = getattr(scenario, across)
        lines["CPU µs/move"].append((x, run["cpu_us_per_move"]))
        lines["ack p99 ms"].append((x, run["ack_ms"]["p99"]))
    return lines


def _run(scenario: Scenario, start: Callable[[], AbstractContextManager[subjects.Subject]]) -> dict[str, Any]:
    with start() as subject:
        run = measure_on(subject, scenario, _SECONDS)
    print(scenario, run)
    time.sleep(2)
    return run


def _with_store(work: Callable[[RedisStore], Awaitable[None]]) -> None:
    with TemporaryDirectory() as folder:
        embedded = EmbeddedRedis.start(Path(folder))

        async def run() -> None:
            store = await RedisStore.open(embedded.url)
            try:
                await work(store)
            finally:
                await store.aclose()

        try:
            asyncio.run(run())
        finally:
            embedded.stop()


async def _lower_quartile_us(calls: Sequence[Awaitable[object]]) -> float:
    taken = []
    for call in calls:
        began = time.perf_counter()
        await call
        taken.append(time.perf_counter() - began)
    return 1e6 * statistics.quantiles(taken)[0]


SWEEPS: Final[dict[str, tuple[Callable[[], Lines], str]]] = {
    "racers": (by_racers, "racers at 1 move/s in rooms of four"),
    "rooms": (by_room_size, "racers in a room; 1,000 racers at 1 move/s"),
    "workers": (by_workers, "worker processes; 1,000 racers in closed loop"),
    "logs": (by_log_length, "actions in a racer's log"),
    "boards": (by_board_size, "people on a leaderboard"),
}


def main() -> None:
    """Run the sweeps that are named, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sweeps", nargs="*", default=list(SWEEPS), choices=SWEEPS)
    for name in parser.parse_args().sweeps:
        sweep, across = SWEEPS[name]
        lines = sweep()
        report.RESULTS.mkdir(exist_ok=True)
        path = report.RESULTS / f"growth-{name}.json"
        record = {"about": report.about(), "across": across, "lines": lines}
        path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
        path.with_suffix(".svg").write_text(plot.chart(f"By {name}", across, lines))
        print(path)


if __name__ == "__main__":
    main()
