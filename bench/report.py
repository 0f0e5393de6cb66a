"""Results for people and for machines."""

import datetime
import json
import os
import platform
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

RESULTS: Final = Path(__file__).parent / "results"
_OURS: Final = ("msgspec", "uvloop", "websockets", "redis", "hiredis")

Run = dict[str, Any]


def median_of(runs: Sequence[Run]) -> Run:
    """Return the median of every figure, figure by figure."""
    merged: Run = {}
    for name, first in runs[0].items():
        values = [run[name] for run in runs]
        if isinstance(first, dict):
            merged[name] = median_of(values)
        elif isinstance(first, int | float):
            merged[name] = statistics.median([value for value in values if value is not None] or [first])
        else:
            merged[name] = first
    return merged


def about() -> dict[str, str]:
    """Say with what was measured; the machine by its class alone."""
    found = {name: version(name) for name in _OURS}
    found["python"] = platform.python_version()
    found["machine"] = f"{_cores()} shared cores, {platform.machine()}, {platform.system()}"
    try:
        node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
        found["node"] = node.stdout.strip()
    except OSError:
        found["node"] = "none"
    return found


def table(results: Mapping[str, Mapping[str, Run]]) -> str:
    """Lay results out as a Markdown table, one line for each scenario and subject."""
    lines = [
        "| scenario | server | moves/s | CPU µs/move | its store's | ack p50 / p99 / p99.9 ms "
        "| standings p50 / p99 ms | bytes/move | KB/racer | MB |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for scenario, subjects in results.items():
        for subject, run in subjects.items():
            ack, seen = run["ack_ms"], run["standings_ms"]
            shown = "–" if seen["p50"] is None else f"{seen['p50']:.0f} / {seen['p99']:.0f}"
            lines.append(
                f"| {scenario} | {subject} | {run['moves_per_second']:,.0f} | {run['cpu_us_per_move']:.1f} "
                f"| {run['store_cpu_us_per_move']:.1f} "
                f"| {ack['p50']:.1f} / {ack['p99']:.1f} / {ack['p99.9']:.1f} "
                f"| {shown} | {run['bytes_per_move']:.0f} | {run['kb_per_racer']:.1f} "
                f"| {run['resident_mb']:.0f} |"
            )
    return "\n".join(lines)


def save(name: str, results: Mapping[str, Mapping[str, Run]], runs: object, notes: Sequence[str]) -> Path:
    """Write today's record, as JSON and as Markdown."""
    RESULTS.mkdir(exist_ok=True)
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    record = {"date": today, "about": about(), "notes": list(notes), "medians": results, "runs": runs}
    path = RESULTS / f"{today}-{name}.json"
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    lines = [f"# {today}: {name}", "", table(results), ""]
    lines += [f"- {note}" for note in notes]
    lines += [f"- {what}: {value}" for what, value in about().items()]
    path.with_suffix(".md").write_text("\n".join(lines) + "\n")
    return path


def _cores() -> int:
    return os.cpu_count() or 1
