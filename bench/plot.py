"""A line chart as SVG, with nothing but the standard library."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 560, 300, 60, 46, 34
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")  # told apart by colour-blind people too

Points = Sequence[tuple[float, float]]


def chart(title: str, across: str, lines: Mapping[str, Points]) -> str:
    """Draw lines over a logarithmic axis; the upright one begins at nought."""
    xs = [x for points in lines.values() for x, _ in points]
    top = _round_up(max(y for points in lines.values() for _, y in points))
    low, high = math.log10(max(min(xs), 1)), math.log10(max(xs))

    def place(x: float, y: float) -> tuple[float, float]:
        share = (math.log10(max(x, 1)) - low) / ((high - low) or 1)
        return _LEFT + share * (_WIDTH - _LEFT - 20), _HEIGHT - _BOTTOM - y / top * (_HEIGHT - _BOTTOM - _TOP)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="18" font-size="14">{escape(title)}</text>',
        f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>',
    ]
    for step in range(5):
        y = place(1, top * step / 4)[1]
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - 20}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{top * step / 4:g}</text>')
    below = _HEIGHT - _BOTTOM + 16
    parts += [
        f'<text x="{place(x, 0)[0]:.1f}" y="{below}" text-anchor="middle">{x:,.0f}</text>'
        for x in sorted(set(xs))
    ]
    for number, (name, points) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
            for x, y in (place(*point) for point in points)
        ]
        parts.append(
            f'<text x="{_WIDTH - 24}" y="{_TOP + 14 * number + 4}" text-anchor="end" fill="{colour}">'
            f"{escape(name)}</text>"
        )
    return "\n".join([*parts, "</svg>", ""])


def _round_up(value: float) -> float:
    size: float = 10 ** math.floor(math.log10(value or 1))
    return float(next(size * step for step in (1, 2, 4, 6, 8, 10) if size * step >= value))
