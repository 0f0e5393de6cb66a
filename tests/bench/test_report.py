"""Results as a table and as JSON, from fixed numbers."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench import report
from bench.scenarios import Scenario

FIGURES: dict[str, Any] = {
    "racers": 200,
    "moves_per_second": 19_217,
    "cpu_us_per_move": 24.0,
    "store_cpu_us_per_move": 8.18,
    "ack_ms": {"p50": 9.58, "p99": 24.86, "p99.9": 28.26},
    "standings_ms": {"p50": 7.4, "p99": 82.0, "p99.9": 90.0},
    "bytes_per_move": 156,
    "resident_mb": 46.9,
    "kb_per_racer": 10.0,
    "faults": 0,
}
NOTHING = {"p50": None, "p99": None, "p99.9": None}


def run(**figures: Any) -> dict[str, Any]:
    return {**FIGURES, **figures}


def test_the_median_is_taken_of_each_figure() -> None:
    """Of quantiles too; texts stay."""
    runs = [{"x": x, "in": {"p50": 10 * x}, "name": "ours"} for x in (3, 1, 2)]
    assert report.median_of(runs) == {"x": 2, "in": {"p50": 20}, "name": "ours"}


@pytest.mark.parametrize("values", [(None, 4.0, 2.0), (4.0, None, 2.0)])
def test_a_run_without_a_figure_does_not_count_for_it(values: tuple[float | None, ...]) -> None:
    """The first run as well as others."""
    assert report.median_of([{"p50": value} for value in values]) == {"p50": 3.0}


def test_a_figure_that_no_run_has_is_none() -> None:
    """Standings are not sampled in closed loop."""
    assert report.median_of([{"p50": None}, {"p50": None}]) == {"p50": None}


def test_the_table_has_a_row_for_each_scenario_and_server() -> None:
    """A figure that was not measured is a dash."""
    results = {
        "few": {"simonrace": run(), "echo": run(standings_ms=NOTHING)},
        "many": {"simonrace": run(moves_per_second=0, ack_ms=NOTHING)},
    }
    assert report.table(results).splitlines() == [
        "| scenario | server | moves/s | CPU µs/move | its store's | ack p50 / p99 / p99.9 ms "
        "| standings p50 / p99 ms | bytes/move | KB/racer | MB |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
        "| few | simonrace | 19,217 | 24.0 | 8.2 | 9.6 / 24.9 / 28.3 | 7 / 82 | 156 | 10.0 | 47 |",
        "| few | echo | 19,217 | 24.0 | 8.2 | 9.6 / 24.9 / 28.3 | – | 156 | 10.0 | 47 |",
        "| many | simonrace | 0 | 24.0 | 8.2 | – | 7 / 82 | 156 | 10.0 | 47 |",
    ]


def beside(target: float | None, **others: dict[str, Any]) -> list[str]:
    scenario = Scenario("few", 200, 0, target=target)
    once = {kind: [each] for kind, each in {"simonrace": run(), **others}.items()}
    return report.ratios([scenario], {"few": once})


def test_a_reached_target_is_reported() -> None:
    """A ratio equal to the target reaches it."""
    assert beside(0.8, colyseus=run(cpu_us_per_move=30.0, kb_per_racer=25.0)) == [
        "few: 0.80 x colyseus's CPU per move (target: at most 0.8; reached), "
        "0.40 x its memory per racer (target: at most 0.4; reached)"
    ]


def test_the_ratio_is_the_median_over_the_rounds_with_their_range() -> None:
    """A round in which the machine was slow for both counts like the others."""
    ours = [run(cpu_us_per_move=cpu) for cpu in (10.0, 30.0, 12.0)]
    theirs = [run(cpu_us_per_move=cpu, kb_per_racer=20.0) for cpu in (5.0, 10.0, 5.0)]
    scenario = Scenario("few", 200, 0, target=2.4)
    assert report.ratios([scenario], {"few": {"simonrace": ours, "colyseus": theirs}}) == [
        "few: 2.40 x colyseus's CPU per move (2.00 to 3.00 in 3 rounds; target: at most 2.4; reached), "
        "0.50 x its memory per racer (0.50 to 0.50 in 3 rounds; target: at most 0.4; missed)"
    ]


def test_a_missed_target_is_reported() -> None:
    """Each figure has its own target."""
    assert beside(0.6, colyseus=run(cpu_us_per_move=30.0, kb_per_racer=20.0)) == [
        "few: 0.80 x colyseus's CPU per move (target: at most 0.6; missed), "
        "0.50 x its memory per racer (target: at most 0.4; missed)"
    ]


def test_an_echo_is_compared_only_by_cpu_time() -> None:
    """Its target is 2.5, whatever the target for the peer."""
    assert beside(1.0, echo=run(cpu_us_per_move=6.0)) == [
        "few: 4.00 x echo's CPU per move (target: at most 2.5; missed)"
    ]


def test_a_ratio_without_a_target_has_no_verdict() -> None:
    assert beside(None, colyseus=run(cpu_us_per_move=48.0, kb_per_racer=100.0)) == [
        "few: 0.50 x colyseus's CPU per move, 0.10 x its memory per racer (target: at most 0.4; reached)"
    ]


def test_a_cpu_time_of_zero_is_not_compared() -> None:
    """The system counts CPU time in hundredths of a second."""
    assert beside(1.0, echo=run(cpu_us_per_move=0.0)) == [
        "few: echo's CPU per move was too little to compare with"
    ]


def test_a_single_server_is_not_compared() -> None:
    """The peer may not be installed."""
    assert beside(1.0) == []


def test_servers_with_faults_are_named() -> None:
    """A median would hide a single bad run."""
    runs = {
        "few": {"simonrace": [run(), run(), run()], "colyseus": [run(faults=1_200), run(), run(faults=3)]}
    }
    assert report.faults(runs) == ["few: colyseus had 1,203 faults, in 2 of 3 runs"]


def test_results_are_saved_as_markdown_and_as_json(tmp_path: Path) -> None:
    """Both have the same figures, the versions and the notes."""
    results = {"few": {"simonrace": run()}}
    path = report.save("try", results, {"few": {"simonrace": [run()]}}, ["a busy evening"], tmp_path / "new")
    record = json.loads(path.read_text())
    assert path.name == f"{record['date']}-try.json"
    assert (record["medians"], record["runs"]["few"]["simonrace"]) == (results, [run()])
    assert record["notes"] == ["a busy evening"]
    written = path.with_suffix(".md").read_text()
    assert written.startswith(f"# {record['date']}: try\n\n{report.table(results)}\n\n- a busy evening\n")
    assert f"- python: {record['about']['python']}\n" in written


def test_what_was_measured_with_names_no_machine() -> None:
    """Its class alone: cores, kind of processor, system."""
    about = report.about()
    assert set(about) == {"msgspec", "uvloop", "websockets", "redis", "hiredis", "python", "machine", "node"}
    cores, kind, _ = about["machine"].split(", ")
    assert cores.endswith(" shared cores")
    assert "." not in kind
