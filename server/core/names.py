"""Names of people: which are allowed, and how equal ones are told apart.

Faults that other servers have had: a right-to-left override mirrors the page, a no-break space makes a
look-alike, stacked combining marks cover other text, two people with one name cannot be told apart.
"""

import unicodedata
from collections.abc import Iterable
from typing import Final

from protocol import limits

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Characters that count as letters or symbols and show nothing."""

_MARKS: Final = 2
"""Most combining marks in a row; no living script needs more."""


def clean(name: str) -> str | None:
    """Return a name in its normal form (NFC, single spaces), or None when it is not allowed."""
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    if not 1 <= len(name) <= limits.NAME_LENGTH:
        return None
    marks = 0
    for char in name:
        category = unicodedata.category(char)
        marks = marks + 1 if category.startswith("M") else 0
        if category in _HIDDEN or char in _BLANK_LETTERS or marks > _MARKS:
            return None
    if not any(unicodedata.category(char)[0] in "LN" for char in name):
        return None
    return name


def tell_apart(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number behind it when somebody in the room has one that looks equal."""
    looks = {_look(each) for each in taken}
    shown, number = name, 1
    while _look(shown) in looks:
        number += 1
        suffix = f" {number}"
        shown = name[: limits.NAME_LENGTH - len(suffix)] + suffix
    return shown


def _look(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
