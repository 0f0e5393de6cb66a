"""Names of people and lines of chat: normalized, and without characters that disturb others.

Without this, a right-to-left override mirrors the page, a no-break space makes a look-alike, stacked
combining marks cover other text, and two people with the same name cannot be distinguished.
"""

import unicodedata
from collections.abc import Iterable
from typing import Final

from protocol import limits

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00016fe4\U0001d159") | {
    chr(code) for first, last in ((0x180B, 0x180F), (0xE0100, 0xE01EF)) for code in range(first, last + 1)
}
"""Characters of the categories letter, mark or symbol that are invisible."""

_STYLES: Final = dict.fromkeys(range(0xFE00, 0xFE10))
"""Variation selectors, which keyboards insert after emoji; a name looks the same without them."""

_CONTROLS: Final = frozenset({"Cc", "Cs"})
_DIRECTIONS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_MARKS: Final = 2
"""Most combining marks in a row; no script in use needs more."""


def clean(name: str) -> str | None:
    """Return a name in its normal form (NFC, single spaces), or None if it is not allowed."""
    name = unicodedata.normalize("NFC", " ".join(name.translate(_STYLES).split()))
    if not 1 <= len(name) <= limits.NAME_LENGTH:
        return None
    marks = _MARKS  # at the start and after a space there is no letter for a mark
    for char in name:
        category = unicodedata.category(char)
        marks = marks + 1 if category.startswith("M") else _MARKS if char == " " else 0
        if category in _HIDDEN or char in _BLANK or marks > _MARKS:
            return None
    if not any(unicodedata.category(char)[0] in "LN" for char in name):
        return None
    return name


def chat_line(text: str) -> str:
    """Return a text as one line of chat, perhaps empty, that cannot disturb a terminal or a page.

    Unlike a name it can contain invisible characters, which emoji are made with. Removed are control
    characters, changes of direction, and combining marks beyond two in a row.
    """
    kept: list[str] = []
    marks = _MARKS
    for char in " ".join(text.split()):
        category = unicodedata.category(char)
        marks = marks + 1 if category.startswith("M") else _MARKS if char == " " else 0
        if category not in _CONTROLS and char not in _DIRECTIONS and marks <= _MARKS:
            kept.append(char)
    return "".join(kept).strip()


def unique_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number appended if a name that looks equal is taken."""
    folded = {_fold(each) for each in taken}
    unique, number = name, 1
    while _fold(unique) in folded:
        number += 1
        suffix = f" {number}"
        unique = name[: limits.NAME_LENGTH - len(suffix)].rstrip() + suffix
    return unique


def _fold(name: str) -> str:
    """Return what names that look equal have in common: no difference in case or width."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
