"""Racers on the peer: Colyseus' own protocol, spoken without its client library."""

import asyncio
import json
import struct
from typing import Final

from bench.load.meter import Meter
from bench.load.racer import MOVE, Racer
from bench.load.wire import masked

_JOIN_ROOM: Final = 10
_ROOM_DATA: Final = 13
_ROOM_STATE: Final = 14
_ROOM_PATCH: Final = 15

# Room data, the name of the message, then MessagePack with the number last.
_MOVE_HEAD: Final = b"\x0d\xa4move\x84\xa4from%c\xa2to%c\xa5count%c\xa1n\xce" % MOVE
_UNDO_HEAD: Final = b"\x0d\xa4undo\x81\xa1n\xce"
_ACCEPTED: Final = b"\x0d\xa8accepted"


class ColyseusRacer(Racer):
    """One racer in a room of the peer."""

    def __init__(self, meter: Meter, path: str) -> None:
        super().__init__(meter, path)
        self.racing: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def action(self, number: int) -> bytes:
        """Return the frame of an action."""
        return masked((_MOVE_HEAD if number % 2 else _UNDO_HEAD) + struct.pack("!I", number))

    def received(self, payload: bytes) -> None:
        """Tell messages by their first byte."""
        kind = payload[0]
        if kind == _ROOM_DATA:
            if payload.startswith(_ACCEPTED):
                self.acknowledged()
            else:
                self.meter.faults += 1
        elif kind == _ROOM_PATCH:
            self.meter.updates += 1
        elif kind == _JOIN_ROOM:
            self.send(masked(bytes((_JOIN_ROOM,))))
        elif kind == _ROOM_STATE:
            if not self.racing.done():
                self.racing.set_result(None)
        else:
            self.meter.faults += 1


async def gather_racers(
    meter: Meter, ports: list[int], racers: int, room_size: int, sampled_rooms: int
) -> list[Racer]:
    """Connect everybody, each into the room that is not full yet."""
    _ = room_size, sampled_rooms  # the peer's rooms are of the size it was started with
    loop = asyncio.get_running_loop()
    everybody: list[ColyseusRacer] = []
    for place in range(racers):
        port = ports[place % len(ports)]
        path = await _seat(port)
        _, racer = await loop.create_connection(
            lambda path=path: ColyseusRacer(meter, path),  # type: ignore[misc]
            "127.0.0.1",
            port,
        )
        everybody.append(racer)
        await racer.racing
    return list(everybody)


async def _seat(port: int) -> str:
    """Ask the matchmaker for a seat; return the path of its WebSocket."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"POST /matchmake/joinOrCreate/race HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    )
    answer = await reader.read()
    writer.close()
    body = answer.partition(b"\r\n\r\n")[2]
    seat = json.loads(body[body.index(b"{") : body.rindex(b"}") + 1])
    room = seat.get("room", seat)
    return f"/{room['processId']}/{room['roomId']}?sessionId={seat['sessionId']}"
