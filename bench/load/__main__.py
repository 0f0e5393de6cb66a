"""Run the load generator once; print one line of JSON.

    python -m bench.load simonrace --port 7466 --pid 4711 --racers 200 --seconds 5

`--pid` is a process of the server whose CPU time and memory are read; `--store-pid` one of its store.
"""

import argparse
import asyncio
import gc
import json
import resource
from typing import Final

import uvloop

from bench.load import colyseus, drive, echo, simonrace
from bench.load.meter import Meter, cpu_seconds, now, quantile_ms, resident_kb

_GATHER: Final = {
    "simonrace": simonrace.gather_racers,
    "colyseus": colyseus.gather_racers,
    "echo": echo.gather_racers,
}


async def run(options: argparse.Namespace) -> dict[str, object]:
    """Connect, warm up, measure; return the figures."""
    meter = Meter()
    pids, store = options.pid, options.store_pid
    empty_kb = resident_kb(pids)
    racers = await _GATHER[options.server](
        meter, options.port, options.racers, options.room_size, options.sampled_rooms
    )
    # A garbage collection over 15,000 racers would pause for half a second, and add to the latencies.
    gc.collect()
    gc.freeze()
    gc.disable()
    full_kb = resident_kb(pids)
    driver: asyncio.Task[None] | None = None
    if options.rate:
        driver = asyncio.create_task(drive.drive_open(racers, options.rate))
    else:
        drive.begin_closed(racers)
    await asyncio.sleep(options.warm_up)
    traffic = sum(racer.bytes_in + racer.bytes_out for racer in racers)
    own = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    cpu, store_cpu, began = cpu_seconds(pids), cpu_seconds(store), now()
    meter.clear()
    await asyncio.sleep(options.seconds)
    acknowledged, updates, seconds = meter.acknowledged, meter.updates, now() - began
    cpu, store_cpu = cpu_seconds(pids) - cpu, cpu_seconds(store) - store_cpu
    own = sum(resource.getrusage(resource.RUSAGE_SELF)[:2]) - own
    traffic = sum(racer.bytes_in + racer.bytes_out for racer in racers) - traffic
    if driver is not None:
        if driver.done():
            driver.result()  # raises: it ends only by a fault
        driver.cancel()
    drive.end_closed(racers)
    moves = max(1, acknowledged)
    return {
        "racers": len(racers),
        "moves_per_second": round(acknowledged / seconds),
        "cpu_us_per_move": round(1e6 * cpu / moves, 2),
        "store_cpu_us_per_move": round(1e6 * store_cpu / moves, 2),
        "server_busy": round(cpu / seconds, 3),
        "generator_busy": round(own / seconds, 3),
        "ack_ms": {name: quantile_ms(meter.latencies, share) for name, share in _QUANTILES.items()},
        "standings_ms": {name: quantile_ms(meter.ages, share) for name, share in _QUANTILES.items()},
        "updates_per_second": round(updates / seconds),
        "bytes_per_move": round(traffic / moves),
        "resident_mb": round(resident_kb(pids) / 1024, 1),
        "kb_per_racer": round((full_kb - empty_kb) / len(racers), 2),
        "kb_per_racer_after": round((resident_kb(pids) - empty_kb) / len(racers), 2),
        "faults": meter.faults + sum(racer.lost for racer in racers),
    }


_QUANTILES: Final = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999}


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("server", choices=_GATHER)
    parser.add_argument("--port", type=int, action="append", required=True)
    parser.add_argument("--pid", type=int, action="append", required=True)
    parser.add_argument("--store-pid", type=int, action="append", default=[])
    parser.add_argument("--racers", type=int, default=200)
    parser.add_argument("--room-size", type=int, default=4)
    parser.add_argument(
        "--rate", type=float, default=0.0, help="moves per second of each racer; 0: closed loop"
    )
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument(
        "--warm-up", type=float, default=3.0, help="seconds of warm-up before the measurement"
    )
    parser.add_argument("--sampled-rooms", type=int, default=0)
    print(json.dumps(uvloop.run(run(parser.parse_args()))))


if __name__ == "__main__":
    main()
