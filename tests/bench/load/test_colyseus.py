"""Racers on the peer; the messages were recorded from its server."""

import msgpack  # type: ignore[import-untyped]
from loadtest import Clock, Wire, wired

from bench.load.colyseus import ColyseusRacer
from bench.load.meter import Meter
from bench.load.racer import Racer
from bench.load.wire import masked

JOINED = b"\x0a\x09" + b"7L0-YJfH-" + b"\x06schema" + bytes.fromhex("8001ff01800002800105")
STATE = bytes.fromhex(
    "0e8001ff018000a9415637763866583754028001a9385532326f7443725503"
    "ff0280f401000081000000008200830084a7706c6179696e67"
    "ff0380f401000081000000008200830084a7706c6179696e67"
)
ACCEPTED = bytes.fromhex(
    "0da86163636570746564de0009a16e01a561745f6d733ca573636f7265cd01f3a56d6f76657301"
    "a472756e7300a8756e646f61626c6501a466726f6d00a2746f04a5636172647301"
)
REFUSED = bytes.fromhex(
    "0da772656675736564de0003a16e08a8657870656374656402a4636f6465ac77726f6e675f6e756d626572"
)
FIRST_MOVED = bytes.fromhex("0fff0280f301000081010000008304")
BOTH_MOVED = bytes.fromhex("0fff0380f301000081010000008304ff0280f301000081010000008304")
FIRST, SECOND = "AV7v8fX7T", "8U22otCrU"


def new_racer(
    clock: Clock | None = None, rivals: dict[str, Racer] | None = None
) -> tuple[ColyseusRacer, Wire]:
    return wired(ColyseusRacer(Meter(clock=clock or Clock()), "/room", rivals))


async def test_an_action_is_room_data_with_a_name_and_a_message() -> None:
    """A move and its undo alternate; another implementation of MessagePack reads the messages."""
    racer, _ = new_racer()
    unframed = [racer.action(number)[6:] for number in (1, 2, 70_001)]
    assert [data[0] for data in unframed] == [13, 13, 13]
    read = []
    for data in unframed:
        unpacker = msgpack.Unpacker()
        unpacker.feed(data[1:])
        read.append(list(unpacker))
    move = {"from": 0, "to": 4, "cards": 1}
    assert read == [["move", {**move, "n": 1}], ["undo", {"n": 2}], ["move", {**move, "n": 70_001}]]


async def test_joining_is_confirmed() -> None:
    """The peer sends the state of a room only after this confirmation."""
    racer, wire = new_racer()
    racer.received(JOINED)
    assert wire.written == [masked(b"\x0a")]
    assert not racer.racing.done()


async def test_the_first_state_starts_the_race() -> None:
    """A second state changes nothing."""
    racer, _ = new_racer()
    racer.received(STATE)
    racer.received(STATE)
    assert racer.racing.done()


async def test_an_acknowledgement_is_recognized_by_its_name() -> None:
    """It is for the oldest action in flight."""
    clock = Clock(1.0)
    racer, _ = new_racer(clock)
    racer.act(0.25)
    racer.received(ACCEPTED)
    assert racer.meter == Meter(acknowledged=1, latencies=[0.75], clock=clock)


async def test_a_patch_counts_as_an_update() -> None:
    """A racer without rivals does not decode it."""
    racer, _ = new_racer()
    racer.received(FIRST_MOVED)
    assert racer.meter.updates == 1


async def test_a_refused_racer_continues_with_the_expected_number() -> None:
    """As on our own server."""
    racer, wire = new_racer()
    racer.number = 7
    racer.act(0.0)
    racer.received(REFUSED)
    racer.act(0.0)
    assert wire.written == [racer.action(8), racer.action(2)]
    assert racer.meter.faults == 1


async def test_any_other_message_is_a_fault() -> None:
    """An error of the room, and room data with another name."""
    racer, _ = new_racer()
    racer.received(b"\x0b\x01")
    racer.received(b"\x0d\xa5other\xc0")
    assert racer.meter.faults == 2


async def test_patches_time_the_moves_of_rivals() -> None:
    """For all racers of a sampled room, the racer itself included, from when each move was due."""
    clock = Clock()
    rivals: dict[str, Racer] = {}
    watcher, _ = new_racer(clock, rivals)
    rivals[FIRST] = watcher
    rivals[SECOND], _ = new_racer(clock)
    watcher.received(STATE)
    watcher.act(1.0)
    watcher.received(ACCEPTED)
    rivals[SECOND].act(1.25)
    clock.time = 1.5
    watcher.received(BOTH_MOVED)
    watcher.received(FIRST_MOVED)
    assert sorted(watcher.meter.ages) == [0.25, 0.5]
