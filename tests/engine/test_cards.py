import pytest

from engine.cards import RANKS, SUITS, card_text, parse_card, rank_of, suit_from_king, suit_of

ALL = [rank + suit for suit in SUITS for rank in RANKS]


def test_each_of_the_52_cards_reads_back_as_it_was_written() -> None:
    """A card on the wire is two characters, rank and suit."""
    assert [card_text(parse_card(text)) for text in ALL] == ALL
    assert len({parse_card(text) for text in ALL}) == 52


def test_a_card_knows_its_rank_and_suit() -> None:
    """Ace is low, king is high."""
    assert [(rank_of(parse_card(text)), suit_of(parse_card(text))) for text in ("AS", "TH", "KC")] == [
        (1, "S"),
        (10, "H"),
        (13, "C"),
    ]


def test_cards_differ_by_one_only_within_a_suit() -> None:
    """One subtraction tells whether a card continues another: same suit, one rank lower."""
    cards = [parse_card(text) for text in ALL]
    continued = {
        (card_text(upper), card_text(lower)) for upper in cards for lower in cards if upper - lower == 1
    }
    assert continued == {(RANKS[rank + 1] + suit, RANKS[rank] + suit) for suit in SUITS for rank in range(12)}


def test_a_suit_is_listed_from_king_to_ace() -> None:
    """A run that comes back lies as it left."""
    assert [card_text(card) for card in suit_from_king("H")] == [rank + "H" for rank in reversed(RANKS)]


@pytest.mark.parametrize("text", ["", "T", "10H", "HT", "th", "1S", "AX", " AS", "AS ", "10♥"])
def test_what_is_no_card_is_refused(text: str) -> None:
    """A card is written in exactly one way."""
    with pytest.raises(
        ValueError, match="is not a card: a card is a rank of A23456789TJQK and a suit of SHDC"
    ):
        parse_card(text)
