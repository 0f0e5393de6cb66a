"""Room codes: short, easy to read aloud, drawn by chance that is an argument."""

from collections.abc import Callable
from typing import Final

ALPHABET: Final = "BCDFGHJKMNPQRTVWXY"
"""Capital consonants without L and S, Z: nothing looks like 1, 5 or 2, and no words come out."""

LENGTH: Final = 5
"""18^5 = 1.9 million codes; a code that is taken is drawn again."""


def draw(below: Callable[[int], int]) -> str:
    """Return a room code; `below(n)` gives a random number from 0 to n - 1."""
    return "".join(ALPHABET[below(len(ALPHABET))] for _ in range(LENGTH))


def tidy(text: str) -> str:
    """Return a room code as it is kept, from what somebody typed."""
    return text.strip().upper()
