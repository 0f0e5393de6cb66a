"""Cards as text and as numbers."""

import pytest

from engine.cards import RANKS, SUITS, card_text, parse_card, rank_of, suit_from_king, suit_of

ALL = [rank + suit for suit in SUITS for rank in RANKS]


def test_each_of_the_52_cards_is_read_back_as_it_was_written() -> None:
    """A card is two characters, rank and suit, as on the wire."""
    assert [card_text(parse_card(text)) for text in ALL] == ALL
    assert len({parse_card(text) for text in ALL}) == 52


def test_rank_and_suit_of_a_card() -> None:
    """Ace is low, king is high."""
    assert [(rank_of(parse_card(text)), suit_of(parse_card(text))) for text in ("AS", "TH", "KC")] == [
        (1, "S"),
        (10, "H"),
        (13, "C"),
    ]


def test_cards_differ_by_one_only_within_a_suit() -> None:
    """One subtraction tells whether a card follows another: same suit, one rank lower."""
    cards = [parse_card(text) for text in ALL]
    continued = {
        (card_text(upper), card_text(lower)) for upper in cards for lower in cards if upper - lower == 1
    }
    assert continued == {(RANKS[rank + 1] + suit, RANKS[rank] + suit) for suit in SUITS for rank in range(12)}


def test_a_run_goes_from_king_to_ace() -> None:
    """Undo puts the cards of a run back in this order."""
    assert [card_text(card) for card in suit_from_king("H")] == [rank + "H" for rank in reversed(RANKS)]


@pytest.mark.parametrize("text", ["", "T", "10H", "HT", "th", "1S", "AX", " AS", "AS ", "10♥"])
def test_text_that_is_not_a_card_is_refused(text: str) -> None:
    """Every card has exactly one spelling."""
    with pytest.raises(
        ValueError, match="is not a card: a card is a rank of A23456789TJQK and a suit of SHDC"
    ):
        parse_card(text)
