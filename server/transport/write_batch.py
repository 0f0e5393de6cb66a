"""Write batching: one write per connection and event loop turn, however many frames were sent in it."""

import asyncio

from server.transport.ports import Flushable, OnError


class WriteBatch:
    """The connections with frames to write in this turn; one callback flushes all of them."""

    __slots__ = ("_connections", "_loop", "_on_error")

    def __init__(self, loop: asyncio.AbstractEventLoop, on_error: OnError) -> None:
        self._loop = loop
        self._on_error = on_error
        self._connections: list[Flushable] = []  # not empty exactly while `_flush` is scheduled

    def add(self, connection: Flushable) -> None:
        """Flush this connection at the end of the turn; it must not add itself twice before that."""
        if not self._connections:
            self._loop.call_soon(self._flush)
        self._connections.append(connection)

    def _flush(self) -> None:
        connections, self._connections = self._connections, []
        for connection in connections:
            try:
                connection.flush()
            except Exception as error:  # one bad frame must not lose the frames of other connections
                self._on_error(error)
                connection.abort()
