"""How many cells of a terminal a text takes, and texts made to fit."""

import unicodedata
from collections.abc import Iterator
from typing import Final

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINER: Final = "\u200d"
"""The one invisible character that does something good: it makes one sign out of several."""

_OPENING: Final = frozenset("「『（《〈【([{" + _JOINER)
_CLOSING: Final = frozenset("」』）》〉】，。；：、！？…％)]},.;:!?%")
"""What stays with the character after it, or with the one before it, when a line is broken."""


def safe(text: str) -> str:
    """Return the text without what could move the cursor, turn the line around or hide in it."""
    if text.isprintable():
        return text
    return "".join(_shown(char) for char in text)


def _shown(char: str) -> str:
    if char.isspace() and unicodedata.category(char) == "Cc":
        return " "
    return "\ufffd" if unicodedata.category(char) in _HIDDEN and char != _JOINER else char


def char_width(char: str) -> int:
    """Return the cells of one character: 0 for combining marks, 2 for wide ones such as Chinese."""
    if unicodedata.category(char) in {"Mn", "Me", "Cf", "Cc"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def text_width(text: str) -> int:
    """Return the cells of a text."""
    return len(text) if text.isascii() else sum(map(char_width, text))


def fit(text: str, width: int, *, right: bool = False, cut: str = "…") -> str:
    """Return the text made exactly `width` cells wide: blanks are added, or its end gives way to `cut`."""
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
    """Return the text in lines of at most `width` cells, broken between words where that can be done.

    Chinese is broken between any two characters, but no line begins with a mark that closes something.
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
    """Split a text where lines may be broken, each piece with the blank that stands before it in a line."""
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
