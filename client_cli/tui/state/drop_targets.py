"""Which columns of the drawn board could take a group: assistance for the eye, the server decides."""

from client_cli.core.own_game import Table, board_of


def group(table: Table, source: int) -> int:
    """Return how many cards at the end of a column can move together, 0 for an empty one."""
    return board_of(table).group(source)


def places(table: Table, source: int, count: int | None) -> frozenset[int]:
    """Return the columns that could take `count` cards, or without a count any part of the whole group."""
    board = board_of(table)
    counts = range(1, board.group(source) + 1) if count is None else (count,)
    return frozenset(
        target
        for target in range(len(table))
        if any(board.check(source, target, each) is None for each in counts)
    )
