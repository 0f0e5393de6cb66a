"""Compare our server with its peer, Colyseus.

    python -m bench [peer|large|all|quick|smoke] [--rounds 3] [--seconds 5] [--save NAME]

Every server runs once in each round, so that other load on the machine affects all of them. The figure that
is reliable on a busy machine is the CPU time of the server's processes for each acknowledged move.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from bench import report, subjects
from bench.measuring import WARM_UP_S, measure
from bench.scenarios import SETS, Scenario


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="?", default="peer", choices=SETS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument(
        "--warm-up", type=float, default=WARM_UP_S, help="seconds of warm-up before each measurement"
    )
    parser.add_argument("--only", default="", help="run only the scenarios whose names contain this")
    parser.add_argument(
        "--rest", type=float, default=2.0, help="seconds between runs, for other programs on the machine"
    )
    parser.add_argument("--save", metavar="NAME", help="save the results under bench/results")
    parser.add_argument(
        "--into", type=Path, default=report.RESULTS, help="save the results in another folder"
    )
    parser.add_argument("--note", action="append", default=[], help="a line to add to the saved results")
    options = parser.parse_args()
    scenarios = [scenario for scenario in SETS[options.what] if options.only in scenario.name]
    if not subjects.peer_is_installed():
        print("The peer is not installed (npm ci in bench/peers/colyseus): only our server is measured.")
    runs: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for number in range(options.rounds):
        for scenario in scenarios:
            for kind in kinds(scenario):
                run = measure(kind, scenario, options.seconds, options.warm_up)
                runs.setdefault(scenario.name, {}).setdefault(kind, []).append(run)
                print(f"{number + 1} {scenario.name}: {kind} {run['cpu_us_per_move']} µs", file=sys.stderr)
                time.sleep(options.rest)
    medians = {
        scenario: {kind: report.median_of(each) for kind, each in by_kind.items()}
        for scenario, by_kind in runs.items()
    }
    print(report.table(medians))
    notes = [*report.ratios(scenarios, runs), *report.faults(runs)]
    print(*notes, sep="\n")
    if options.save:
        print(report.save(options.save, medians, runs, [*notes, *options.note], options.into))


def kinds(scenario: Scenario) -> list[str]:
    """Return the servers that run a scenario."""
    found = ["simonrace"]
    if scenario.with_peer and subjects.peer_is_installed():
        found.append("colyseus")
    if not scenario.rate:
        found.append("echo")
    return found


if __name__ == "__main__":
    main()
