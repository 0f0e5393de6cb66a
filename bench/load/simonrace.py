"""Racers on our own server."""

import asyncio
import struct
from typing import Final

from bench.load.meter import Meter
from bench.load.racer import CODE, MOVE, Racer
from bench.load.wire import masked
from protocol import from_client as ask
from protocol import from_server as say
from protocol.codec import MSGPACK_CODEC
from protocol.parts import Settings
from protocol.version import MSGPACK

_ACCEPTED: Final = b"\xa4type\xa8accepted\xa4race\x01"
_STANDINGS: Final = b"\xa4type\xa9standings"

# Every room has one race. Only the number of the action varies, so it is last: 0xCE is MessagePack's uint 32.
_MOVE_HEAD: Final = (
    b"\x86\xa4type\xa4move\xa4race\x01\xa4from%c\xa2to%c\xa5cards%c\xa1n\xce" % MOVE
)  # fmt: skip
_UNDO_HEAD: Final = b"\x83\xa4type\xa4undo\xa4race\x01\xa1n\xce"

_WATCHING: Final = 50
"""Most racers of a sampled room who read the standings."""

_AT_ONCE: Final = 50
"""Rooms that are opened together, so that they share commits."""


class SimonRacer(Racer):
    """A racer; with `rivals` it reads all standings to time the moves of these racers."""

    def __init__(self, meter: Meter) -> None:
        super().__init__(meter, "/ws", MSGPACK)
        loop = asyncio.get_running_loop()
        self.player: asyncio.Future[str] = loop.create_future()
        self.room: asyncio.Future[str] = loop.create_future()
        self.racing: asyncio.Future[None] = loop.create_future()

    def request(self, message: ask.FromClient) -> None:
        """Send any message."""
        self.send(masked(MSGPACK_CODEC.encode(message)))

    def opened(self) -> None:
        """Send `hello`."""
        self.request(ask.Hello(name="Racer"))

    def action(self, number: int) -> bytes:
        """Return the frame of an action."""
        return masked((_MOVE_HEAD if number % 2 else _UNDO_HEAD) + struct.pack("!I", number))

    def received(self, payload: bytes) -> None:
        """Handle frequent messages by their first bytes; decode the others."""
        if payload.startswith(_ACCEPTED, 1):
            self.acknowledged()
        elif payload.startswith(_STANDINGS, 1):
            self.meter.updates += 1
            if self.rivals is not None:
                self._read_standings(payload)
        else:
            self._handle(MSGPACK_CODEC.from_server(payload))

    def _read_standings(self, payload: bytes) -> None:
        standings = MSGPACK_CODEC.from_server(payload)
        if isinstance(standings, say.Standings):
            self.see_moves({row.player: row.moves for row in standings.rows})

    def _handle(self, message: say.FromServer) -> None:
        match message:
            case say.Welcome():
                self.player.set_result(message.player)
            case say.Room():
                self.request(ask.Ready())
                self.room.set_result(message.room)
            case say.RaceStarted():
                self.racing.set_result(None)
            case say.Refused():
                self.refused(message.expected)
            case say.Error() | say.Accepted():  # of another race
                self.meter.faults += 1
            case _:
                pass


async def gather_racers(
    meter: Meter, ports: list[int], racers: int, room_size: int, sampled_rooms: int
) -> list[Racer]:
    """Connect all racers, spread over the ports, put them into rooms and start the races."""
    loop = asyncio.get_running_loop()
    everybody: list[SimonRacer] = []
    for place in range(racers):
        _, racer = await loop.create_connection(
            lambda: SimonRacer(meter), "127.0.0.1", ports[place % len(ports)]
        )
        everybody.append(racer)
    await asyncio.gather(*(racer.player for racer in everybody))
    settings = Settings(countdown_s=1, winnable=False, max_members=max(room_size, 4), time_limit_s=3600)
    rooms = [everybody[first : first + room_size] for first in range(0, racers, room_size)]
    for room in rooms[:sampled_rooms]:
        rivals = {racer.player.result(): racer for racer in room}
        for racer in room[:_WATCHING]:
            racer.rivals = rivals
    for first in range(0, len(rooms), _AT_ONCE):
        for host, *_ in rooms[first : first + _AT_ONCE]:
            host.request(ask.Create(settings=settings, code=CODE))
        for host, *guests in rooms[first : first + _AT_ONCE]:
            code = await host.room
            for guest in guests:
                guest.request(ask.Join(room=code))
                if len(guests) > 10:
                    await guest.room
    await asyncio.gather(*(racer.room for racer in everybody))
    await asyncio.sleep(0.5)
    for room in rooms:
        room[0].request(ask.StartCountdown())
    await asyncio.gather(*(racer.racing for racer in everybody))
    return list(everybody)
