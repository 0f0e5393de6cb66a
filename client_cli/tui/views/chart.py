"""Lines over time as rows of characters: braille dots, or digits where there is only ASCII."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from client_cli.core import times
from client_cli.text.style import Role, Style
from client_cli.tui.views.ink import Ink, Row

LINE_ROLES: Final = (Role.BAR, Role.HEARTS, Role.DIAMONDS, Role.CLUBS, Role.SPADES)
_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a braille sign, by row and column of its dots."""

_LABEL: Final = 5
_MARKS: Final = 3
"""Curves that end in one row and can be named there."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A value that holds from each point on until the next; `mark` is one cell that tells whose it is."""

    mark: str
    role: Role
    points: Sequence[tuple[int, int]]


def chart(curves: Sequence[Curve], length: int, width: int, height: int, style: Style) -> list[Row]:
    """Return a chart of `length` ms in so many cells: values at the left, time below."""
    plot_width, plot_height = width - _LABEL - 2 - _MARKS, height - 1
    if not curves or plot_width < 10 or plot_height < 3:
        return []
    values = [value for curve in curves for _, value in curve.points]
    low, high = min(values), max(values)
    high = max(high, low + 1)
    across, down = (2, 4) if style.glyphs else (1, 1)
    plot = _Plot(plot_width, plot_height, low, high)
    for curve in reversed(curves):  # the best is drawn last, on top of the others
        dots = _dots(curve, length, (low, high), plot_width * across, plot_height * down)
        for x, y in dots:
            cell = (x // across, y // down)
            bits = plot.cells.get(cell, (0, curve))[0]
            plot.cells[cell] = (bits | _DOTS[y % down][x % across] if style.glyphs else 0, curve)
        plot.ends.setdefault(dots[-1][1] // down, []).insert(0, curve)
    return [*(_line(y, plot, style) for y in range(plot_height)), _axis(length, plot_width, style)]


@dataclass(slots=True)
class _Plot:
    """What is drawn: cells with the dots of the curve on top, and the rows where curves end."""

    width: int
    height: int
    low: int
    high: int
    cells: dict[tuple[int, int], tuple[int, Curve]] = field(default_factory=dict)
    ends: dict[int, list[Curve]] = field(default_factory=dict)


def _dots(curve: Curve, length: int, span: tuple[int, int], width: int, height: int) -> list[tuple[int, int]]:
    low, high = span
    dots: list[tuple[int, int]] = []
    at, last = 0, -1
    points = list(curve.points)
    for x in range(width):
        moment = length * x // max(1, width - 1)
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


def _line(y: int, plot: _Plot, style: Style) -> Row:
    label = {0: str(plot.high), plot.height - 1: str(plot.low)}.get(y, "")
    pieces = [Ink(f"{label:>{_LABEL}}{'│' if style.glyphs else '|'}", Role.QUIET)]
    for x in range(plot.width):
        found = plot.cells.get((x, y))
        if found is None:
            pieces.append(Ink(" "))
        else:
            bits, curve = found
            pieces.append(Ink(chr(0x2800 + bits) if style.glyphs else curve.mark, curve.role))
    ends = plot.ends.get(y, [])[:_MARKS]
    return (*pieces, *([Ink(" ")] if ends else []), *(Ink(curve.mark, curve.role) for curve in ends))


def _axis(length: int, width: int, style: Style) -> Row:
    corner, edge = ("└", "─") if style.glyphs else ("+", "-")
    end = times.rough(length)
    dashes = edge * max(0, width - len(end) - 6)
    return (Ink(f"{'':>{_LABEL}}{corner}{edge * 2}0:00{dashes[:-1]} {end}", Role.QUIET),)
