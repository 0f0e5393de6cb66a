"""Results as a Markdown table and as JSON."""

import datetime
import json
import os
import platform
import statistics
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from bench.scenarios import ECHO_TARGET, MEMORY_TARGET, Scenario

RESULTS: Final = Path(__file__).parent / "results"
_OURS: Final = ("msgspec", "uvloop", "websockets", "redis", "hiredis")

Run = dict[str, Any]
Results = Mapping[str, Mapping[str, Run]]
"""A run, or the median of some, by scenario and by server."""
Rounds = Mapping[str, Mapping[str, Sequence[Run]]]
"""The runs of each round, by scenario and by server."""


def median_of(runs: Sequence[Run]) -> Run:
    """Return the median of every figure, over the runs that have it."""
    merged: Run = {}
    for name, first in runs[0].items():
        values = [run[name] for run in runs]
        if isinstance(first, dict):
            merged[name] = median_of(values)
        else:
            known = [value for value in values if isinstance(value, int | float)]
            merged[name] = statistics.median(known) if known else first
    return merged


def about() -> dict[str, str]:
    """Return versions and the class of the machine."""
    found = {name: version(name) for name in _OURS}
    found["python"] = platform.python_version()
    found["machine"] = f"{_cores()} shared cores, {platform.machine()}, {platform.system()}"
    try:
        node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
        found["node"] = node.stdout.strip()
    except OSError:
        found["node"] = "none"
    return found


def table(results: Results) -> str:
    """Return results as a Markdown table, one row for each scenario and server."""
    lines = [
        "| scenario | server | moves/s | CPU µs/move | its store's | ack p50 / p99 / p99.9 ms "
        "| standings p50 / p99 ms | bytes/move | KB/racer | MB |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for scenario, subjects in results.items():
        for subject, run in subjects.items():
            lines.append(
                f"| {scenario} | {subject} | {run['moves_per_second']:,.0f} | {run['cpu_us_per_move']:.1f} "
                f"| {run['store_cpu_us_per_move']:.1f} "
                f"| {_quantiles(run['ack_ms'], ('p50', 'p99', 'p99.9'), 1)} "
                f"| {_quantiles(run['standings_ms'], ('p50', 'p99'), 0)} "
                f"| {run['bytes_per_move']:.0f} | {run['kb_per_racer']:.1f} | {run['resident_mb']:.0f} |"
            )
    return "\n".join(lines)


def ratios(scenarios: Iterable[Scenario], rounds: Rounds) -> list[str]:
    """Compare our time and memory with those of the other servers and with the targets.

    A ratio is the median of the ratios of each round. The servers of a round run within a minute of each
    other, so the machine is in the same state for both sides of a ratio.
    """
    lines = []
    for scenario in scenarios:
        subjects = rounds[scenario.name]
        ours = subjects["simonrace"]
        for other in ("colyseus", "echo"):
            if other not in subjects:
                continue
            theirs = subjects[other]
            target = scenario.target if other == "colyseus" else ECHO_TARGET
            parts = [_beside(ours, theirs, "cpu_us_per_move", f"{other}'s CPU per move", target)]
            if other == "colyseus":
                parts.append(_beside(ours, theirs, "kb_per_racer", "its memory per racer", MEMORY_TARGET))
            lines.append(f"{scenario.name}: {', '.join(parts)}")
    return lines


def faults(runs: Rounds) -> list[str]:
    """Name the servers with refusals or lost connections: their load was not the intended one."""
    lines = []
    for scenario, subjects in runs.items():
        for subject, each in subjects.items():
            bad = [run["faults"] for run in each if run["faults"]]
            if bad:
                lines.append(
                    f"{scenario}: {subject} had {sum(bad):,} faults, in {len(bad)} of {len(each)} runs"
                )
    return lines


def save(name: str, results: Results, runs: object, notes: Sequence[str], folder: Path = RESULTS) -> Path:
    """Save today's results as JSON and as Markdown."""
    folder.mkdir(exist_ok=True)
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    record = {"date": today, "about": about(), "notes": list(notes), "medians": results, "runs": runs}
    path = folder / f"{today}-{name}.json"
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    lines = [f"# {today}: {name}", "", table(results), ""]
    lines += [f"- {note}" for note in notes]
    lines += [f"- {what}: {value}" for what, value in about().items()]
    path.with_suffix(".md").write_text("\n".join(lines) + "\n")
    return path


def _quantiles(times: Mapping[str, float | None], names: Sequence[str], digits: int) -> str:
    """Return quantiles side by side, or a dash if there are none."""
    known = [time for name in names if (time := times[name]) is not None]
    return " / ".join(f"{time:.{digits}f}" for time in known) or "–"


def _beside(ours: Sequence[Run], theirs: Sequence[Run], figure: str, what: str, target: float | None) -> str:
    """Return a ratio, its range over the rounds, and whether the target was reached."""
    pairs = [(mine[figure], other[figure]) for mine, other in zip(ours, theirs, strict=True)]
    if not all(other for _, other in pairs):
        return f"{what} was too little to compare with"
    each = [mine / other for mine, other in pairs]
    ratio = statistics.median(each)
    remarks = [] if len(each) == 1 else [f"{min(each):.2f} to {max(each):.2f} in {len(each)} rounds"]
    if target is not None:
        remarks.append(f"target: at most {target}; {'reached' if ratio <= target else 'missed'}")
    return f"{ratio:.2f} x {what}" + (f" ({'; '.join(remarks)})" if remarks else "")


def _cores() -> int:
    return os.cpu_count() or 1
