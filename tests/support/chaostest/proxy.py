"""A TCP proxy that drops the data of one direction and then cuts its connections."""

import asyncio
from typing import Final, Literal, cast

Direction = Literal["requests", "answers"]

DROP_S: Final = 0.2
"""Seconds for which data are dropped before the connection is cut."""


class Proxy:
    """A context manager that listens on a port of its own and forwards to a server and back."""

    def __init__(self, server: tuple[str, int]) -> None:
        self.address = ("127.0.0.1", 0)
        self.cuts = 0
        self._server = server
        self._pairs: set[_End] = set()
        self._listener: asyncio.Server | None = None

    async def __aenter__(self) -> "Proxy":
        self._listener = await asyncio.get_running_loop().create_server(self._accept, "127.0.0.1", 0)
        self.address = self._listener.sockets[0].getsockname()
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._listener is not None
        self._listener.close()
        for end in tuple(self._pairs):
            end.abort()
        await self._listener.wait_closed()

    async def cut(self, direction: Direction) -> None:
        """Drop the data of one direction on all present connections, then cut them."""
        hit = [end for end in self._pairs if end.other is not None]
        self.cuts += len(hit)
        for end in hit:
            (end if direction == "requests" else end.other or end).drops = True
        await asyncio.sleep(DROP_S)
        for end in hit:
            end.abort()

    def _accept(self) -> "_End":
        end = _End(self._pairs)
        end.connecting = asyncio.get_running_loop().create_task(self._connect(end))
        return end

    async def _connect(self, end: "_End") -> None:
        try:
            _, other = await asyncio.get_running_loop().create_connection(_End, *self._server)
        except OSError:
            end.abort()
            return
        end.join(other)


class _End(asyncio.Protocol):
    """One side of a forwarded connection. With `drops`, the data received on this side are dropped."""

    def __init__(self, pairs: "set[_End] | None" = None) -> None:
        self.other: _End | None = None
        self.drops = False
        self.connecting: asyncio.Task[None] | None = None
        self._pairs = pairs
        self._early: list[bytes] = []
        self._transport: asyncio.Transport | None = None

    def join(self, other: "_End") -> None:
        """Forward to the other side what has come already and what will come."""
        self.other, other.other = other, self
        for data in self._early:
            other.write(data)
        if self._transport is None or self._transport.is_closing():
            other.abort()

    def write(self, data: bytes) -> None:
        """Send data to this side."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def abort(self) -> None:
        """Cut the connection on both sides."""
        for end in (self, self.other):
            if end is not None and end._transport is not None:
                end._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember the transport."""
        self._transport = cast("asyncio.Transport", transport)
        if self._pairs is not None:
            self._pairs.add(self)

    def data_received(self, data: bytes) -> None:
        """Forward the data, or drop them."""
        if self.other is None:
            self._early.append(data)
        elif not self.drops:
            self.other.write(data)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the reason does not matter here
        """Close the other side, too, after it has been sent everything."""
        if self._pairs is not None:
            self._pairs.discard(self)
        if self.other is not None and self.other._transport is not None:
            self.other._transport.close()
