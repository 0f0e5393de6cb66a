"""A card is one small int: sixteen times the suit's place in SUITS, plus the rank from 1 (ace) to 13 (king).

Two things are cheap that way: `card & 15` is the rank, and `upper - lower == 1` says that `lower`
continues `upper` downwards *in the same suit*, because the gap between two suits is wider than one.
No card is 0, and every card fits a byte.
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
    """Write a card as rank and suit, like TH for the ten of hearts."""
    return _TEXT_OF[card]


def parse_card(text: str) -> int:
    """Read a card from its rank and suit; ValueError if there is no such card."""
    try:
        return _CARD_OF[text]
    except KeyError:
        raise ValueError(
            f"{text[:20]!r} is no card: a card is a rank of {RANKS} and a suit of {SUITS}, like TH"
        ) from None


def rank_of(card: int) -> int:
    """Tell the rank, from 1 (ace) to 13 (king)."""
    return card & RANK_MASK


def suit_of(card: int) -> str:
    """Tell the suit's letter."""
    return SUITS[card >> SUIT_SHIFT]


def suit_from_king(suit: str) -> list[int]:
    """List a whole suit from king to ace, in the order in which it lies as a run."""
    base = SUITS.index(suit) << SUIT_SHIFT
    return [base + rank for rank in range(KING, 0, -1)]
