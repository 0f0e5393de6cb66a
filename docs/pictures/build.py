"""Draw the pictures of the README: the screens that the tests hold, in the colours of the terminal, as SVG.

PYTHONPATH=tests/support python docs/pictures/build.py
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from fullscreen import screen_lines

from client_cli.files.catalogues import translation
from client_cli.text.style import Line, Segment, Tone
from client_cli.text.width import text_width
from client_cli.tui.palette import DARK, LIGHT, rich_style

HERE: Final = Path(__file__).parent
CELL: Final = 9.6
LINE: Final = 20
MARGIN: Final = 14
FONT: Final = "'DejaVu Sans Mono', Menlo, Consolas, 'Noto Sans Mono CJK TC', monospace"
BLOCKS: Final = {"█": 1.0, "░": 0.25}
"""Signs that fill their cell, and how much of it."""

PICTURES: Final = {
    "lobby": ("lobby", (96, 24), "en", True),
    "race": ("race", (96, 26), "en", True),
    "race-light-chinese": ("race", (96, 26), "zh-Hant", False),
    "results": ("results", (96, 28), "en", True),
    "replay": ("replay", (96, 26), "en", True),
}
"""For each picture the screen, its size, the language, and whether it is dark."""


def svg(lines: Sequence[Line], size: tuple[int, int], *, dark: bool) -> str:
    """Return lines as a picture."""
    palette = DARK if dark else LIGHT
    width, height = round(size[0] * CELL + 2 * MARGIN), size[1] * LINE + 2 * MARGIN
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">',
        f'<rect width="{width}" height="{height}" rx="8" fill="{palette.ground[Tone.PAGE]}"/>',
        f'<g font-family="{escape(FONT)}" font-size="16" xml:space="preserve">',
    ]
    for number, line in enumerate(lines):
        x = 0
        for segment in line:
            body += _segment(segment, x, number, dark=dark)
            x += text_width(segment.text)
    return "\n".join([*body, "</g>", "</svg>", ""])


def _segment(segment: Segment, column: int, number: int, *, dark: bool) -> list[str]:
    """Return a segment's background and characters, each at its own place: a font cannot shift the rest."""
    cells = text_width(segment.text)
    look = rich_style(segment.role, segment.tone, dark=dark, colours=True)
    if look.color is None or look.bgcolor is None:
        return []
    drawn_ = [] if segment.tone is Tone.PAGE else [_box(column, number, cells, look.bgcolor.name)]
    words_: list[tuple[int, str]] = []
    for sign in segment.text:
        if "\u2800" <= sign <= "\u28ff":
            drawn_.append(_dots(column, number, ord(sign) - 0x2800, look.color.name))
        elif sign in BLOCKS:
            drawn_.append(_box(column, number, 1, look.color.name, BLOCKS[sign]))
        elif sign != " ":
            start, word = words_[-1] if words_ else (column, "")
            if start + text_width(word) == column and word:
                words_[-1] = (start, word + sign)
            else:
                words_.append((column, sign))
        column += text_width(sign)
    weight = ' font-weight="bold"' if look.bold else ""
    return drawn_ + [_word(start, number, word, look.color.name, weight) for start, word in words_]


def _word(column: int, number: int, word: str, colour: str, weight: str) -> str:
    """Return a word with a place for each of its signs, for those who place only whole texts, too."""
    places = []
    for sign in word:
        places.append(f"{MARGIN + column * CELL:.1f}")
        column += text_width(sign)
    top = MARGIN + number * LINE + 15
    return f'<text x="{" ".join(places)}" y="{top}" fill="{colour}"{weight}>{escape(word)}</text>'


def _dots(column: int, number: int, bits: int, colour: str) -> str:
    """Return the dots of a braille sign: few fonts have them, and none in the same place."""
    path = ""
    for bit in range(8):
        if bits >> bit & 1:
            across, down = (bit // 3, bit % 3) if bit < 6 else (bit - 6, 3)
            left, top = MARGIN + (column + 0.5 * across) * CELL + 1, MARGIN + number * LINE + 5 * down + 1
            path += f"M{left:.1f} {top}h3v3h-3z"
    return f'<path d="{path}" fill="{colour}"/>'


def _box(column: int, number: int, cells: int, colour: str, opacity: float = 1) -> str:
    seen = "" if opacity == 1 else f' fill-opacity="{opacity}"'
    left, top = MARGIN + column * CELL, MARGIN + number * LINE
    return (
        f'<rect x="{left:.1f}" y="{top}" width="{cells * CELL:.1f}" height="{LINE}" fill="{colour}"{seen}/>'
    )


def pictures() -> dict[str, str]:
    """Return each picture's file name and contents."""
    return {
        f"{name}.svg": svg(screen_lines(screen, size, translation(language)), size, dark=dark)
        for name, (screen, size, language, dark) in PICTURES.items()
    }


def main() -> None:
    """Write all pictures."""
    for name, contents in pictures().items():
        (HERE / name).write_text(contents, encoding="utf-8")


if __name__ == "__main__":
    main()
