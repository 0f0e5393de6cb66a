"""Chart: values over time in braille dots, or in digits on ASCII terminals."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from client_cli.core import times
from client_cli.text.style import Line, Role, Segment, Style

CURVE_ROLES: Final = (Role.BAR, Role.HEARTS, Role.DIAMONDS, Role.CLUBS, Role.SPADES)
_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a braille character, by row and column of the dot."""

_LABEL_WIDTH: Final = 5
_MARKS: Final = 3
"""How many curves that end on one line are marked there."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A value over time, constant between its points."""

    mark: str  # one cell that names the curve
    role: Role
    points: Sequence[tuple[int, int]]  # ms and value, in order


def chart(curves: Sequence[Curve], length_ms: int, width: int, height: int, style: Style) -> list[Line]:
    """Return a chart of `length_ms`: values on the left, time below. Empty where there is no room."""
    plot_width, plot_height = width - _LABEL_WIDTH - 2 - _MARKS, height - 1
    if not curves or plot_width < 10 or plot_height < 3:
        return []
    values = [value for curve in curves for _, value in curve.points]
    low, high = min(values), max(values)
    high = max(high, low + 1)
    across, down = (2, 4) if style.glyphs else (1, 1)
    plot = _Plot(plot_width, plot_height, low, high)
    for curve in reversed(curves):  # the first curve is drawn last, on top
        dots = _dots(curve, length_ms, (low, high), plot_width * across, plot_height * down)
        for x, y in dots:
            cell = (x // across, y // down)
            bits = plot.cells.get(cell, (0, curve))[0]
            plot.cells[cell] = (bits | _DOTS[y % down][x % across] if style.glyphs else 0, curve)
        plot.ends.setdefault(dots[-1][1] // down, []).insert(0, curve)
    return [*(_plot_line(y, plot, style) for y in range(plot_height)), _axis(length_ms, plot_width, style)]


@dataclass(slots=True)
class _Plot:
    """Drawn cells."""

    width: int
    height: int
    low: int
    high: int
    cells: dict[tuple[int, int], tuple[int, Curve]] = field(default_factory=dict)  # dots, topmost curve
    ends: dict[int, list[Curve]] = field(default_factory=dict)  # by line, the curves that end there


def _dots(
    curve: Curve, length_ms: int, span: tuple[int, int], width: int, height: int
) -> list[tuple[int, int]]:
    low, high = span
    dots: list[tuple[int, int]] = []
    at, last = 0, -1
    points = list(curve.points)
    for x in range(width):
        moment = length_ms * x // max(1, width - 1)
        while at + 1 < len(points) and points[at + 1][0] <= moment:
            at += 1
        y = (high - points[at][1]) * (height - 1) // (high - low)
        steps = range(min(last, y), max(last, y) + 1) if last >= 0 else (y,)
        dots += [(x, each) for each in steps if each != y]
        dots.append((x, y))
        last = y
        if moment >= points[-1][0]:
            break
    return dots


def _plot_line(y: int, plot: _Plot, style: Style) -> Line:
    label = {0: str(plot.high), plot.height - 1: str(plot.low)}.get(y, "")
    segments = [Segment(f"{label:>{_LABEL_WIDTH}}{'│' if style.glyphs else '|'}", Role.QUIET)]
    for x in range(plot.width):
        found = plot.cells.get((x, y))
        if found is None:
            segments.append(Segment(" "))
        else:
            bits, curve = found
            segments.append(Segment(chr(0x2800 + bits) if style.glyphs else curve.mark, curve.role))
    ends = plot.ends.get(y, [])[:_MARKS]
    return (
        *segments,
        *([Segment(" ")] if ends else []),
        *(Segment(curve.mark, curve.role) for curve in ends),
    )


def _axis(length_ms: int, width: int, style: Style) -> Line:
    corner, edge = ("└", "─") if style.glyphs else ("+", "-")
    end = times.rough(length_ms)
    dashes = edge * max(0, width - len(end) - 6)
    return (Segment(f"{'':>{_LABEL_WIDTH}}{corner}{edge * 2}0:00{dashes[:-1]} {end}", Role.QUIET),)
