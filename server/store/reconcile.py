"""Outcome of a batch whose answer was lost: find out which commits were made, and make the others.

Sending a commit again is safe, however late the lost one runs: logs only grow, so at most one of the two
finds its expected length. The other one is refused, and the entries in the log then show that they are ours.
"""

from collections.abc import Sequence

from server.store.port import Append, Commit, Committed, Conflict, Outcome, Store


async def reconcile(store: Store, batch: Sequence[Commit]) -> list[Outcome]:
    """Return the outcome of each commit of a batch that may have been made already, in part or in full.

    A commit that was made earlier gets the present time. One without entries leaves no trace and is sent
    again. Raises what the store raises; call it again then.
    """
    outcomes: dict[int, Outcome] = {}
    remaining = list(range(len(batch)))
    while remaining:
        found = await _find(store, {at: batch[at] for at in remaining})
        if found:
            made = Committed(await store.now_ms())
            outcomes.update((at, made) for at in found)
            remaining = [at for at in remaining if at not in found]
        elif all(at in outcomes for at in remaining):
            break  # the rest was refused because of entries that are not ours
        if remaining:
            answers = await store.commit([batch[at] for at in remaining])
            outcomes.update(zip(remaining, answers, strict=True))
            remaining = [at for at in remaining if isinstance(outcomes[at], Conflict)]
    return [outcomes[at] for at in range(len(batch))]


async def _find(store: Store, commits: dict[int, Commit]) -> set[int]:
    """Return the numbers of the commits whose entries are all at their expected place.

    This cannot tell apart two nodes that write equal entries to the same place: entries that must not be
    mistaken for another node's have to name their author.
    """
    found: set[int] = set()
    unmade: set[str] = set()
    for at, commit in commits.items():
        appends = [append for append in commit.appends if append.entries]
        # A commit that depends on one that was not made was not made either, whatever is at its place.
        possible = unmade.isdisjoint(append.log for append in commit.appends)
        if possible and appends and all([await _is_present(store, append) for append in appends]):
            found.add(at)
        elif appends:
            unmade.update(append.log for append in commit.appends)
    return found


async def _is_present(store: Store, append: Append) -> bool:
    entries = await store.read(append.log, append.expected)
    return entries[: len(append.entries)] == list(append.entries)
