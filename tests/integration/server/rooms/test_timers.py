"""What time alone brings about is asked for once, however long the store takes to remember it."""

import pytest
from racetest import Connect, GatedStore, StartNode, until


@pytest.mark.parametrize("bring_about", ["start", "hand-over"])
async def test_what_is_overdue_is_asked_for_once(node: StartNode, person: Connect, bring_about: str) -> None:
    """While the store is away, a room that waits for it takes no more than its place in the journal."""
    where = await node()
    ada, ben = await person(where, "Ada"), await person(where, "Ben")
    room = await ada.create(countdown_s=1)
    await ben.join(room)
    await ben.ready()
    if bring_about == "start":
        await ada.start()
    else:
        ada.vanish()
        await ben.expect("member_disconnected")
    gate = GatedStore.of(where).commits
    gate.close("{room:")
    await gate.reached()
    overdue = where.journal.now_ms() + 400  # the room looks again every 50 ms
    await until(lambda: where.journal.now_ms() >= overdue)
    assert where.journal.waiting == 1
    gate.open()
    await ben.expect("race_started" if bring_about == "start" else "host_changed")
