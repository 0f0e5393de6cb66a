"""Racers on an echo server, which show the limit of the load generator itself."""

import asyncio
from typing import Final

from bench.load.meter import Meter
from bench.load.racer import Racer
from bench.load.wire import masked

_FRAME: Final = masked(b"as long as a usual move is, to a byte or so")  # the length matters


class EchoRacer(Racer):
    """A connection to a server that returns every message."""

    def action(self, number: int) -> bytes:  # noqa: ARG002 - all frames are equal
        """Return the frame of an action."""
        return _FRAME

    def received(self, payload: bytes) -> None:  # noqa: ARG002 - the message that was sent
        """Count an answer."""
        self.acknowledged()


async def gather_racers(
    meter: Meter, ports: list[int], racers: int, room_size: int, sampled_rooms: int
) -> list[Racer]:
    """Connect all racers."""
    _ = room_size, sampled_rooms
    loop = asyncio.get_running_loop()
    everybody: list[Racer] = []
    for place in range(racers):
        _, racer = await loop.create_connection(
            lambda: EchoRacer(meter, "/ws"), "127.0.0.1", ports[place % len(ports)]
        )
        everybody.append(racer)
    await asyncio.sleep(0.2)
    return everybody
