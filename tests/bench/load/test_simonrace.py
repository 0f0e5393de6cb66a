"""Racers on our own server: their frames, how they handle its messages, and a real race."""

import msgspec
import pytest
from loadtest import UPGRADED, Clock, Wire, wired
from racetest import StartNode, until

from bench.load.drive import begin_closed, end_closed
from bench.load.meter import Meter
from bench.load.racer import MOVE
from bench.load.simonrace import SimonRacer, gather_racers
from protocol import from_client as ask
from protocol import from_server as say
from protocol.codec import MSGPACK_CODEC
from protocol.parts import StandingsRow


def new_racer(clock: Clock | None = None) -> tuple[SimonRacer, Wire]:
    return wired(SimonRacer(Meter(clock=clock or Clock())))


def standings(*moves: int) -> bytes:
    rows = [
        StandingsRow(player=name, rank=1, score=500 - made, moves=made, runs=0, progress=3)
        for name, made in zip("ab", moves, strict=True)
    ]
    return MSGPACK_CODEC.encode(say.Standings(race=1, elapsed_ms=100, rows=rows))


ACCEPTED = MSGPACK_CODEC.encode(say.Accepted(race=1, n=1, at_ms=5, score=499, moves=1, runs=0, undoable=1))


@pytest.mark.parametrize("number", [1, 127, 129, 70_001])
async def test_an_odd_action_is_a_move(number: int) -> None:
    """Assembled by hand, read by the codec of the protocol."""
    racer, _ = new_racer()
    source, target, cards = MOVE
    expected = ask.Move(race=1, n=number, source=source, target=target, cards=cards)
    assert MSGPACK_CODEC.from_client(racer.action(number)[6:]) == expected


@pytest.mark.parametrize("number", [2, 70_000])
async def test_an_even_action_is_an_undo(number: int) -> None:
    """Assembled by hand, read by the codec of the protocol."""
    racer, _ = new_racer()
    assert MSGPACK_CODEC.from_client(racer.action(number)[6:]) == ask.Undo(race=1, n=number)


async def test_a_connected_racer_sends_hello() -> None:
    """As the first frame."""
    wire = Wire()
    racer = SimonRacer(Meter())
    racer.connection_made(wire)
    racer.data_received(UPGRADED)
    _, hello = wire.written
    assert MSGPACK_CODEC.from_client(hello[6:]) == ask.Hello(name="Racer")


async def test_an_acknowledgement_is_recognized_by_its_first_bytes() -> None:
    """The bytes are those of the codec."""
    clock = Clock(1.0)
    racer, _ = new_racer(clock)
    racer.act(0.25)
    racer.received(ACCEPTED)
    assert racer.meter == Meter(acknowledged=1, latencies=[0.75], clock=clock)


async def test_an_acknowledgement_of_another_race_is_a_fault() -> None:
    """It acknowledges nothing of this race."""
    racer, _ = new_racer()
    racer.act(0.25)
    racer.received(MSGPACK_CODEC.encode(msgspec.structs.replace(MSGPACK_CODEC.from_server(ACCEPTED), race=2)))
    assert (racer.meter.acknowledged, racer.meter.faults) == (0, 1)


async def test_standings_time_the_moves_of_rivals() -> None:
    """All racers count standings; racers with rivals read them."""
    clock = Clock()
    watcher, _ = new_racer(clock)
    rival, _ = new_racer(clock)
    watcher.rivals = {"a": rival}
    watcher.received(standings(0, 0))
    rival.act(1.0)
    rival.received(ACCEPTED)
    clock.time = 1.5
    watcher.received(standings(1, 1))
    assert (watcher.meter.ages, watcher.meter.updates) == ([0.5], 2)


async def test_a_refused_racer_goes_on_from_the_number_that_is_expected() -> None:
    """It is a fault, but not the end of the run."""
    racer, wire = new_racer()
    racer.number = 7
    racer.act(0.0)
    refusal = say.Refused(race=1, n=8, expected=2, code="wrong_number", text="")
    racer.received(MSGPACK_CODEC.encode(refusal))
    racer.act(0.0)
    assert wire.written == [racer.action(8), racer.action(2)]
    assert racer.meter.faults == 1


async def test_an_error_is_a_fault() -> None:
    """A racer of the load generator should get none."""
    racer, _ = new_racer()
    racer.received(MSGPACK_CODEC.encode(say.Error(code="rate_limited", text="", temporary=True)))
    assert racer.meter.faults == 1


async def test_a_real_race_continues_after_a_refusal(node: StartNode) -> None:
    """Two rooms of two, one of them sampled; one racer has a wrong number, is refused and continues."""
    meter, server = Meter(), await node()
    racers = await gather_racers(meter, [server.address[1]], 4, room_size=2, sampled_rooms=1)
    try:
        assert [racer.rivals is not None for racer in racers] == [True, True, False, False]
        first = racers[0]
        first.number = 6
        first.act(meter.clock())
        await until(lambda: meter.faults == 1)
        assert first.number == 0
        begin_closed(racers)
        await until(lambda: first.number >= 5 and meter.ages)
        end_closed(racers)
        assert (meter.faults, meter.acknowledged) == (1, len(meter.latencies))
    finally:
        for racer in racers:
            racer._transport.close()
        await until(lambda: all(racer.lost for racer in racers))
