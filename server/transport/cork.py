"""One write for each connection and tick of the loop, however many frames were sent in it."""

import asyncio
from typing import TYPE_CHECKING

from server.transport.api import OnError

if TYPE_CHECKING:
    from server.transport.outgoing import Outgoing


class Cork:
    """The connections that were sent something in this tick; one callback flushes them all."""

    __slots__ = ("_connections", "_loop", "_on_error")

    def __init__(self, loop: asyncio.AbstractEventLoop, on_error: OnError) -> None:
        self._loop = loop
        self._on_error = on_error
        self._connections: list[Outgoing] = []

    def add(self, connection: "Outgoing") -> None:
        """Flush this connection at the next tick; each connection adds itself once a tick."""
        if not self._connections:
            self._loop.call_soon(self._pull)
        self._connections.append(connection)

    def _pull(self) -> None:
        connections, self._connections = self._connections, []
        for connection in connections:
            try:
                connection.flush()
            except Exception as error:  # one bad frame must not cost the others theirs
                self._on_error(error)
                connection.abort()
