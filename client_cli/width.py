"""How many cells of a terminal a text takes, and texts made to fit."""

import unicodedata
from typing import Final

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINER: Final = "\u200d"
"""The one invisible character that does something good: it makes one sign out of several."""


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
    """Return the text in lines of at most `width` cells, broken between words where that can be done."""
    lines: list[str] = []
    row = ""
    for word in text.split(" "):
        if row and text_width(row) + 1 + text_width(word) > width:
            lines.append(row)
            row = ""
        row = f"{row} {word}" if row else word
        while text_width(row) > width:
            head = _cut(row, width, "") or row[0]
            lines.append(head)
            row = row[len(head) :]
    return [*lines, row] if row or not lines else lines
