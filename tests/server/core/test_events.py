"""The stored form of events: old logs stay readable."""

from typing import get_args

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest

from protocol.parts import CancelReason, LeaveReason, RacerState, Ranking, Result, Settings, StartMode
from server.core import events as ev

SETTINGS = Settings(Ranking.SCORE, 4, False, StartMode.ALL_READY, 10, 600, 8, True)
RESULT = Result("p1", "Ann", 1, RacerState.WON, 851, 49, 4, 90_000)

FROZEN: dict[str, ev.Event] = {
    (
        "96ab726f6f6d5f6f70656e6564cf0000018bcfe56800a2703188a772616e6b696e67a573636f7265a5737569747304a8"
        "77696e6e61626c65c2aa73746172745f6d6f6465a9616c6c5f7265616479ab636f756e74646f776e5f730aac74696d65"
        "5f6c696d69745f73cd0258ab6d61785f6d656d6265727308ab6c6976655f626f61726473c3a468617368ae5353312d53"
        "342d41414141414244"
    ): ev.RoomOpened(1_700_000_000_000, "p1", SETTINGS, "hash", "SS1-S4-AAAAABD"),
    "96ad6d656d6265725f6a6f696e6564cf0000018bcfe56800a27031a3416e6ea26e31c3": ev.MemberJoined(
        1_700_000_000_000, "p1", "Ann", "n1", True
    ),
    "94ab6d656d6265725f6c656674cf0000018bcfe56800a27031a66b69636b6564": ev.MemberLeft(
        1_700_000_000_000, "p1", LeaveReason.KICKED
    ),
    "93b36d656d6265725f646973636f6e6e6563746564cf0000018bcfe56800a27031": ev.MemberDisconnected(
        1_700_000_000_000, "p1"
    ),
    "94b26d656d6265725f7265636f6e6e6563746564cf0000018bcfe56800a27031a26e32": ev.MemberReconnected(
        1_700_000_000_000, "p1", "n2"
    ),
    "94ad72656164795f6368616e676564cf0000018bcfe56800a27031c3": ev.ReadyChanged(
        1_700_000_000_000, "p1", True
    ),
    (
        "94aa636f6e66696775726564cf0000018bcfe5680088a772616e6b696e67a573636f7265a5737569747304a877696e6e"
        "61626c65c2aa73746172745f6d6f6465a9616c6c5f7265616479ab636f756e74646f776e5f730aac74696d655f6c696d"
        "69745f73cd0258ab6d61785f6d656d6265727308ab6c6976655f626f61726473c3c0"
    ): ev.Configured(1_700_000_000_000, SETTINGS, None),
    "93ac6c6f636b5f6368616e676564cf0000018bcfe56800c3": ev.LockChanged(1_700_000_000_000, True),
    "93ac686f73745f6368616e676564cf0000018bcfe56800a27031": ev.HostChanged(1_700_000_000_000, "p1"),
    "94ac636861745f6d657373616765cf0000018bcfe56800a27031a7e58aa0e6b2b921": ev.ChatMessage(
        1_700_000_000_000, "p1", "加油!"
    ),
    "95b1636f756e74646f776e5f73746172746564cf0000018bcfe5680003cf0000018bcfe57b88a26e31": ev.CountdownStarted(
        1_700_000_000_000, 3, 1_700_000_005_000, "n1"
    ),
    (
        "93b3636f756e74646f776e5f63616e63656c6c6564cf0000018bcfe56800ac6e6f626f64795f7265616479"
    ): ev.CountdownCancelled(1_700_000_000_000, CancelReason.NOBODY_READY),
    (
        "96ac726163655f73746172746564cf0000018bcfe5680003ae5353312d53342d41414141414244ce000927c09292a270"
        "31a3416e6e92a27032a3426f62"
    ): ev.RaceStarted(1_700_000_000_000, 3, "SS1-S4-AAAAABD", 600_000, (("p1", "Ann"), ("p2", "Bob"))),
    "96a972616365725f776f6ecf0000018bcfe56800a27031ce00015f90cd035331": ev.RacerWon(
        1_700_000_000_000, "p1", 90_000, 851, 49
    ),
    "93af72616365725f666f72666569746564cf0000018bcfe56800a27032": ev.RacerForfeited(1_700_000_000_000, "p2"),
    "93b472616365725f666f72666569745f756e646f6e65cf0000018bcfe56800a27032": ev.RacerForfeitUndone(
        1_700_000_000_000, "p2"
    ),
    (
        "95aa726163655f656e646564cf0000018bcfe5680003ae5353312d53342d414141414142449188a6706c61796572a270"
        "31a46e616d65a3416e6ea472616e6b01a57374617465a3776f6ea573636f7265cd0353a56d6f76657331a472756e7304"
        "aa726561636865645f6d73ce00015f90"
    ): ev.RaceEnded(1_700_000_000_000, 3, "SS1-S4-AAAAABD", (RESULT,)),
    "92ac6c6f6262795f6f70656e6564cf0000018bcfe56800": ev.LobbyOpened(1_700_000_000_000),
}


def test_every_type_of_event_is_frozen() -> None:
    """A new type gets its bytes here."""
    assert {type(event) for event in FROZEN.values()} == set(get_args(ev.Event))


@pytest.mark.parametrize(("stored", "event"), FROZEN.items(), ids=[type(e).__name__ for e in FROZEN.values()])
def test_the_stored_form_of_an_event_is_frozen(stored: str, event: ev.Event) -> None:
    """A change of these bytes makes existing rooms unreadable."""
    assert ev.to_bytes(event).hex() == stored
    assert ev.from_bytes(bytes.fromhex(stored)) == event


@pytest.mark.parametrize("stored", FROZEN, ids=[type(e).__name__ for e in FROZEN.values()])
def test_an_event_is_an_array_that_starts_with_its_tag_and_its_time(stored: str) -> None:
    """Checked with a second implementation of MessagePack."""
    tag, at, *_ = msgpack.unpackb(bytes.fromhex(stored))
    assert isinstance(tag, str)
    assert at == 1_700_000_000_000


def test_extra_fields_of_a_newer_server_are_ignored() -> None:
    """A field is added at the end, so that older nodes on the same store can read the log."""
    assert ev.from_bytes(msgpack.packb(["member_disconnected", 5, "p1", "new"])) == ev.MemberDisconnected(
        5, "p1"
    )


@pytest.mark.parametrize(
    "entry", [b"", b"\xc1", msgpack.packb(["nothing", 5]), msgpack.packb(["member_disconnected", 5])]
)
def test_an_entry_that_is_no_event_raises(entry: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        ev.from_bytes(entry)
