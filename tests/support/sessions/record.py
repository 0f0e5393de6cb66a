"""Record what a client sends and receives, to replay it against later servers.

    PYTHONPATH=tests/support python -m sessions.record ws://localhost:7466 tests/data/sessions/NAME.jsonl

Let the client connect to the printed address; SIGTERM ends the recording, SIGUSR1 cuts the connection without
a word. Each line is an object: `connects` (a subprotocol), `says` and `hears` (JSON text, or MessagePack as
hexadecimal digits), `cut`.
"""

import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import Any

import websockets
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import ServerConnection

SUBPROTOCOLS = [websockets.Subprotocol(f"simonrace.v1.{each}") for each in ("msgpack", "json")]

Connection = ClientConnection | ServerConnection


class Recorder:
    """A proxy between clients and a server that records every message."""

    def __init__(self, server: str, file: Path) -> None:
        self.server = server
        self.file = file.open("w")
        self.clients: list[ServerConnection] = []

    def write(self, **line: Any) -> None:
        """Write a line."""
        self.file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self.file.flush()

    def cut(self) -> None:
        """Cut every connection without a close frame."""
        self.write(cut=True)
        for client in self.clients:
            client.transport.abort()
        self.clients.clear()

    async def handle(self, client: ServerConnection) -> None:
        """Serve one client."""
        self.clients.append(client)
        self.write(connects=client.subprotocol)
        subprotocols = [client.subprotocol] if client.subprotocol else None
        async with websockets.connect(self.server, subprotocols=subprotocols) as server:
            await asyncio.gather(self.pump(client, server, "says"), self.pump(server, client, "hears"))

    async def pump(self, source: Connection, target: Connection, verb: str) -> None:
        """Forward the messages and the end of one direction."""
        try:
            async for data in source:
                self.write(**{verb: data if isinstance(data, str) else data.hex()})
                await target.send(data)
            await target.close()
        except websockets.ConnectionClosed:
            target.transport.abort()


async def main(server: str, file: str) -> None:
    """Record until the process is interrupted."""
    recorder = Recorder(server, Path(file))
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, recorder.cut)
    async with websockets.serve(recorder.handle, "localhost", 0, subprotocols=SUBPROTOCOLS) as listener:
        port = next(iter(listener.sockets)).getsockname()[1]
        print(f"ws://localhost:{port}", flush=True)  # noqa: T201
        await asyncio.Future()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
