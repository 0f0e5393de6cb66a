"""The sending half of a connection: one write for all of a tick, and a backlog for a client that is slow."""

import asyncio
from abc import ABCMeta, abstractmethod

from server.transport.cork import Cork
from server.transport.limits import TransportLimits
from server.transport.outbox import Outbox
from server.transport.stats import TransportStats


class Outgoing(asyncio.Protocol, metaclass=ABCMeta):
    """Writes frames to a socket, in order, and holds them back while the client does not read.

    What is sent after the connection began to close is dropped silently: the application learns of the end
    by `closed` and needs no check before each send.
    """

    __slots__ = (
        "_allowed",
        "_backlog",
        "_cork",
        "_corked",
        "_first",
        "_hangs_up",
        "_limits",
        "_open",
        "_rest",
        "_stats",
        "_transport",
        "_waited",
    )

    def __init__(
        self, transport: asyncio.Transport, cork: Cork, limits: TransportLimits, stats: TransportStats
    ) -> None:
        self._transport = transport
        self._cork = cork
        self._limits = limits
        self._stats = stats
        self._open = True  # we may send: no close frame has gone either way
        self._hangs_up = False  # nothing follows what waits
        self._corked = False
        # Most of the time a tick has one frame for a client: nothing else is touched for it.
        self._first = b""
        self._rest: list[bytes] = []
        self._backlog: Outbox | None = None  # only while the client is slow
        self._waited = 0  # how much of what leaves in this tick is from there
        self._allowed = limits.outbox_bytes

    def send(self, frame: bytes) -> None:
        """Send a frame made by `text_frame` or `binary_frame`, after all that was sent before."""
        if self._open:
            self._stats.messages_out += 1
            self._push(frame)

    def send_latest(self, kind: str, frame: bytes) -> None:
        """Send a frame in place of the one of this kind that still waits for a client that is slow."""
        if self._open:
            self._stats.messages_out += 1
            if self._backlog is None:
                self._push(frame)
            else:
                self._backlog.push_latest(kind, frame)
                self._press()

    @property
    def slow(self) -> bool:
        """Whether the client does not read what it was sent."""
        return self._backlog is not None

    @property
    def outbox_bytes(self) -> int:
        """What waits for the client to read, here and in the event loop's buffer."""
        waiting = 0 if self._backlog is None else self._backlog.size
        return waiting + self._transport.get_write_buffer_size()

    @abstractmethod
    def abort(self) -> None:
        """Drop the socket at once, with all that waits for it."""

    def flush(self) -> None:
        """Write what was sent in this tick, in one piece."""
        self._corked = False
        transport = self._transport
        if transport.is_closing():
            return
        data = self._first
        if data:
            self._first = b""
            if self._rest:
                data = b"".join((data, *self._rest))
                self._rest.clear()
            allowed = self._limits.outbox_bytes + len(data)
            if self._waited:
                # What has waited was allowed for when it came, or with each pause more and more might wait.
                allowed = max(allowed - self._waited, self._allowed)
                self._waited = 0
            self._allowed = allowed
            self._stats.bytes_out += len(data)
            transport.write(data)
        if self._hangs_up and self._backlog is None and not transport.is_closing():
            self._hang_up()

    def pause_writing(self) -> None:
        """Hold back frames, and stop reading from a client that does not read its answers."""
        self._backlog = Outbox()
        if not self._transport.is_closing():
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        """Go on where it stopped."""
        backlog, self._backlog = self._backlog, None
        if not self._transport.is_closing():
            self._transport.resume_reading()
        if backlog is not None and backlog.size:
            self._waited += backlog.size
            self._push(backlog.take())
        else:
            self._flush_soon()  # perhaps all that is left to do is to hang up

    def _push(self, data: bytes) -> None:
        """Let data leave at the end of this tick, or wait until the client has read what it was sent."""
        if self._backlog is not None:
            if len(data) > self._limits.write_buffer_bytes:
                # One large answer may wait, whatever its size; a second one behind it may not.
                self._allowed = max(self._allowed, self._limits.outbox_bytes + len(data))
            self._backlog.push(data)
            self._press()
            return
        if self._first:
            self._rest.append(data)
        else:
            self._first = data
        if not self._corked:
            self._corked = True
            self._cork.add(self)

    def _flush_soon(self) -> None:
        if not self._corked:
            self._corked = True
            self._cork.add(self)

    def _press(self) -> None:
        """Drop a client for which more waits than may."""
        if self.outbox_bytes > self._allowed:
            self._too_slow()

    @abstractmethod
    def _too_slow(self) -> None:
        """Learn that more waits for the client than may."""

    @abstractmethod
    def _hang_up(self) -> None:
        """End our side, now that all is written."""
