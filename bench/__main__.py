"""Measure our server beside its peer: `python -m bench [peer|large|all|quick] [--rounds 3] [--seconds 5]`.

Every subject runs once in every round, so that whatever else the machine does hits all of them. The figure
that holds on a busy machine is the processor time of the server's processes for each acknowledged move.
"""

import argparse
import sys
import time
from typing import Any, Final

from bench import report, subjects
from bench.measuring import measure
from bench.scenarios import SETS, Scenario


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="?", default="peer", choices=SETS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--only", default="", help="scenarios whose names contain this")
    parser.add_argument("--rest", type=float, default=2.0, help="seconds between runs, for the others here")
    parser.add_argument("--save", metavar="NAME", help="keep a record under bench/results")
    parser.add_argument("--note", action="append", default=[], help="a line for the record")
    options = parser.parse_args()
    scenarios = [scenario for scenario in SETS[options.what] if options.only in scenario.name]
    if not subjects.peer_is_installed():
        print("The peer is not installed (npm ci in bench/peers/colyseus): ours is measured alone.")
    runs: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for number in range(options.rounds):
        for scenario in scenarios:
            for kind in kinds(scenario):
                run = measure(kind, scenario, options.seconds)
                runs.setdefault(scenario.name, {}).setdefault(kind, []).append(run)
                print(f"{number + 1} {scenario.name}: {kind} {run['cpu_us_per_move']} µs", file=sys.stderr)
                time.sleep(options.rest)
    medians = {
        scenario: {kind: report.median_of(each) for kind, each in by_kind.items()}
        for scenario, by_kind in runs.items()
    }
    print(report.table(medians))
    notes = ratios(scenarios, medians)
    print(*notes, sep="\n")
    if options.save:
        print(report.save(options.save, medians, runs, [*notes, *options.note]))


def kinds(scenario: Scenario) -> list[str]:
    """Return who runs a scenario."""
    found = ["simonrace"]
    if scenario.with_peer and subjects.peer_is_installed():
        found.append("colyseus")
    if not scenario.rate:
        found.append("echo")
    return found


def ratios(scenarios: list[Scenario], medians: dict[str, dict[str, dict[str, Any]]]) -> list[str]:
    """Put our time and memory beside the others', and beside what we want to reach."""
    lines = []
    for scenario in scenarios:
        subject = medians[scenario.name]
        ours = subject["simonrace"]
        for other in ("colyseus", "echo"):
            if other not in subject:
                continue
            theirs = subject[other]
            ratio = ours["cpu_us_per_move"] / theirs["cpu_us_per_move"]
            target = scenario.target if other == "colyseus" else ECHO_TARGET
            line = f"{scenario.name}: {ratio:.2f} x {other}'s CPU per move (wanted: at most {target})"
            if other == "colyseus":
                memory = ours["kb_per_racer"] / theirs["kb_per_racer"]
                line += f", {memory:.2f} x its memory per racer (wanted: at most {MEMORY_TARGET})"
            lines.append(line)
    return lines


ECHO_TARGET: Final = 2.5
MEMORY_TARGET: Final = 0.4

if __name__ == "__main__":
    main()
