"""Line charts as SVG, with only the standard library."""

import itertools
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _BOTTOM, _TOP = 560, 300, 60, 34, 46, 50
_LABEL: Final = 46
"""Width of a number below the axis; a number that would overlap is left out."""

_WHISKER: Final = 3
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")  # distinguishable for colour-blind people too

Samples = Mapping[str, Iterable[tuple[float, float]]]
"""Measured values by line: any number of (x, y) pairs, in any order."""


class Point(NamedTuple):
    """A median with the minimum and maximum."""

    x: float
    y: float
    low: float
    high: float


Lines = Mapping[str, Sequence[Point]]


def spread(samples: Samples) -> dict[str, list[Point]]:
    """Return median, minimum and maximum at each x, from left to right."""
    lines = {}
    for name, pairs in samples.items():
        by_x: dict[float, list[float]] = {}
        for x, y in pairs:
            by_x.setdefault(x, []).append(y)
        lines[name] = [Point(x, statistics.median(ys), min(ys), max(ys)) for x, ys in sorted(by_x.items())]
    return lines


def chart(title: str, across: str, lines: Lines) -> str:
    """Return a chart of lines with whiskers; the x axis is logarithmic, the y axis starts at 0."""
    points = [point for each in lines.values() for point in each]
    xs = sorted({point.x for point in points})
    top = _round_up(max(point.high for point in points))
    low, high = math.log10(max(xs[0], 1)), math.log10(max(xs[-1], 1))

    def right(x: float) -> float:
        share = (math.log10(max(x, 1)) - low) / ((high - low) or 1)
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    def down(y: float) -> float:
        return _HEIGHT - _BOTTOM - y / top * (_HEIGHT - _BOTTOM - _TOP)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="18" font-size="14">{escape(title)}</text>',
        f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>',
    ]
    for step in range(5):
        y = down(top * step / 4)
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{top * step / 4:g}</text>')
    parts += _numbers_below([(right(x), x) for x in xs])
    colours = dict(zip(lines, itertools.cycle(_COLOURS), strict=False))
    names = (f'<tspan fill="{colours[name]}" dx="12">{escape(name)}</tspan>' for name in lines)
    parts.append(f'<text x="{_LEFT - 12}" y="36">{"".join(names)}</text>')
    for name, each in lines.items():
        colour = colours[name]
        path = " ".join(f"{right(point.x):.1f},{down(point.y):.1f}" for point in each)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for point in each:
            x = right(point.x)
            parts.append(_whisker(x, down(point.low), down(point.high), colour))
            parts.append(f'<circle cx="{x:.1f}" cy="{down(point.y):.1f}" r="3" fill="{colour}"/>')
    return "\n".join([*parts, "</svg>", ""])


def _numbers_below(places: list[tuple[float, float]]) -> list[str]:
    """Return the numbers along the axis: the last one, and the others that do not overlap."""
    parts: list[str] = []
    free = math.inf
    for right, x in reversed(places):
        if right <= free:
            y = _HEIGHT - _BOTTOM + 16
            parts.append(f'<text x="{right:.1f}" y="{y}" text-anchor="middle">{x:,.0f}</text>')
            free = right - _LABEL
    return parts[::-1]


def _whisker(x: float, low: float, high: float, colour: str) -> str:
    """Return a line from minimum to maximum, with a short line at each end."""
    left, ends = x - _WHISKER, f"h{2 * _WHISKER}"
    path = f"M{x:.1f} {low:.1f}V{high:.1f}M{left:.1f} {low:.1f}{ends}M{left:.1f} {high:.1f}{ends}"
    return f'<path d="{path}" fill="none" stroke="{colour}"/>'


def _round_up(value: float) -> float:
    size: float = 10 ** math.floor(math.log10(value or 1))
    return float(next(size * step for step in (1, 2, 4, 6, 8, 10) if size * step >= value))
