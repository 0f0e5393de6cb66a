"""Racers on the peer, over Colyseus' own protocol without its client library."""

import asyncio
import json
import struct
from typing import Final

from msgspec import Struct, msgpack

from bench.load.meter import Meter
from bench.load.patches import Patches
from bench.load.racer import MOVE, Racer
from bench.load.wire import masked

_JOIN_ROOM: Final = 10
_ROOM_DATA: Final = 13
_ROOM_STATE: Final = 14
_ROOM_PATCH: Final = 15

# Room data, the name of the message, then MessagePack with the number of the action last.
_MOVE_HEAD: Final = b"\x0d\xa4move\x84\xa4from%c\xa2to%c\xa5cards%c\xa1n\xce" % MOVE
_UNDO_HEAD: Final = b"\x0d\xa4undo\x81\xa1n\xce"
_ACCEPTED: Final = b"\x0d\xa8accepted"
_REFUSED: Final = b"\x0d\xa7refused"

_WATCHING: Final = 50
"""Racers of each sampled room who read the standings, as on our own server."""


class _Refused(Struct):
    expected: int


class ColyseusRacer(Racer):
    """A racer in a room of the peer; with `rivals` it reads all patches to time the moves of these racers."""

    def __init__(self, meter: Meter, path: str, rivals: dict[str, Racer] | None = None) -> None:
        super().__init__(meter, path)
        self.rivals = rivals
        self.racing: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._patches = Patches()

    def action(self, number: int) -> bytes:
        """Return the frame of an action."""
        return masked((_MOVE_HEAD if number % 2 else _UNDO_HEAD) + struct.pack("!I", number))

    def received(self, payload: bytes) -> None:
        """Handle a message by its first byte."""
        kind = payload[0]
        if kind == _ROOM_DATA:
            if payload.startswith(_ACCEPTED):
                self.acknowledged()
            elif payload.startswith(_REFUSED):
                self.refused(msgpack.decode(payload[len(_REFUSED) :], type=_Refused).expected)
            else:
                self.meter.faults += 1
        elif kind == _ROOM_PATCH:
            self.meter.updates += 1
            self._read_patch(payload)
        elif kind == _JOIN_ROOM:
            self.send(masked(bytes((_JOIN_ROOM,))))
        elif kind == _ROOM_STATE:
            self._read_patch(payload)
            if not self.racing.done():
                self.racing.set_result(None)
        else:
            self.meter.faults += 1

    def _read_patch(self, payload: bytes) -> None:
        if self.rivals is not None:
            self._patches.apply(payload[1:])
            self.see_moves(dict(self._patches.moves))


async def gather_racers(
    meter: Meter, ports: list[int], racers: int, room_size: int, sampled_rooms: int
) -> list[Racer]:
    """Connect all racers; the matchmaker puts each into a room that is not full."""
    _ = room_size  # the size is an argument of the peer's server
    loop = asyncio.get_running_loop()
    rooms: dict[str, dict[str, Racer]] = {}
    everybody: list[Racer] = []
    for place in range(racers):
        port = ports[place % len(ports)]
        room, session, path = await _reserve(port)
        members = rooms.setdefault(room, {})
        watches = len(rooms) <= sampled_rooms and len(members) < _WATCHING
        _, racer = await loop.create_connection(
            lambda path=path, rivals=members if watches else None: ColyseusRacer(meter, path, rivals),  # type: ignore[misc]
            "127.0.0.1",
            port,
        )
        members[session] = racer
        everybody.append(racer)
        await racer.racing
    return everybody


async def _reserve(port: int) -> tuple[str, str, str]:
    """Reserve a seat; return the room, the session and the path of its WebSocket."""
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
    code, session = room["roomId"], seat["sessionId"]
    return code, session, f"/{room['processId']}/{code}?sessionId={session}"
