"""Room codes: five letters that are easy to read aloud; the source of random numbers is an argument."""

from collections.abc import Callable
from typing import Final

ALPHABET: Final = "BCDFGHJKMNPQRTVWXY"
"""Consonants without L, S and Z, which look like 1, 5 and 2; without vowels, codes are not words."""

LENGTH: Final = 5
"""18^5 = 1.9 million codes; if a code is taken, another one is drawn."""


def draw(below: Callable[[int], int]) -> str:
    """Return a room code; `below(n)` returns a random number from 0 to n - 1."""
    return "".join(ALPHABET[below(len(ALPHABET))] for _ in range(LENGTH))


def normalize(text: str) -> str:
    """Return a room code in its stored form, from one that somebody typed."""
    return text.strip().upper()
