"""One open WebSocket connection: messages in, and its end; what goes out is in `outgoing`."""

import asyncio
from typing import Final

from websockets.frames import Close, CloseCode
from websockets.protocol import State
from websockets.server import ServerProtocol

from server.transport.api import Handler
from server.transport.cork import Cork
from server.transport.inbound import Inbound
from server.transport.outgoing import Outgoing
from server.transport.roster import Roster
from server.transport.settings import Settings

_COUNTED_S: Final = 1.0
"""Frames that make no message are counted anew after so many seconds."""

_HUNG_UP: Final = "the client hung up"

_MAX_REASON_BYTES: Final = 123
"""A control frame carries 125 bytes, two of them the code: RFC 6455 section 5.5."""


class Connection(Outgoing):
    """The socket of one client after its handshake; `received` and `closed` of its handler are called here.

    Everything is synchronous and runs in the loop.
    """

    __slots__ = (
        "_close_deadline",
        "_counts_since",
        "_deaf",
        "_handler",
        "_heard",
        "_inbound",
        "_pinged_at",
        "_protocol",
        "_quiet_since",
        "_roster",
        "_settings",
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
        super().__init__(transport, cork, settings.limits, settings.stats)
        self.address = address
        self.subprotocol: str | None = protocol.subprotocol
        self.user_agent = user_agent
        self._protocol = protocol
        self._settings = settings
        self._roster = roster
        self._inbound = Inbound(protocol, settings.limits.max_message_bytes)
        self._handler: Handler | None = None
        self._deaf = False  # we gave up: what the client still says is not passed on
        self._heard = False
        self._quiet_since = self._pinged_at = self._counts_since = settings.clock()
        self._close_deadline: float | None = None
        self._verdict: tuple[int, str] | None = None

    # What the application does, besides sending.

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

    # What the listener does.

    def begin(self) -> None:
        """Let the application accept; a fault there closes the connection with 1011."""
        self._roster.add(self)
        try:
            self._handler = self._settings.accept(self)
        except Exception as error:
            self._fault(error)

    def look(self, now: float) -> None:
        """Ping or drop a quiet client."""
        limits = self._settings.limits
        if self._heard:
            self._heard = False
            self._quiet_since = now
        quiet = now - self._quiet_since
        if self._close_deadline is not None:
            return
        if quiet >= limits.idle_seconds:
            if self.slow:
                self._too_slow()
            else:
                self._stats.idle_drops += 1
                self._abort(f"nothing received for {limits.idle_seconds:g} s")
        elif quiet >= limits.ping_interval_seconds and now - self._pinged_at >= limits.ping_interval_seconds:
            self._pinged_at = now
            self._protocol.send_ping(b"")
            self._pass_on()

    def look_at_close(self, now: float) -> None:
        """Abort a client that does not finish the close handshake."""
        if self._close_deadline is not None and now >= self._close_deadline:
            self._stats.close_timeouts += 1
            self._abort("did not finish the close handshake in time")

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
        inbound = self._inbound
        if inbound.fruitless_frames and self._settings.clock() - self._counts_since >= _COUNTED_S:
            inbound.fruitless_frames = 0
            self._counts_since = self._settings.clock()
        messages = inbound.receive(data)
        if self._open and self._protocol.state is not State.OPEN:
            # Before the messages that came with the close frame: an answer to them would be too late.
            self._closed_by_client()
        for message in messages:
            if self._deaf:
                break
            self._hand_over(message)
        if inbound.fruitless_frames > self._settings.limits.max_fruitless_frames:
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
        if self._open:
            # The socket stays for as long as the client takes nothing of what waits for it.
            self._begin_end(CloseCode.ABNORMAL_CLOSURE, f"connection lost: {_HUNG_UP}")

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the application that it is over."""
        self._open = False
        self._roster.remove(self)
        lost = (int(CloseCode.ABNORMAL_CLOSURE), f"connection lost: {exc or _HUNG_UP}")
        code, reason = self._verdict or lost
        handler, self._handler = self._handler, None
        if handler is None:
            return
        try:
            handler.closed(code, reason)
        except Exception as error:
            self._stats.handler_errors += 1
            self._settings.on_error(error)

    def resume_writing(self) -> None:
        """Go on where it stopped; that the client has read is a sign of life."""
        self._heard = True
        super().resume_writing()

    # Sending.

    def _pass_on(self) -> None:
        """Queue what the protocol itself says: pongs, pings, close frames, and that it hangs up."""
        for data in self._protocol.data_to_send():
            if data:
                self._push(data)
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
        self._roster.closing.add(self)
        self._close_deadline = self._settings.clock() + self._settings.limits.close_seconds

    def _hang_up(self) -> None:
        transport = self._transport
        if self._protocol.close_rcvd is None and transport.can_write_eof():
            # Half a close: a full one, while the client still sends, would reset the connection before
            # the client has read our close frame. What it sends is discarded.
            transport.write_eof()
        else:
            transport.close()

    def _too_slow(self) -> None:
        self._stats.slow_drops += 1
        self._abort("did not read what it was sent")

    def _abort(self, reason: str) -> None:
        self._open = False
        self._deaf = True
        self._verdict = self._verdict or (int(CloseCode.ABNORMAL_CLOSURE), reason)
        self._transport.abort()
