"""Cards as small integers: sixteen times the suit's place in SUITS, plus the rank from 1 (ace) to 13 (king).

This makes two checks cheap: `card & 15` is the rank, and `upper - lower == 1` holds exactly when `lower`
follows `upper` in rank *and* has the same suit, because the gap between two suits is wider than one.
No card is 0, and every card fits in a byte.
"""

from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"

ACE: Final = 1
KING: Final = 13
RANK_MASK: Final = 15
SUIT_SHIFT: Final = 4

_TEXT_OF: Final = {
    place << SUIT_SHIFT | rank: name + suit
    for place, suit in enumerate(SUITS)
    for rank, name in enumerate(RANKS, start=ACE)
}
_CARD_OF: Final = {text: card for card, text in _TEXT_OF.items()}


def card_text(card: int) -> str:
    """Write a card as rank and suit, like `TH` for the ten of hearts."""
    return _TEXT_OF[card]


def parse_card(text: str) -> int:
    """Read a card from its rank and suit. Raises ValueError."""
    try:
        return _CARD_OF[text]
    except KeyError:
        raise ValueError(
            f"{text[:20]!r} is not a card: a card is a rank of {RANKS} and a suit of {SUITS}, like TH"
        ) from None


def rank_of(card: int) -> int:
    """Return the rank, from 1 (ace) to 13 (king)."""
    return card & RANK_MASK


def suit_of(card: int) -> str:
    """Return the letter of the suit."""
    return SUITS[card >> SUIT_SHIFT]


def suit_from_king(suit: str) -> list[int]:
    """Return a run: a whole suit from king to ace, in the order in which it lies in a column."""
    base = SUITS.index(suit) << SUIT_SHIFT
    return [base + rank for rank in range(KING, 0, -1)]
