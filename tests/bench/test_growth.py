"""Sweeps: their rounds, and what is saved."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from bench import growth
from bench.scenarios import Scenario
from bench.subjects import Subject


def test_every_point_is_measured_once_in_each_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """So other load on the machine affects all of them. A run without an answer has no quantile."""
    started: list[int] = []

    @contextmanager
    def start() -> Iterator[Subject]:
        yield Subject("simonrace", (1,), (1,))

    def measured(_: Subject, scenario: Scenario, seconds: float) -> dict[str, Any]:
        started.append(scenario.racers)
        p99 = None if len(started) == 1 else scenario.racers * seconds
        return {"cpu_us_per_move": 10 * len(started), "ack_ms": {"p99": p99}}

    monkeypatch.setattr(growth, "measure_on", measured)
    monkeypatch.setattr(growth, "_REST_S", 0)
    runs: growth.Runs = [(racers, Scenario("", racers, 1), start) for racers in (5, 7)]
    samples = growth._sweep(runs, rounds=2, seconds=0.5)
    assert started == [5, 7, 5, 7]
    assert samples == {
        "CPU µs/move": [(5, 10), (7, 20), (5, 30), (7, 40)],
        "ack p99 ms": [(7, 3.5), (5, 2.5), (7, 3.5)],
    }


def test_a_sweep_is_saved_as_json_and_as_a_chart(tmp_path: Path) -> None:
    """Each point has its median, minimum and maximum."""
    samples = {"CPU µs/move": [(500, 30.0), (500, 10.0), (500, 20.0), (15_000, 5.0)]}
    path = growth.save("racers", "racers at 1 move/s", 3, samples, tmp_path)
    record = json.loads(path.read_text())
    assert (record["rounds"], record["columns"]) == (3, ["x", "y", "low", "high"])
    assert record["lines"] == {"CPU µs/move": [[500, 20.0, 10.0, 30.0], [15_000, 5.0, 5.0, 5.0]]}
    svg = Xml.fromstring(path.with_suffix(".svg").read_text())  # noqa: S314 - it is our own
    assert "By racers: median and range of 3 runs" in list(svg.itertext())


def test_the_sweeps_reach_15_000_racers_and_rooms_of_1_000() -> None:
    assert growth.RACERS == (500, 1_000, 2_000, 4_000, 8_000, 12_000, 15_000)
    assert growth.ROOM_SIZES[-1] == 1_000
