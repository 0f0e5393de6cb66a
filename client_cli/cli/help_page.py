"""Help page of a command, laid out by terminal cells: a Chinese character takes two."""

import re
from collections.abc import Iterable
from gettext import gettext

import click

from client_cli.core.translatable import gettext_noop as _
from client_cli.text.width import text_width, wrap

_HEADING = _("{heading}:")
_REMARK = re.compile(r"\[[^]]*\]$")
"""The default and the range of an option; they stay on one line."""

_TERM_CELLS = 30
"""Cells of the longest term with its explanation beside it; below a longer term it is on the next line."""


class HelpPage(click.HelpFormatter):
    """Formatter of usage, paragraphs and lists."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage line."""
        usage = gettext("Usage:") if prefix is None else prefix.rstrip()
        lead = f"{usage}{' ' if usage.isascii() else ''}{prog} "
        indent = text_width(lead)
        first, *more = wrap(args, max(20, self.width - indent))
        self.write(f"{lead}{first}".rstrip() + "\n")
        self._write_rows(more, indent)

    def write_heading(self, heading: str) -> None:
        """Write the heading of a list."""
        self.write(f"{'':{self.current_indent}}{gettext(_HEADING).format(heading=heading)}\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs; blank lines separate them."""
        for number, paragraph in enumerate(text.split("\n\n")):
            if number:
                self.write("\n")
            row = " ".join(paragraph.split())
            self._write_rows(wrap(row, self.width - self.current_indent), self.current_indent)

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = _TERM_CELLS, col_spacing: int = 2
    ) -> None:
        """Write terms with their explanations beside them."""
        listed = list(rows)
        column = min(col_max, max(text_width(term) for term, __ in listed)) + col_spacing
        indent = self.current_indent + column
        for term, meaning in listed:
            beside = text_width(term) <= column - col_spacing
            first, *more = self._meaning(meaning, self.width - indent)
            lead = f"{'':{self.current_indent}}{term}"
            if not beside and first:
                more, first = [first, *more], ""
            gap = " " * (column - text_width(term)) if first else ""
            self.write(f"{lead}{gap}{first}\n")
            self._write_rows(more, indent)

    def _meaning(self, text: str, width: int) -> list[str]:
        joined = " ".join(text.split())
        found = _REMARK.search(joined)
        sentence, remark = (joined[: found.start()].rstrip(), found[0]) if found else (joined, "")
        rows = wrap(sentence, max(10, width))
        if remark and text_width(rows[-1]) + 1 + text_width(remark) > width:
            return [*rows, *wrap(remark, max(10, width))]
        return [*rows[:-1], f"{rows[-1]} {remark}".strip()]

    def _write_rows(self, rows: Iterable[str], indent: int) -> None:
        for row in rows:
            self.write(f"{'':{indent}}{row}\n")
