"""Racers without a race: the answer to a message is the message, which is the generator's own ceiling."""

import asyncio
from typing import Final

from bench.load.meter import Meter
from bench.load.racer import Racer
from bench.load.wire import masked

_FRAME: Final = masked(b"as long as a usual move is, to a byte or so")


class EchoRacer(Racer):
    """One connection to a server that sends everything back."""

    def action(self, number: int) -> bytes:  # noqa: ARG002 - all are the same
        """Return the frame of an action."""
        return _FRAME

    def received(self, payload: bytes) -> None:  # noqa: ARG002 - it is what was sent
        """Count it."""
        self.acknowledged()


async def gather_racers(
    meter: Meter, ports: list[int], racers: int, room_size: int, sampled_rooms: int
) -> list[Racer]:
    """Connect everybody."""
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
