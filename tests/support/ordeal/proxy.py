"""A wire between people and a server that can be cut in either half."""

import asyncio
from typing import Final, Literal, cast

Half = Literal["requests", "answers"]

LOSS_S: Final = 0.2
"""How long what comes is lost before the connection breaks."""


class Proxy:
    """Listens on a port of its own and passes on what comes, to a server and back."""

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

    async def cut(self, half: Half) -> None:
        """Lose one half of what is said on every connection that there is now, then break them all."""
        hit = [end for end in self._pairs if end.other is not None]
        self.cuts += len(hit)
        for end in hit:
            (end if half == "requests" else end.other or end).loses = True
        await asyncio.sleep(LOSS_S)
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
    """One side of a connection; `loses` means that what comes on this side goes nowhere."""

    def __init__(self, pairs: "set[_End] | None" = None) -> None:
        self.other: _End | None = None
        self.loses = False
        self.connecting: asyncio.Task[None] | None = None
        self._pairs = pairs
        self._early: list[bytes] = []
        self._transport: asyncio.Transport | None = None

    def join(self, other: "_End") -> None:
        """Pass on what comes, and what has come already."""
        self.other, other.other = other, self
        for data in self._early:
            other.write(data)
        if self._transport is None or self._transport.is_closing():
            other.abort()

    def write(self, data: bytes) -> None:
        """Send something to this side."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def abort(self) -> None:
        """Break the connection on both sides."""
        for end in (self, self.other):
            if end is not None and end._transport is not None:
                end._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Be in use."""
        self._transport = cast("asyncio.Transport", transport)
        if self._pairs is not None:
            self._pairs.add(self)

    def data_received(self, data: bytes) -> None:
        """Pass it on, or lose it."""
        if self.other is None:
            self._early.append(data)
        elif not self.loses:
            self.other.write(data)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - why does not matter here
        """End the other side, too; what is on its way to it still gets there."""
        if self._pairs is not None:
            self._pairs.discard(self)
        if self.other is not None and self.other._transport is not None:
            self.other._transport.close()
