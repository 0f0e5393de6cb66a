"""The stored form of events: old logs stay readable."""

from typing import get_args

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest

from protocol.parts import LeaveReason, RacerState, Ranking, Result, Settings, StartMode, StopReason
from server.core import events as ev

SETTINGS = Settings(Ranking.SCORE, 4, False, StartMode.ALL_READY, 10, 600, 8, True)
RESULT = Result("p1", "Ann", 1, RacerState.WON, 851, 49, 4, 90_000)

FROZEN: dict[str, ev.Event] = {
    (
        "96a46f70656ecf0000018bcfe56800a2703188a772616e6b696e67a573636f7265a5737569747304a877696e6e61626c"
        "65c2a57374617274a9616c6c5f7265616479a9636f756e74646f776e0aaa74696d655f6c696d6974cd0258a573656174"
        "7308ab6c6976655f626f61726473c3a468617368ae5353312d53342d41414141414244"
    ): ev.Opened(1_700_000_000_000, "p1", SETTINGS, "hash", "SS1-S4-AAAAABD"),
    "96a46a6f696ecf0000018bcfe56800a27031a3416e6ea26e31c3": ev.Joined(
        1_700_000_000_000, "p1", "Ann", "n1", True
    ),
    "94a46c656674cf0000018bcfe56800a27031a66b69636b6564": ev.Left(
        1_700_000_000_000, "p1", LeaveReason.KICKED
    ),
    "93a461776179cf0000018bcfe56800a27031": ev.WentAway(1_700_000_000_000, "p1"),
    "94a46261636bcf0000018bcfe56800a27031a26e32": ev.CameBack(1_700_000_000_000, "p1", "n2"),
    "94a57265616479cf0000018bcfe56800a27031c3": ev.ReadySet(1_700_000_000_000, "p1", True),
    (
        "94a3736574cf0000018bcfe5680088a772616e6b696e67a573636f7265a5737569747304a877696e6e61626c65c2a573"
        "74617274a9616c6c5f7265616479a9636f756e74646f776e0aaa74696d655f6c696d6974cd0258a5736561747308ab6c"
        "6976655f626f61726473c3c0"
    ): ev.SettingsSet(1_700_000_000_000, SETTINGS, None),
    "93a46c6f636bcf0000018bcfe56800c3": ev.LockSet(1_700_000_000_000, True),
    "93a4686f7374cf0000018bcfe56800a27031": ev.HostSet(1_700_000_000_000, "p1"),
    "94a3736179cf0000018bcfe56800a27031a7e58aa0e6b2b921": ev.Spoke(1_700_000_000_000, "p1", "加油!"),
    "95a5636f756e74cf0000018bcfe5680003cf0000018bcfe57b88a26e31": ev.CountdownBegan(
        1_700_000_000_000, 3, 1_700_000_005_000, "n1"
    ),
    "93a473746f70cf0000018bcfe56800ac6e6f626f64795f7265616479": ev.CountdownEnded(
        1_700_000_000_000, StopReason.NOBODY_READY
    ),
    (
        "96a472616365cf0000018bcfe5680003ae5353312d53342d41414141414244ce000927c09292a27031a3416e6e92a270"
        "32a3426f62"
    ): ev.Started(1_700_000_000_000, 3, "SS1-S4-AAAAABD", 600_000, (("p1", "Ann"), ("p2", "Bob"))),
    "96a3776f6ecf0000018bcfe56800a27031ce00015f90cd035331": ev.Won(1_700_000_000_000, "p1", 90_000, 851, 49),
    "93a471756974cf0000018bcfe56800a27032": ev.GaveUp(1_700_000_000_000, "p2"),
    "93a6756e71756974cf0000018bcfe56800a27032": ev.TookBack(1_700_000_000_000, "p2"),
    (
        "95a3656e64cf0000018bcfe5680003ae5353312d53342d414141414142449188a6706c61796572a27031a46e616d65a3"
        "416e6ea472616e6b01a57374617465a3776f6ea573636f7265cd0353a56d6f76657331a472756e7304a7726561636865"
        "64ce00015f90"
    ): ev.Ended(1_700_000_000_000, 3, "SS1-S4-AAAAABD", (RESULT,)),
    "92a56c6f626279cf0000018bcfe56800": ev.LobbyReopened(1_700_000_000_000),
}


def test_every_kind_of_event_is_frozen() -> None:
    """A new kind gets its bytes here."""
    assert {type(event) for event in FROZEN.values()} == set(get_args(ev.Event))


@pytest.mark.parametrize(("stored", "event"), FROZEN.items(), ids=[type(e).__name__ for e in FROZEN.values()])
def test_the_bytes_of_an_event_are_these_for_ever(stored: str, event: ev.Event) -> None:
    """Whoever changes one of these makes the rooms of yesterday unreadable."""
    assert ev.to_bytes(event).hex() == stored
    assert ev.from_bytes(bytes.fromhex(stored)) == event


@pytest.mark.parametrize("stored", FROZEN, ids=[type(e).__name__ for e in FROZEN.values()])
def test_an_event_is_an_array_that_begins_with_its_tag_and_its_time(stored: str) -> None:
    """In a second implementation's words, so that others can read a log."""
    tag, at, *_ = msgpack.unpackb(bytes.fromhex(stored))
    assert isinstance(tag, str)
    assert at == 1_700_000_000_000


def test_a_newer_servers_extra_fields_are_passed_over() -> None:
    """A field is added at the end, so that an older node of the same store can read on."""
    assert ev.from_bytes(msgpack.packb(["away", 5, "p1", "new"])) == ev.WentAway(5, "p1")


@pytest.mark.parametrize("entry", [b"", b"\xc1", msgpack.packb(["nothing", 5]), msgpack.packb(["away", 5])])
def test_what_is_no_event_is_an_error(entry: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        ev.from_bytes(entry)
