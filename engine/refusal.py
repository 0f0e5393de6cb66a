"""Why the rules refuse an action: codes only; the sentences for people live with those who show them."""

from enum import StrEnum


class Refusal(StrEnum):
    """Each rule that can refuse, by a code that never changes its meaning."""

    # There are ten columns.
    NO_SUCH_COLUMN = "no_such_column"
    # A move goes from one column to another.
    SAME_COLUMN = "same_column"
    # An empty column has nothing to move.
    EMPTY_SOURCE = "empty_source"
    # A move takes one card or more, and no more than the column holds.
    BAD_COUNT = "bad_count"
    # Cards move together only if their ranks descend one by one and they are all of one suit.
    NOT_ONE_SUIT_DESCENDING = "not_one_suit_descending"
    # A king can only go to an empty column.
    KING_NEEDS_EMPTY_COLUMN = "king_needs_empty_column"
    # Nothing goes on an ace.
    NOTHING_ON_ACE = "nothing_on_ace"
    # The card must go on one that is one rank higher.
    RANK_MISMATCH = "rank_mismatch"
    # The double-click move found no column for the group.
    NO_PLACE = "no_place"
    # Undo reaches back to the deal, and no further than the last 100 moves.
    NOTHING_TO_UNDO = "nothing_to_undo"
    # A won game is over.
    GAME_OVER = "game_over"
