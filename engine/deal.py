"""Deals of game codes. The shuffle of code version SS1 is frozen by the vectors in tests/data/deals.json.

The shuffle, in enough detail to implement it in any language: Write the game code in capitals, for example
SS1-S1-AAAAABD. For counter = 0, 1, 2 and so on take SHA-256 of the ASCII text made of the code, a slash and
the counter in decimal without leading zeros (SS1-S1-AAAAABD/0, then SS1-S1-AAAAABD/1). Cut each digest of 32
bytes, starting with its first byte, into eight unsigned 32-bit big-endian words. The words of all digests in
order are one endless stream. To draw a number below n, take the next word w of the stream; if w is not below
2^32 - (2^32 mod n), reject it and take the next one; the drawn number is w mod n. Put the pack in order,
places 0 to 51: for 4 suits all spades from ace to king, then all hearts, all diamonds, all clubs, each from
ace to king; for 2 suits spades, hearts, spades, hearts; for 1 suit four times the spades. Then for i from 51
down to 1 draw j below i + 1 and swap the cards at places i and j. Deal from place 0 on, column by column from
the left: 8 cards to each of the columns 1, 2 and 3, then 7, 6, 5, 4, 3, 2 and 1 cards to the columns 4 to 10;
within a column the first card dealt lies deepest and the last one is free to move.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from engine.board import Board
from engine.cards import ACE, KING, SUIT_SHIFT
from engine.code import GameCode

HEIGHTS: Final = (8, 8, 8, 7, 6, 5, 4, 3, 2, 1)


def deal(code: GameCode) -> Board:
    """Return the board that a code deals."""
    pack = ordered_pack(code.suits)
    words = word_stream(str(code))
    for i in range(len(pack) - 1, 0, -1):
        j = draw_below(i + 1, words)
        pack[i], pack[j] = pack[j], pack[i]
    cards = iter(pack)
    return Board([next(cards) for _ in range(height)] for height in HEIGHTS)


def ordered_pack(suits: int) -> list[int]:
    """Return the 52 cards in their order before the shuffle."""
    one_of_each = [place << SUIT_SHIFT | rank for place in range(suits) for rank in range(ACE, KING + 1)]
    return one_of_each * (4 // suits)


def word_stream(text: str) -> Iterator[int]:
    """Yield the endless stream of 32-bit words that a code's text gives."""
    counter = 0
    while True:
        digest = sha256(f"{text}/{counter}".encode("ascii")).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        counter += 1


def draw_below(bound: int, words: Iterator[int]) -> int:
    """Draw a number below `bound`, each equally likely, from a stream of 32-bit words."""
    limit = 2**32 - 2**32 % bound
    while (word := next(words)) >= limit:
        pass
    return word % bound
