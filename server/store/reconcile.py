"""What to do with a batch whose answer was lost: find out what was made, and make the rest.

Sending a commit again is safe, whenever and however late the lost one still runs: logs only grow, so at
most one of the two finds its expected length. The other is refused, and what stands in the logs then tells
that it was our own.
"""

from collections.abc import Sequence

from server.store.port import Append, Commit, Committed, Conflict, Outcome, Store


async def settle(store: Store, batch: Sequence[Commit]) -> list[Outcome]:
    """Return the outcome of each commit of a batch that may have been made already, in part or in full.

    A commit that was made before gets the present time. One without entries leaves no trace and is made
    again. Raises what the store raises; it may then be called again.
    """
    outcomes: dict[int, Outcome] = {}
    open_ones = list(range(len(batch)))
    while open_ones:
        found = await _find(store, {at: batch[at] for at in open_ones})
        if found:
            made = Committed(await store.now_ms())
            outcomes.update((at, made) for at in found)
            open_ones = [at for at in open_ones if at not in found]
        elif all(at in outcomes for at in open_ones):
            break  # all that is left was refused, and not because of ourselves
        if open_ones:
            answers = await store.commit([batch[at] for at in open_ones])
            outcomes.update(zip(open_ones, answers, strict=True))
            open_ones = [at for at in open_ones if isinstance(outcomes[at], Conflict)]
    return [outcomes[at] for at in range(len(batch))]


async def _find(store: Store, commits: dict[int, Commit]) -> set[int]:
    """Return which commits have all their entries in the place where they belong.

    Two nodes that write equal entries to the same place cannot be told apart by this: entries that must
    not be mistaken for another node's name their author.
    """
    found: set[int] = set()
    unmade: set[str] = set()
    for at, commit in commits.items():
        traces = [append for append in commit.appends if append.entries]
        # What stands on a commit that was not made was not made either, whatever is in its place.
        stands = unmade.isdisjoint(append.log for append in commit.appends)
        if stands and traces and all([await _is_there(store, append) for append in traces]):
            found.add(at)
        elif traces:
            unmade.update(append.log for append in commit.appends)
    return found


async def _is_there(store: Store, append: Append) -> bool:
    entries = await store.read(append.log, append.expected)
    return entries[: len(append.entries)] == list(append.entries)
