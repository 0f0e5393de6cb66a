"""Names of people, which are allowed and how equal ones are told apart; and the lines that people say.

Faults that other servers have had: a right-to-left override mirrors the page, a no-break space makes a
look-alike, stacked combining marks cover other text, two people with one name cannot be told apart.
"""

import unicodedata
from collections.abc import Iterable
from typing import Final

from protocol import limits

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00016fe4\U0001d159") | {
    chr(code) for first, last in ((0x180B, 0x180F), (0xE0100, 0xE01EF)) for code in range(first, last + 1)
}
"""Characters that count as letters, marks or symbols and show nothing."""

_STYLES: Final = dict.fromkeys(range(0xFE00, 0xFE10))
"""Variation selectors: keyboards put them behind emoji; without them a name looks the same."""

_RULING: Final = frozenset({"Cc", "Cs"})
_TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_MARKS: Final = 2
"""Most combining marks in a row; no living script needs more."""


def clean(name: str) -> str | None:
    """Return a name in its normal form (NFC, single spaces), or None when it is not allowed."""
    name = unicodedata.normalize("NFC", " ".join(name.translate(_STYLES).split()))
    if not 1 <= len(name) <= limits.NAME_LENGTH:
        return None
    marks = _MARKS  # at the start and after a space: there is no letter to bear a mark
    for char in name:
        category = unicodedata.category(char)
        marks = marks + 1 if category.startswith("M") else _MARKS if char == " " else 0
        if category in _HIDDEN or char in _BLANK or marks > _MARKS:
            return None
    if not any(unicodedata.category(char)[0] in "LN" for char in name):
        return None
    return name


def chat_line(text: str) -> str:
    """Return what somebody says as one line that stays in its place; perhaps nothing is left.

    Other than in a name, invisible characters may stay, emoji are made with them; but no controls, which
    rule a terminal, no changes of direction, which mirror what follows, and no towers of marks.
    """
    said: list[str] = []
    marks = _MARKS
    for char in " ".join(text.split()):
        category = unicodedata.category(char)
        marks = marks + 1 if category.startswith("M") else _MARKS if char == " " else 0
        if category not in _RULING and char not in _TURNING and marks <= _MARKS:
            said.append(char)
    return "".join(said).strip()


def unique_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number behind it when somebody in the room has one that looks equal."""
    looks = {_look(each) for each in taken}
    shown, number = name, 1
    while _look(shown) in looks:
        number += 1
        suffix = f" {number}"
        shown = name[: limits.NAME_LENGTH - len(suffix)].rstrip() + suffix
    return shown


def _look(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
