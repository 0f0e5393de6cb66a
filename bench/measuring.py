"""One run of a scenario: the server and the load generator in separate processes."""

import json
import subprocess
import sys
from contextlib import AbstractContextManager
from typing import Any, Final

from bench import subjects
from bench.scenarios import Scenario

WARM_UP_S: Final = 3.0
"""Time for the peer's compiler to optimize, and for our caches to fill."""


def started(kind: str, scenario: Scenario) -> AbstractContextManager[subjects.Subject]:
    """Start a server as a scenario needs it."""
    if kind == "simonrace":
        return subjects.simonrace(scenario.nodes)
    return subjects.colyseus(scenario.room_size) if kind == "colyseus" else subjects.echo()


def measure(kind: str, scenario: Scenario, seconds: float, warm_up: float = WARM_UP_S) -> dict[str, Any]:
    """Start a server, run a scenario on it once, and return the figures."""
    with started(kind, scenario) as subject:
        return measure_on(subject, scenario, seconds, warm_up)


def measure_on(
    subject: subjects.Subject, scenario: Scenario, seconds: float, warm_up: float = WARM_UP_S
) -> dict[str, Any]:
    """Run a scenario once on a server that is running."""
    command = [sys.executable, "-m", "bench.load", subject.kind, "--seconds", str(seconds)]
    command += ["--warm-up", str(warm_up)]
    command += ["--racers", str(scenario.racers), "--room-size", str(scenario.room_size)]
    command += ["--rate", str(scenario.rate), "--sampled-rooms", str(scenario.sampled_rooms)]
    for port in subject.ports:
        command += ["--port", str(port)]
    for pid in subject.pids:
        command += ["--pid", str(pid)]
    for pid in subject.store_pids:
        command += ["--store-pid", str(pid)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return {**json.loads(done.stdout), "ready_seconds": round(subject.ready_seconds, 2)}
