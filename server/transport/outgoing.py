"""Sending half of a connection: one write per event loop turn, and a bounded queue for a slow client."""

import asyncio
from abc import ABCMeta, abstractmethod

from server.transport.limits import TransportLimits
from server.transport.outbox import Outbox
from server.transport.stats import TransportStats
from server.transport.write_batch import WriteBatch


class Outgoing(asyncio.Protocol, metaclass=ABCMeta):
    """Writes frames to a socket in order, and queues them while the client does not read.

    Frames sent after the connection began to close are dropped silently: the application learns of the end
    by `Handler.closed` and need not check before each send.
    """

    __slots__ = (
        "_closes_when_flushed",
        "_first_frame",
        "_in_batch",
        "_limits",
        "_max_queued",
        "_open",
        "_other_frames",
        "_outbox",
        "_released",
        "_stats",
        "_transport",
        "_write_batch",
    )

    def __init__(
        self,
        transport: asyncio.Transport,
        write_batch: WriteBatch,
        limits: TransportLimits,
        stats: TransportStats,
    ) -> None:
        self._transport = transport
        self._write_batch = write_batch
        self._limits = limits
        self._stats = stats
        self._open = True  # frames may be sent: no close frame was sent or received
        self._closes_when_flushed = False  # nothing follows the frames below: close the socket after them
        # Frames of this turn. `_other_frames` is empty while `_first_frame` is: a turn has usually one frame
        # for a client, and then the list is not touched.
        self._first_frame = b""
        self._other_frames: list[bytes] = []
        self._in_batch = (
            False  # `_write_batch` will call `flush`; True whenever there are frames of this turn
        )
        self._outbox: Outbox | None = None  # not None exactly while the event loop has paused writing
        self._released = 0  # bytes of this turn's frames that came from an outbox
        self._max_queued = (
            limits.outbox_bytes
        )  # limit of `outbox_bytes`; larger while a large frame is queued

    def send(self, frame: bytes) -> None:
        """Send a frame made by `text_frame` or `binary_frame`, after everything sent before."""
        if self._open:
            self._stats.messages_out += 1
            self._push(frame)

    def send_latest(self, kind: str, frame: bytes) -> None:
        """Send a frame, replacing an older one of its kind that is still queued for a slow client."""
        if self._open:
            self._stats.messages_out += 1
            if self._outbox is None:
                self._push(frame)
            else:
                self._outbox.push_latest(kind, frame)
                self._enforce_limit()

    @property
    def slow(self) -> bool:
        """Whether frames wait because the client does not read them."""
        return self._outbox is not None

    @property
    def outbox_bytes(self) -> int:
        """Bytes queued for the client, here and in the event loop's write buffer."""
        queued = 0 if self._outbox is None else self._outbox.size
        return queued + self._transport.get_write_buffer_size()

    @abstractmethod
    def abort(self) -> None:
        """Close the socket immediately and discard what is queued."""

    def flush(self) -> None:
        """Write the frames of this turn in one piece."""
        self._in_batch = False
        transport = self._transport
        if transport.is_closing():
            return
        data = self._first_frame
        if data:
            self._first_frame = b""
            if self._other_frames:
                data = b"".join((data, *self._other_frames))
                self._other_frames.clear()
            max_queued = self._limits.outbox_bytes + len(data)
            if self._released:
                # Bytes from an outbox were allowed when they were queued; allowing for them again would raise
                # the limit with every pause.
                max_queued = max(max_queued - self._released, self._max_queued)
                self._released = 0
            self._max_queued = max_queued
            self._stats.bytes_out += len(data)
            transport.write(data)
        if self._closes_when_flushed and self._outbox is None and not transport.is_closing():
            self._close_socket()

    def pause_writing(self) -> None:
        """Queue further frames, and stop reading from a client that does not read its answers."""
        self._outbox = Outbox()
        if not self._transport.is_closing():
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        """Send the queued frames and read from the client again."""
        outbox, self._outbox = self._outbox, None
        if not self._transport.is_closing():
            self._transport.resume_reading()
        if outbox is not None and outbox.size:
            self._released += outbox.size
            self._push(outbox.take())
        else:
            self._flush_soon()  # perhaps the socket only waits to be closed

    def _push(self, data: bytes) -> None:
        """Add data to this turn's write, or to the outbox of a slow client."""
        if self._outbox is not None:
            if len(data) > self._limits.write_buffer_bytes:
                # One large message may be queued whatever its size; a second one behind it may not.
                self._max_queued = max(self._max_queued, self._limits.outbox_bytes + len(data))
            self._outbox.push(data)
            self._enforce_limit()
            return
        if self._first_frame:
            self._other_frames.append(data)
        else:
            self._first_frame = data
        if not self._in_batch:
            self._in_batch = True
            self._write_batch.add(self)

    def _flush_soon(self) -> None:
        if not self._in_batch:
            self._in_batch = True
            self._write_batch.add(self)

    def _enforce_limit(self) -> None:
        """Disconnect a client whose queued bytes exceed the limit."""
        if self.outbox_bytes > self._max_queued:
            self._drop_slow_client()

    @abstractmethod
    def _drop_slow_client(self) -> None:
        """Disconnect a client that does not read what it was sent."""

    @abstractmethod
    def _close_socket(self) -> None:
        """Close the sending side of the socket after everything was written."""
