"""One open WebSocket connection: received messages, keepalive and close; `outgoing` has the sending half."""

import asyncio
from typing import Final

from websockets.frames import Close, CloseCode
from websockets.protocol import State
from websockets.server import ServerProtocol

from server.transport.connection_registry import ConnectionRegistry
from server.transport.inbound import Inbound
from server.transport.outgoing import Outgoing
from server.transport.ports import Handler
from server.transport.settings import ListenerSettings
from server.transport.write_batch import WriteBatch

_OVERHEAD_WINDOW_S: Final = 1.0
"""Period within which frames that make no message are counted."""

_SOCKET_CLOSED: Final = "the client closed the socket"

_MAX_REASON_BYTES: Final = 123
"""A control frame carries 125 bytes, two of them the code: RFC 6455 section 5.5."""


class WebSocketConnection(Outgoing):
    """The socket of one client after its handshake; calls `received` and `closed` of its handler.

    Everything is synchronous and runs in the event loop.
    """

    __slots__ = (
        "_active",
        "_close_deadline",
        "_discards_input",
        "_handler",
        "_idle_since",
        "_inbound",
        "_outcome",
        "_overhead_since",
        "_pinged_at",
        "_protocol",
        "_registry",
        "_settings",
        "address",
        "subprotocol",
        "user_agent",
    )

    def __init__(
        self,
        transport: asyncio.Transport,
        protocol: ServerProtocol,
        settings: ListenerSettings,
        registry: ConnectionRegistry,
        write_batch: WriteBatch,
        *,
        address: str,
        subprotocol: str | None,
        user_agent: str,
    ) -> None:
        super().__init__(transport, write_batch, settings.limits, settings.stats)
        self.address = address
        self.subprotocol = subprotocol
        self.user_agent = user_agent
        self._protocol = protocol  # frame parser and close handshake; writes pongs, pings and close frames
        self._settings = settings
        self._registry = registry
        self._inbound = Inbound(protocol, settings.limits.max_message_bytes)
        self._handler: Handler | None = None  # None before `start` and after `closed` was called
        self._discards_input = False  # the server closes or aborts: messages are not delivered any more
        self._active = False  # something was received, or the client read, since the last `check_idle`
        # Times of the listener's clock, in seconds.
        self._idle_since = self._pinged_at = self._overhead_since = settings.clock()
        # `_start_closing` sets both, `_abort` only the outcome; the first outcome stays. Both clear `_open`.
        self._close_deadline: float | None = None
        self._outcome: tuple[int, str] | None = None  # code and reason for the handler

    # Called by the application, besides `send` and `send_latest`.

    def close(self, code: int, reason: str) -> None:
        """Send what is queued, then a close frame; abort if the client does not answer in time.

        The reason is cut to 123 bytes. Raises websockets' ProtocolError for a code that is not allowed in a
        close frame.
        """
        if self._open:
            reason = reason.encode()[:_MAX_REASON_BYTES].decode(errors="ignore")
            self._protocol.send_close(code, reason)
            self._discards_input = True
            self._start_closing(code, reason)
            self._send_protocol_output()

    def abort(self) -> None:
        """Close the socket immediately and discard what is queued."""
        self._abort("aborted by the server")

    # Called by the opening and the listener.

    def start(self) -> None:
        """Register the connection and let the application accept it; close with 1011 if that fails."""
        self._registry.add(self)
        try:
            self._handler = self._settings.accept(self)
        except Exception as error:
            self._handler_failed(error)

    def check_idle(self, now: float) -> None:
        """Ping or disconnect an idle client."""
        limits = self._settings.limits
        if self._active:
            self._active = False
            self._idle_since = now
        idle = now - self._idle_since
        if self._close_deadline is not None:
            return
        if idle >= limits.idle_seconds:
            if self.slow:
                self._drop_slow_client()
            else:
                self._stats.idle_drops += 1
                self._abort(f"nothing received for {limits.idle_seconds:g} s")
        elif idle >= limits.ping_interval_seconds and now - self._pinged_at >= limits.ping_interval_seconds:
            self._pinged_at = now
            self._protocol.send_ping(b"")
            self._send_protocol_output()

    def check_close_deadline(self, now: float) -> None:
        """Abort the connection if its close handshake has taken too long."""
        if self._close_deadline is not None and now >= self._close_deadline:
            self._stats.close_timeouts += 1
            self._abort("did not finish the close handshake in time")

    # Called by the event loop.

    def data_received(self, data: bytes) -> None:
        """Deliver every message that is complete now."""
        self._active = True
        self._stats.bytes_in += len(data)
        if self._open and (message := self._inbound.single_message(data)) is not None:
            self._deliver(message)  # the usual read: it leaves nothing to parse and nothing to answer
        elif not self._closes_when_flushed:
            self._receive(data)

    def _receive(self, data: bytes) -> None:
        inbound = self._inbound
        if inbound.overhead_frames and self._settings.clock() - self._overhead_since >= _OVERHEAD_WINDOW_S:
            inbound.reset_overhead()
            self._overhead_since = self._settings.clock()
        messages = inbound.receive(data)
        if self._open and self._protocol.state is not State.OPEN:
            # Before messages received with the close frame are delivered: no answer may follow our close.
            self._client_closed()
        for message in messages:
            if self._discards_input:
                break
            self._deliver(message)
        if inbound.overhead_frames > self._settings.limits.max_overhead_frames:
            self.close(CloseCode.POLICY_VIOLATION, "too many pings or fragments")
        self._send_protocol_output()

    def _deliver(self, message: bytes | str) -> None:
        if self._handler is None:
            return
        self._stats.messages_in += 1
        try:
            self._handler.received(message)
        except Exception as error:
            self._handler_failed(error)

    def eof_received(self) -> None:
        """Handle the client's end of data; the event loop then closes the socket."""
        self._protocol.receive_eof()
        if self._open:
            # The socket stays open until the client has read what is queued or the close deadline is over.
            self._start_closing(CloseCode.ABNORMAL_CLOSURE, f"connection lost: {_SOCKET_CLOSED}")

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection and report its end to the handler."""
        self._open = False
        self._registry.remove(self)
        lost = (int(CloseCode.ABNORMAL_CLOSURE), f"connection lost: {exc or _SOCKET_CLOSED}")
        code, reason = self._outcome or lost
        handler, self._handler = self._handler, None
        if handler is None:
            return
        try:
            handler.closed(code, reason)
        except Exception as error:
            self._stats.handler_errors += 1
            self._settings.on_error(error)

    def resume_writing(self) -> None:
        """Send the queued frames; a client that reads is not idle."""
        self._active = True
        super().resume_writing()

    # Sending.

    def _send_protocol_output(self) -> None:
        """Send the protocol's own frames (ping, pong, close); close the socket if it ends the connection."""
        for data in self._protocol.data_to_send():
            if data:
                self._push(data)
            else:
                self._closes_when_flushed = True
                self._flush_soon()

    # Closing.

    def _handler_failed(self, error: Exception) -> None:
        self._stats.handler_errors += 1
        self._settings.on_error(error)
        self._discards_input = True
        self.close(CloseCode.INTERNAL_ERROR, "internal error")

    def _client_closed(self) -> None:
        """Start closing with the client's close frame, or with ours if the client violated the protocol."""
        protocol = self._protocol
        close = protocol.close_rcvd
        if close is None or protocol.parser_exc is not None:
            self._stats.protocol_errors += 1
            close = protocol.close_sent or Close(CloseCode.ABNORMAL_CLOSURE, "")
        self._start_closing(close.code, close.reason)

    def _start_closing(self, code: int, reason: str) -> None:
        self._open = False
        self._outcome = self._outcome or (int(code), reason)
        self._registry.start_closing(self)
        self._close_deadline = self._settings.clock() + self._settings.limits.close_seconds

    def _close_socket(self) -> None:
        transport = self._transport
        if self._protocol.close_rcvd is None and transport.can_write_eof():
            # Close only the sending side: closing both sides while the client still sends would reset the
            # connection before the client has read our close frame. What it sends is discarded.
            transport.write_eof()
        else:
            transport.close()

    def _drop_slow_client(self) -> None:
        self._stats.slow_drops += 1
        self._abort("did not read what it was sent")

    def _abort(self, reason: str) -> None:
        self._open = False
        self._discards_input = True
        self._outcome = self._outcome or (int(CloseCode.ABNORMAL_CLOSURE), reason)
        self._transport.abort()
