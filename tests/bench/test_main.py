"""`python -m bench` from the command line to the saved results, with a real server."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.usefixtures("_service")

ROOT = Path(__file__).parents[2]
QUANTILES = {"p50", "p99", "p99.9"}
COUNTS = {
    "racers",
    "moves_per_second",
    "cpu_us_per_move",
    "store_cpu_us_per_move",
    "server_busy",
    "generator_busy",
    "updates_per_second",
    "bytes_per_move",
    "resident_mb",
    "kb_per_racer",
    "kb_per_racer_after",
    "faults",
    "ready_seconds",
}


async def bench(*words: str | Path) -> tuple[str, str]:
    command = (sys.executable, "-m", "bench", *map(str, words))
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=pipe, stderr=pipe)
    async with asyncio.timeout(60):
        shown, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    return shown.decode(), errors.decode()


def is_complete(run: dict[str, Any]) -> bool:
    """Return whether a run has every figure as a number."""
    return (
        run.keys() == COUNTS | {"ack_ms", "standings_ms"}
        and run["ack_ms"].keys() == run["standings_ms"].keys() == QUANTILES
        and all(isinstance(run[name], int | float) for name in COUNTS)
    )


async def test_the_smallest_scenario_is_measured_and_saved(tmp_path: Path) -> None:
    """With our server and an echo: moves are acknowledged, others receive them, and nothing is refused."""
    brief = ("--rounds", "1", "--seconds", "0.5", "--warm-up", "0.1", "--rest", "0")
    shown, _ = await bench("smoke", *brief, "--note", "a try", "--save", "try", "--into", tmp_path)
    path = next(Path(line) for line in shown.splitlines() if line.endswith("-try.json"))
    record = json.loads(path.read_text())
    assert record.keys() == {"date", "about", "notes", "medians", "runs"}
    assert record["notes"][-1] == "a try"
    name = "8 racers, closed loop"
    assert {subject: len(runs) for subject, runs in record["runs"][name].items()} == {
        "simonrace": 1,
        "echo": 1,
    }
    ours, echo = (record["medians"][name][subject] for subject in ("simonrace", "echo"))
    assert is_complete(ours)
    assert is_complete(echo)
    assert (ours["racers"], ours["faults"], echo["faults"]) == (8, 0, 0)
    assert min(ours["moves_per_second"], echo["moves_per_second"], ours["updates_per_second"]) > 0
    assert ours["standings_ms"]["p50"] is not None
    assert echo["standings_ms"] == dict.fromkeys(QUANTILES)
    written = path.with_suffix(".md").read_text()
    assert all(line in shown for line in written.splitlines() if line.startswith("|"))
    assert path.parent == tmp_path
