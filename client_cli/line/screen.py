"""Terminal drawn in place: the frame, below it an input line and a status line."""

import os
import sys
from typing import Final, TextIO

from rich.console import Console
from rich.style import Style as RichStyle
from rich.text import Text

from client_cli.text.style import Line, Role, Style, clip
from client_cli.text.translation import ENGLISH, Translation

# Okabe and Ito's palette, which colour-blind people can tell apart on black and on white. Bold and underline
# are a second difference, and the sign of the suit a third.
STYLES: Final = {
    Role.TEXT: RichStyle(),
    Role.QUIET: RichStyle(dim=True),
    Role.TITLE: RichStyle(bold=True),
    Role.WARNING: RichStyle(bold=True, color="#D55E00"),
    Role.ME: RichStyle(bold=True),
    Role.BAR: RichStyle(color="#56B4E9"),
    Role.SPADES: RichStyle(bold=True),
    Role.HEARTS: RichStyle(bold=True, color="#D55E00"),
    Role.DIAMONDS: RichStyle(underline=True, color="#E69F00"),
    Role.CLUBS: RichStyle(color="#0072B2"),
}

_PROMPT: Final = "> "
_GLYPHS: Final = "♠♥♦♣█░…·"


def can_draw(output: TextIO) -> bool:
    """Return whether the output is a terminal with a movable cursor."""
    return output.isatty() and os.environ.get("TERM", "") not in {"dumb", "unknown"}


def has_glyphs(output: TextIO) -> bool:
    """Return whether the output's encoding has the signs of the suits."""
    try:
        _GLYPHS.encode(output.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def style_of(output: TextIO, *, ascii_only: bool = False, translate: Translation = ENGLISH) -> Style:
    """Return the style for an output; a pipe counts as 80 by 24 cells."""
    try:
        size = os.get_terminal_size(output.fileno())
    except (OSError, ValueError):
        size = os.terminal_size((80, 24))
    columns, rows = size if size.columns and size.lines else (80, 24)
    return Style(columns, rows, glyphs=not ascii_only and has_glyphs(output), translate=translate)


def print_lines(lines: list[Line], output: TextIO | None = None) -> None:
    """Print lines, in colour if the output has colours."""
    console = Console(file=output or sys.stdout, highlight=False, soft_wrap=True)
    for each in lines:
        console.print(rich_text(each), soft_wrap=True)


def rich_text(pieces: Line) -> Text:
    """Return a line as rich text, each segment in the style of its role."""
    return Text.assemble(*((piece.text, STYLES[piece.role]) for piece in pieces))


class Screen:
    """Alternate screen of the terminal, so that its contents return at the end.

    The input line is the last but one. It is never drawn over, as the terminal itself echoes and edits it.
    """

    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._console = Console(file=output, highlight=False, force_terminal=True)
        self._shown: dict[int, str] = {}
        self._size = (0, 0)

    def open(self) -> None:
        """Switch to the alternate screen."""
        self._write("\x1b[?1049h\x1b[2J")

    def close(self) -> None:
        """Switch back to the normal screen."""
        self._write("\x1b[?1049l")

    def paint(self, lines: list[Line], status: Line, style: Style, *, prompt: bool) -> None:
        """Draw the lines and the status; with `prompt` clear the input line.

        Only changed rows are written, and the cursor returns to the input line.
        """
        fresh = self._size != (style.width, style.height)
        if fresh:
            self._size, self._shown = (style.width, style.height), {}
        wanted = dict(enumerate(lines, start=1))
        out = ["\x1b[2J" if fresh else "", "" if prompt or fresh else "\x1b7", "\x1b[?25l"]
        out += [self._row(row, wanted.get(row, ())) for row in range(1, style.height - 1)]
        out.append(self._row(style.height, clip(status, style.width - 1, style.cut)))
        if prompt or fresh:
            out.append(f"\x1b[{max(1, style.height - 1)};1H\x1b[2K{_PROMPT}")
        else:
            out.append("\x1b8")
        out.append("\x1b[?25h")
        self._write("".join(out))

    def forget(self) -> None:
        """Redraw every row next time, as something else may have been written."""
        self._size = (0, 0)

    def _row(self, row: int, pieces: Line) -> str:
        with self._console.capture() as captured:
            self._console.print(rich_text(pieces), end="", soft_wrap=True)
        text = captured.get()
        if self._shown.get(row, "") == text:
            return ""
        self._shown[row] = text
        return f"\x1b[{row};1H{text}\x1b[K"

    def _write(self, text: str) -> None:
        self._output.write(text)
        self._output.flush()
