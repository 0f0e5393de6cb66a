"""Widths of texts in terminal cells; fitting and wrapping."""

import unicodedata
from collections.abc import Iterator
from typing import Final

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINER: Final = "\u200d"
"""Zero-width joiner, the only invisible character that is kept: it joins signs into one."""

_OPENING: Final = frozenset("「『（《〈【([{" + _JOINER)
_CLOSING: Final = frozenset("」』）》〉】，。；：、！？…％)]},.;:!?%")
"""Characters that stay with the next character, or with the one before, when a line is broken."""


def safe(text: str) -> str:
    """Replace characters that move the cursor, change the direction of the text or are invisible."""
    if text.isprintable():
        return text
    return "".join(_shown(char) for char in text)


def _shown(char: str) -> str:
    if char.isspace() and unicodedata.category(char) == "Cc":
        return " "
    return "\ufffd" if unicodedata.category(char) in _HIDDEN and char != _JOINER else char


def char_width(char: str) -> int:
    """Return the width of a character in cells: 0 for combining marks, 2 for wide ones such as Chinese."""
    if unicodedata.category(char) in {"Mn", "Me", "Cf", "Cc"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def text_width(text: str) -> int:
    """Return the width of a text in cells."""
    return len(text) if text.isascii() else sum(map(char_width, text))


def fit(text: str, width: int, *, right: bool = False, cut: str = "…") -> str:
    """Return a text of exactly `width` cells: padded with blanks, or cut with `cut` at its end."""
    missing = width - text_width(text)
    if missing < 0:
        text = _cut(text, width, cut)
        missing = width - text_width(text)
    return " " * missing + text if right else text + " " * missing


def _cut(text: str, width: int, cut: str) -> str:
    room = width - text_width(cut)
    kept = ""
    for char in text:
        room -= char_width(char)
        if room < 0:
            break
        kept += char
    return kept + cut if width >= text_width(cut) else ""


def wrap(text: str, width: int) -> list[str]:
    """Wrap a text into lines of at most `width` cells, between words if possible.

    Chinese is broken between any two characters, but no line begins with a closing mark.
    """
    if text_width(text) <= width:
        return [text]
    lines: list[str] = []
    row = ""
    for gap, atom in _atoms(text):
        if row and text_width(row) + len(gap) + text_width(atom) > width:
            lines.append(row)
            row = ""
        row = f"{row}{gap}{atom}" if row else atom
        while text_width(row) > width:
            head = _cut(row, width, "") or row[0]
            lines.append(head)
            row = row[len(head) :]
    return [*lines, row] if row or not lines else lines


def _atoms(text: str) -> Iterator[tuple[str, str]]:
    """Split a text where lines may be broken; each part comes with the blank before it."""
    for number, word in enumerate(text.split(" ")):
        gap = " " if number else ""
        piece = ""
        for char in word:
            if piece and _may_break(piece[-1], char):
                yield gap, piece
                gap, piece = "", ""
            piece += char
        yield gap, piece


def _may_break(before: str, after: str) -> bool:
    wide = char_width(before) == 2 or char_width(after) == 2
    return wide and before not in _OPENING and after not in _CLOSING and char_width(after) > 0
