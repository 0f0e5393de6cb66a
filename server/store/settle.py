"""What to do with a batch whose answer was lost: find out what was made, and make the rest.

Sending a commit again is safe, whenever and however late the lost one still runs: logs only grow, so at
most one of the two finds its expected length. The other is refused, and what stands in the logs then tells
that it was our own.
"""

from collections.abc import Sequence

from server.store.port import Commit, Committed, Conflict, Outcome, Store


async def settle(store: Store, batch: Sequence[Commit]) -> list[Outcome]:
    """Return the outcome of each commit of a batch that may have been made already, in part or in full.

    A commit that was made before gets the present time. One without entries leaves no trace and is made
    again. Raises what the store raises; it may then be called again.
    """
    outcomes: dict[int, Outcome] = {}
    open_ones = list(range(len(batch)))
    while open_ones:
        found = [at for at in open_ones if await _was_made(store, batch[at])]
        if found:
            made = Committed(await store.now_ms())
            outcomes.update((at, made) for at in found)
            open_ones = [at for at in open_ones if outcomes.get(at) is not made]
        elif all(at in outcomes for at in open_ones):
            break  # all that is left was refused, and not because of ourselves
        answers = await store.commit([batch[at] for at in open_ones])
        outcomes.update(zip(open_ones, answers, strict=True))
        open_ones = [at for at in open_ones if isinstance(outcomes[at], Conflict)]
    return [outcomes[at] for at in range(len(batch))]


async def _was_made(store: Store, commit: Commit) -> bool:
    """Tell whether each log has the commit's entries in the place where they belong.

    Two nodes that write equal entries to the same place cannot be told apart by this: entries that must
    not be mistaken for another node's name their author.
    """
    traces = [append for append in commit.appends if append.entries]
    for append in traces:
        stands = await store.read(append.log, append.expected)
        if stands[: len(append.entries)] != list(append.entries):
            return False
    return bool(traces)
