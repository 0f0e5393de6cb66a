"""One open WebSocket connection: messages in, frames out, and its end."""

import asyncio
from typing import Final

from websockets.frames import Close, CloseCode
from websockets.protocol import State
from websockets.server import ServerProtocol

from server.transport.api import Handler
from server.transport.cork import Cork
from server.transport.inbound import Inbound
from server.transport.outbox import Outbox
from server.transport.roster import Roster
from server.transport.settings import Settings

_MAX_REASON_BYTES: Final = 123
"""A control frame carries 125 bytes, two of them the code: RFC 6455 section 5.5."""


class Connection(asyncio.Protocol):
    """The socket of one client after its handshake; `received` and `closed` of its handler are called here.

    Everything is synchronous and runs in the loop. What is sent after the connection began to close is
    dropped silently: the application learns of the end by `closed` and needs no check before each send.
    """

    __slots__ = (
        "_allowed",
        "_close_deadline",
        "_cork",
        "_corked",
        "_deaf",
        "_handler",
        "_hangs_up",
        "_heard",
        "_inbound",
        "_open",
        "_outbox",
        "_paused",
        "_pinged_at",
        "_protocol",
        "_quiet_since",
        "_roster",
        "_settings",
        "_stats",
        "_transport",
        "_verdict",
        "address",
        "subprotocol",
        "user_agent",
    )

    def __init__(
        self,
        transport: asyncio.Transport,
        protocol: ServerProtocol,
        settings: Settings,
        roster: Roster,
        cork: Cork,
        *,
        address: str,
        user_agent: str,
    ) -> None:
        self.address = address
        self.subprotocol: str | None = protocol.subprotocol
        self.user_agent = user_agent
        self._transport = transport
        self._protocol = protocol
        self._settings = settings
        self._stats = settings.stats
        self._roster = roster
        self._cork = cork
        self._inbound = Inbound(protocol, settings.limits.max_message_bytes)
        self._outbox = Outbox()
        self._handler: Handler | None = None
        self._open = True  # we may send: no close frame has gone either way
        self._deaf = False  # we gave up: what the client still says is not passed on
        self._hangs_up = False  # nothing follows what waits in the outbox
        self._corked = False
        self._paused = False
        self._allowed = settings.limits.outbox_bytes
        self._heard = False
        self._quiet_since = self._pinged_at = settings.clock()
        self._close_deadline: float | None = None
        self._verdict: tuple[int, str] | None = None

    # What the application does.

    def send(self, frame: bytes) -> None:
        """Send a frame made by `text_frame` or `binary_frame`, after all that was sent before."""
        if self._open:
            limits = self._settings.limits
            if len(frame) > limits.write_buffer_bytes:
                # One large answer may wait, whatever its size; a second one behind it may not.
                self._allowed = max(self._allowed, limits.outbox_bytes + len(frame))
            self._outbox.push(frame)
            self._stats.messages_out += 1
            if self._paused:
                self._press()
            elif not self._corked:
                self._corked = True
                self._cork.add(self)

    def send_latest(self, kind: str, frame: bytes) -> None:
        """Send a frame in place of the one of this kind that still waits for a client that is slow."""
        if self._open:
            self._stats.messages_out += 1
            if self._paused:
                self._outbox.push_latest(kind, frame)
                self._press()
                return
            self._outbox.push(frame)
            if not self._corked:
                self._corked = True
                self._cork.add(self)

    def close(self, code: int, reason: str) -> None:
        """Send what waits, then a close frame; abort a client that does not answer in time.

        The reason is cut to 123 bytes. Raises websockets' ProtocolError for a code that no close frame
        may carry.
        """
        if self._open:
            reason = reason.encode()[:_MAX_REASON_BYTES].decode(errors="ignore")
            self._protocol.send_close(code, reason)
            self._deaf = True
            self._begin_end(code, reason)
            self._pass_on()

    def abort(self) -> None:
        """Drop the socket at once, with all that waits for it."""
        self._abort("aborted by the server")

    @property
    def outbox_bytes(self) -> int:
        """What waits for the client's socket, in our outbox and in the event loop's buffer."""
        return self._outbox.size + self._transport.get_write_buffer_size()

    # What the listener does.

    def begin(self) -> None:
        """Let the application accept; a fault there closes the connection with 1011."""
        self._roster.add(self)
        try:
            self._handler = self._settings.accept(self)
        except Exception as error:
            self._fault(error)

    def flush(self) -> None:
        """Write what waits, in one piece."""
        self._corked = False
        transport = self._transport
        if transport.is_closing():
            return
        if self._outbox.size:
            data = self._outbox.take()
            self._allowed = self._settings.limits.outbox_bytes + len(data)
            self._stats.bytes_out += len(data)
            transport.write(data)
        if self._hangs_up and not transport.is_closing():
            if self._protocol.close_rcvd is None and transport.can_write_eof():
                # Half a close: a full one, while the client still sends, would reset the connection before
                # the client has read our close frame. What it sends is discarded.
                transport.write_eof()
            else:
                transport.close()

    def look(self, now: float) -> None:
        """Ping or drop a quiet client; abort one that does not finish the close handshake."""
        limits = self._settings.limits
        self._inbound.fruitless_frames = 0
        if self._heard:
            self._heard = False
            self._quiet_since = now
        quiet = now - self._quiet_since
        if self._close_deadline is not None:
            if now >= self._close_deadline:
                self._stats.close_timeouts += 1
                self._abort("did not finish the close handshake in time")
        elif quiet >= limits.idle_seconds:
            if self._paused:
                self._drop_slow()
            else:
                self._stats.idle_drops += 1
                self._abort(f"nothing received for {limits.idle_seconds:g} s")
        elif quiet >= limits.ping_interval_seconds and now - self._pinged_at >= limits.ping_interval_seconds:
            self._pinged_at = now
            self._protocol.send_ping(b"")
            self._pass_on()

    # What the event loop does.

    def data_received(self, data: bytes) -> None:
        """Hand every message that is now complete to the application."""
        self._heard = True
        self._stats.bytes_in += len(data)
        if self._open and (message := self._inbound.lone(data)) is not None:
            self._hand_over(message)  # the usual read: nothing for the protocol to know or to say
        elif not self._hangs_up:
            self._receive(data)

    def _receive(self, data: bytes) -> None:
        messages = self._inbound.receive(data)
        if self._open and self._protocol.state is not State.OPEN:
            # Before the messages that came with the close frame: an answer to them would be too late.
            self._closed_by_client()
        for message in messages:
            if self._deaf:
                break
            self._hand_over(message)
        if self._inbound.fruitless_frames > self._settings.limits.max_fruitless_frames:
            self.close(CloseCode.POLICY_VIOLATION, "too many pings or fragments")
        self._pass_on()

    def _hand_over(self, message: bytes | str) -> None:
        if self._handler is None:
            return
        self._stats.messages_in += 1
        try:
            self._handler.received(message)
        except Exception as error:
            self._fault(error)

    def eof_received(self) -> None:
        """Notice that the client hung up; the event loop then closes the socket."""
        self._protocol.receive_eof()
        self._open = False

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the application that it is over."""
        self._open = False
        self._roster.remove(self)
        lost = (int(CloseCode.ABNORMAL_CLOSURE), f"connection lost: {exc or 'the client hung up'}")
        code, reason = self._verdict or lost
        handler, self._handler = self._handler, None
        if handler is None:
            return
        try:
            handler.closed(code, reason)
        except Exception as error:
            self._stats.handler_errors += 1
            self._settings.on_error(error)

    def pause_writing(self) -> None:
        """Hold back frames, and stop reading from a client that does not read its answers."""
        self._paused = True
        if not self._transport.is_closing():
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        """Go on where it stopped."""
        self._paused = False
        self._heard = True
        if not self._transport.is_closing():
            self._transport.resume_reading()
        self._flush_soon()

    # Sending.

    def _flush_soon(self) -> None:
        if self._paused:
            self._press()
        elif not self._corked:
            self._corked = True
            self._cork.add(self)

    def _press(self) -> None:
        """Drop a client for which more waits than may."""
        if self.outbox_bytes > self._allowed:
            self._drop_slow()

    def _pass_on(self) -> None:
        """Queue what the protocol itself says: pongs, pings, close frames, and that it hangs up."""
        for data in self._protocol.data_to_send():
            if data:
                self._outbox.push(data)
            else:
                self._hangs_up = True
            self._flush_soon()

    # The end.

    def _fault(self, error: Exception) -> None:
        self._stats.handler_errors += 1
        self._settings.on_error(error)
        self._deaf = True
        self.close(CloseCode.INTERNAL_ERROR, "internal error")

    def _closed_by_client(self) -> None:
        """Keep the client's close frame, or ours for what the client did wrong."""
        protocol = self._protocol
        close = protocol.close_rcvd
        if close is None or protocol.parser_exc is not None:
            self._stats.protocol_errors += 1
            close = protocol.close_sent or Close(CloseCode.ABNORMAL_CLOSURE, "")
        self._begin_end(close.code, close.reason)

    def _begin_end(self, code: int, reason: str) -> None:
        self._open = False
        self._verdict = self._verdict or (int(code), reason)
        self._close_deadline = self._settings.clock() + self._settings.limits.close_seconds

    def _drop_slow(self) -> None:
        self._stats.slow_drops += 1
        self._abort("did not read what it was sent")

    def _abort(self, reason: str) -> None:
        self._open = False
        self._deaf = True
        self._verdict = self._verdict or (int(CloseCode.ABNORMAL_CLOSURE), reason)
        self._transport.abort()
