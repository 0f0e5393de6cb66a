"""Codes of the refusals."""

from engine.refusal import Refusal


def test_the_codes_never_change() -> None:
    """Clients and recorded sessions identify each rule by its code."""
    assert [str(refusal) for refusal in Refusal] == [
        "no_such_column",
        "same_column",
        "empty_source",
        "bad_cards",
        "not_one_suit_descending",
        "king_needs_empty_column",
        "nothing_on_ace",
        "rank_mismatch",
        "no_place",
        "nothing_to_undo",
        "game_over",
    ]
