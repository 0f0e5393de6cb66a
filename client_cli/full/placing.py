"""Which columns of the drawn board could take a group: assistance for the eye, the server decides."""

from client_cli.table import Table, group_length, height


def group(table: Table, source: int) -> int:
    """Return how many cards at the end of a column can move together, 0 for an empty one."""
    return group_length(table[source]) if table[source] else 0


def fits(table: Table, source: int, target: int, count: int) -> bool:
    """Return whether exactly `count` cards could go from one column to another."""
    if source == target or not 1 <= count <= group(table, source):
        return False
    if not table[target]:
        return True
    return height(table[target][-1]) == height(table[source][-count]) + 1


def places(table: Table, source: int, count: int | None) -> frozenset[int]:
    """Return the columns that could take `count` cards, or without a count any part of the whole group."""
    counts = range(1, group(table, source) + 1) if count is None else (count,)
    return frozenset(
        target for target in range(len(table)) if any(fits(table, source, target, each) for each in counts)
    )
