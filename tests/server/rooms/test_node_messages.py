"""What nodes tell each other, as bytes and back."""

import msgspec
import pytest

from protocol.parts import RacerState
from server.rooms.node_messages import (
    LeaderboardChanged,
    RaceProgressed,
    RacerProgress,
    RoomLogGrew,
    from_bytes,
    to_bytes,
)

ROW = RacerProgress("ada", 3, RacerState.PLAYING, 497, 3, 0, 1200, 1300, 7)


@pytest.mark.parametrize(
    "news",
    [
        RoomLogGrew("BCDFG", 12),
        RaceProgressed("BCDFG", 2, (ROW,)),
        RaceProgressed("BCDFG", 2, (ROW,), rolled_back=True),
        LeaderboardChanged("SS1-S1-AAAAABD"),
    ],
    ids=lambda news: type(news).__name__,
)
def test_a_message_is_decoded_as_it_was_encoded(
    news: RoomLogGrew | RaceProgressed | LeaderboardChanged,
) -> None:
    """Nothing is lost on the way."""
    assert from_bytes(to_bytes(news)) == news


def test_a_message_of_an_older_node_is_no_rollback() -> None:
    """It does not know of corrections: in an upgrade nodes of both kinds tell each other."""
    older = msgspec.msgpack.encode(["race_progressed", "BCDFG", 2, [msgspec.to_builtins(ROW)]])
    assert from_bytes(older) == RaceProgressed("BCDFG", 2, (ROW,), rolled_back=False)


@pytest.mark.parametrize(
    "payload", [b"", b"\xc1", to_bytes(RoomLogGrew("BCDFG", 1))[:-1], b"\x92\xa4wind\x01"]
)
def test_a_payload_that_is_no_message_is_refused(payload: bytes) -> None:
    """A message of another program on the channel is reported as a fault, and nothing else."""
    with pytest.raises(msgspec.DecodeError):
        from_bytes(payload)
