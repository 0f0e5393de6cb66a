"""Columns of the board that could take a group. A hint for the eye: the server decides every move."""

from client_cli.core.own_game import Table, board_of


def group_size(columns: Table, source: int) -> int:
    """Return how many cards at the end of a column can move together, 0 for an empty column."""
    return board_of(columns).group(source)


def drop_targets(columns: Table, source: int, cards: int | None) -> frozenset[int]:
    """Return the columns that could take `cards` cards, or with None any part of the whole group."""
    board = board_of(columns)
    counts = range(1, board.group(source) + 1) if cards is None else (cards,)
    return frozenset(
        target
        for target in range(len(columns))
        if any(board.check(source, target, each) is None for each in counts)
    )
