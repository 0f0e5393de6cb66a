"""A room on one node."""

from roomtest import ADA, BEN, RoomNode, Table, idle, move

from protocol import from_server as say


async def test_an_action_is_accepted(here: RoomNode) -> None:
    table = await Table.racing(here, BEN)
    table.room.act(ADA, move(1))
    await idle()
    (accepted,) = table.at[ADA].messages(say.Accepted)
    assert (accepted.race, accepted.n) == (1, 1)
