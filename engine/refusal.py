"""Refusals of the rules, as codes. The texts for people are in `protocol.refusals`."""

from enum import StrEnum


class Refusal(StrEnum):
    """Code of each rule that can refuse an action. A code never changes its meaning."""

    # There are ten columns.
    NO_SUCH_COLUMN = "no_such_column"
    # A move goes from one column to another.
    SAME_COLUMN = "same_column"
    # An empty column has no card to move.
    EMPTY_SOURCE = "empty_source"
    # A move takes at least one card, and at most as many as the column has.
    BAD_CARDS = "bad_cards"
    # Cards move together only if their ranks descend one by one and they are all of one suit.
    NOT_ONE_SUIT_DESCENDING = "not_one_suit_descending"
    # A king can only go to an empty column.
    KING_NEEDS_EMPTY_COLUMN = "king_needs_empty_column"
    # Nothing goes on an ace.
    NOTHING_ON_ACE = "nothing_on_ace"
    # A card goes only on a card that is one rank higher.
    RANK_MISMATCH = "rank_mismatch"
    # No column takes the group of an automatic move.
    NO_PLACE = "no_place"
    # Undo goes back to the deal, and at most 100 moves.
    NOTHING_TO_UNDO = "nothing_to_undo"
    # A won game accepts no action.
    GAME_OVER = "game_over"
