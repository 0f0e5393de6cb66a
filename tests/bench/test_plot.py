"""Charts: valid SVG with every value in its place."""

import re
from xml.etree import ElementTree as Xml

import pytest

from bench.plot import Point, chart, spread

SVG = "{http://www.w3.org/2000/svg}"


def drawn(lines: dict[str, list[Point]], title: str = "By racers", across: str = "racers") -> Xml.Element:
    return Xml.fromstring(chart(title, across, lines))  # noqa: S314 - it is our own


def texts(svg: Xml.Element) -> list[str]:
    return [text for each in svg.iter() if each.tag in (f"{SVG}text", f"{SVG}tspan") and (text := each.text)]


def numbers(svg: Xml.Element) -> list[str]:
    """Return the numbers below the axis."""
    lowest = max(float(each.attrib["y"]) for each in svg.iter(f"{SVG}text"))
    below = sorted({float(each.attrib["y"]) for each in svg.iter(f"{SVG}text")} - {lowest})[-1]
    return [each.text or "" for each in svg.iter(f"{SVG}text") if float(each.attrib["y"]) == below]


ONE = {"CPU": [Point(10, 50.0, 40.0, 80.0), Point(1_000, 100.0, 90.0, 100.0)]}


def test_points_are_medians_with_minimum_and_maximum() -> None:
    """From left to right, whatever the order of the rounds."""
    samples = {"CPU": [(10.0, 3.0), (2.0, 5.0), (10.0, 1.0), (2.0, 5.0), (10.0, 9.0)], "p99": [(2.0, 7.0)]}
    assert spread(samples) == {
        "CPU": [Point(2, 5, 5, 5), Point(10, 3, 1, 9)],
        "p99": [Point(2, 7, 7, 7)],
    }


def test_a_chart_is_well_formed_and_has_its_size() -> None:
    """Characters that have a meaning in XML are escaped."""
    svg = drawn({"a < b & c": ONE["CPU"]}, title='"By" <racers>', across="x & y")
    assert (svg.tag, svg.attrib["viewBox"]) == (f"{SVG}svg", "0 0 560 300")
    assert {"a < b & c", '"By" <racers>', "x & y"} <= set(texts(svg))


def test_the_y_axis_reaches_from_0_to_above_the_highest_whisker() -> None:
    """In four steps."""
    svg = drawn({"CPU": [Point(1, 50.0, 40.0, 130.0)]})
    steps = [each.text for each in svg.iter(f"{SVG}text") if each.attrib.get("text-anchor") == "end"]
    assert steps == ["0", "50", "100", "150", "200"]


def test_the_x_axis_is_logarithmic() -> None:
    """Ten times as many are at the same distance again."""
    svg = drawn({"CPU": [Point(x, 1.0, 1.0, 1.0) for x in (10, 100, 1_000)]})
    first, second, third = (float(each.attrib["cx"]) for each in svg.iter(f"{SVG}circle"))
    assert second - first == pytest.approx(third - second, abs=0.2)
    assert numbers(svg) == ["10", "100", "1,000"]


def test_whiskers_reach_from_minimum_to_maximum() -> None:
    """Around the point, in the colour of its line."""
    svg = drawn(ONE)
    whiskers = [each.attrib["d"] for each in svg.iter(f"{SVG}path") if "V" in each.attrib["d"]]
    points = [float(each.attrib["cy"]) for each in svg.iter(f"{SVG}circle")]
    ends = [tuple(map(float, re.findall(r"M[\d.]+ ([\d.]+)V([\d.]+)", path)[0])) for path in whiskers]
    assert len(ends) == len(points) == 2
    assert [low >= y >= high for (low, high), y in zip(ends, points, strict=True)] == [True, True]
    scale = (points[0] - points[1]) / 50
    assert [round((low - high) / scale) for low, high in ends] == [40, 10]


def test_every_line_has_a_colour_and_its_name_in_it() -> None:
    """Several lines share a chart."""
    svg = drawn(dict.fromkeys(("CPU", "p99", "memory"), ONE["CPU"]))
    lines = [each.attrib["stroke"] for each in svg.iter(f"{SVG}polyline")]
    names = [(each.text, each.attrib["fill"]) for each in svg.iter(f"{SVG}tspan")]
    assert len(set(lines)) == 3
    assert names == list(zip(("CPU", "p99", "memory"), lines, strict=True))


def test_a_number_below_the_axis_that_would_overlap_is_left_out() -> None:
    """The last one is always shown."""
    svg = drawn({"CPU": [Point(x, 1.0, 1.0, 1.0) for x in (500, 8_000, 14_000, 15_000)]})
    assert numbers(svg) == ["500", "8,000", "15,000"]


def test_all_points_are_within_the_picture() -> None:
    """A single point and values of 0 too."""
    svg = drawn({"CPU": [Point(1, 0.0, 0.0, 0.0)], "p99": [Point(1, 0.4, 0.1, 0.7)]})
    for each in svg.iter(f"{SVG}circle"):
        assert 0 < float(each.attrib["cx"]) < 560
        assert 0 < float(each.attrib["cy"]) < 300
