"""A room that waits for the store submits what is overdue once."""

import pytest
from racetest import Connect, GatedStore, StartNode, until

from server.core.rules import Rules
from server.rooms.timers import RoomTimers


@pytest.mark.parametrize("overdue", ["start", "hand-over"])
async def test_what_is_overdue_is_submitted_once(
    node: StartNode, person: Connect, monkeypatch: pytest.MonkeyPatch, overdue: str
) -> None:
    """The room looks again every 50 ms; while the store is unavailable its journal gets one command."""
    where = await node(rules=Rules(host_grace_ms=1_000))
    ada, ben = await person(where, "Ada"), await person(where, "Ben")
    room = await ada.create(countdown_s=1)
    await ben.join(room)
    await ben.ready()
    if overdue == "start":
        await ada.start()
    else:
        ada.abort()
        await ben.expect("member_disconnected")
    gate = GatedStore.of(where).commits
    gate.close("{room:")
    await gate.reached()
    looks: list[RoomTimers] = []
    reschedule = RoomTimers.reschedule

    def counted(timers: RoomTimers) -> None:
        looks.append(timers)
        reschedule(timers)

    monkeypatch.setattr(RoomTimers, "reschedule", counted)
    await until(lambda: len(looks) >= 5)
    assert where.journal.waiting == 1
    gate.open()
    await ben.expect("race_started" if overdue == "start" else "host_changed")
