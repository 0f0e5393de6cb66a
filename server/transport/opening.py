"""Opening: a TCP connection from its first byte until its request is answered."""

import asyncio
import logging
from http import HTTPStatus
from typing import Final, cast

from websockets.exceptions import HeaderLineTooLong, NegotiationError, RequestLineTooLong, TooManyHeaders
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from server.transport.addresses import client_address
from server.transport.admission import opening_refusal, upgrade_refusal
from server.transport.connection import WebSocketConnection
from server.transport.connection_registry import ConnectionRegistry
from server.transport.handshake import WEBSOCKET_PATHS, wants_websocket
from server.transport.responses import HttpResponse, response_bytes, text_response
from server.transport.settings import ListenerSettings
from server.transport.stats import Refused
from server.transport.write_batch import WriteBatch

_MAX_USER_AGENT: Final = 200

_quiet_logger: Final = logging.getLogger("server.transport.websockets")
_quiet_logger.setLevel(logging.WARNING)  # the library logs every connection; the transport counts them


class Opening(asyncio.Protocol):
    """Reads one request, with limits for its time and size, and answers it.

    The answer is a WebSocket handshake, after which a `WebSocketConnection` takes over the socket, or a plain
    HTTP response, after which the socket is closed.
    """

    __slots__ = (
        "_answered",
        "_deadline",
        "_protocol",
        "_received_bytes",
        "_registry",
        "_settings",
        "_transport",
        "_write_batch",
        "peer",
    )

    def __init__(
        self, settings: ListenerSettings, registry: ConnectionRegistry, write_batch: WriteBatch
    ) -> None:
        self._settings = settings
        self._registry = registry
        self._write_batch = write_batch  # for the connection that this opening becomes
        self._protocol = ServerProtocol(  # parses the request and makes the handshake's response
            select_subprotocol=settings.select_subprotocol,
            max_size=settings.limits.max_message_bytes,
            logger=_quiet_logger,
        )
        self._received_bytes = 0  # of the request
        self._answered = False  # further data is discarded: a plain response was sent, or the socket aborted
        # Clock time by which the request must be complete or, once answered, the socket closed.
        self._deadline = settings.clock() + settings.limits.handshake_seconds
        self._transport: asyncio.Transport  # set, like `peer`, by `connection_made`

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register the connection, and abort it if there are too many."""
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self.peer = str(peer[0]) if isinstance(peer, tuple) else ""
        self._registry.add_opening(self)
        reason = opening_refusal(self.peer, self._settings, self._registry)
        if reason is not None:
            self._count(reason)
            self.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """Unregister the connection."""
        self._registry.remove_opening(self)

    def data_received(self, data: bytes) -> None:
        """Parse the request, and answer it when it is complete."""
        self._settings.stats.bytes_in += len(data)
        if self._answered:
            return
        self._received_bytes += len(data)
        if self._received_bytes > self._settings.limits.max_header_bytes:
            self._refuse_too_large()
            return
        self._protocol.receive_data(data)
        events = self._protocol.events_received()
        if events:
            self._answer_request(cast("Request", events[0]), alone=len(events) == 1)
        elif self._protocol.handshake_exc is not None:
            self._refuse_malformed(self._protocol.handshake_exc)

    def check_deadline(self, now: float) -> None:
        """Abort the connection if its request, or its end, has taken too long."""
        if now >= self._deadline:
            if not self._answered:
                self._count(Refused.TIMED_OUT)
            self.abort()

    def abort(self) -> None:
        """Close the socket immediately."""
        self._answered = True
        self._transport.abort()

    def _refuse_malformed(self, error: Exception) -> None:
        if isinstance(error, (RequestLineTooLong, HeaderLineTooLong, TooManyHeaders)):
            self._refuse_too_large()
        else:
            text = "This is an HTTP and WebSocket server; the request could not be read."
            self._refuse(Refused.BAD_REQUEST, text_response(HTTPStatus.BAD_REQUEST, text))

    def _refuse_too_large(self) -> None:
        response = text_response(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The request is too large.")
        self._refuse(Refused.HEADERS_TOO_LARGE, response)

    def _answer_request(self, request: Request, *, alone: bool) -> None:
        """Answer a complete request; `alone` is False if WebSocket frames came with it."""
        path = request.path.partition("?")[0]
        if request.method not in ("GET", "HEAD"):
            text = "Only GET and HEAD are supported."
            response = text_response(HTTPStatus.METHOD_NOT_ALLOWED, text, ("Allow", "GET, HEAD"))
            self._refuse(Refused.BAD_REQUEST, response)
        elif not wants_websocket(request.headers):
            self._settings.stats.http_responses += 1
            self._respond(self._plain_response(request, path), with_body=request.method == "GET")
        else:
            self._upgrade(request, path, alone=alone)

    def _plain_response(self, request: Request, path: str) -> HttpResponse:
        headers = {name.lower(): value for name, value in request.headers.raw_items()}
        try:
            response = self._settings.http(path, headers)
        except Exception as error:
            self._settings.on_error(error)
            text = "The server failed to answer; the error is in its log."
            return text_response(HTTPStatus.INTERNAL_SERVER_ERROR, text)
        if response is not None:
            return response
        if path in WEBSOCKET_PATHS:
            text = "This is a WebSocket endpoint; connect with a WebSocket client."
            return text_response(HTTPStatus.UPGRADE_REQUIRED, text, ("Upgrade", "websocket"))
        return text_response(HTTPStatus.NOT_FOUND, "There is nothing at this path.")

    def _upgrade(self, request: Request, path: str, *, alone: bool) -> None:
        settings, protocol = self._settings, self._protocol
        forwarded_for = request.headers.get_all("X-Forwarded-For")
        address = client_address(self.peer, forwarded_for, settings.trusted_proxies)
        refusal = upgrade_refusal(path, request.headers, address, settings, self._registry)
        if refusal is not None:
            self._refuse(*refusal)
            return
        response = protocol.accept(request)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            unsupported = isinstance(protocol.handshake_exc, NegotiationError)
            reason = Refused.SUBPROTOCOL if unsupported else Refused.BAD_REQUEST
            headers = ("Sec-WebSocket-Version", "13")
            body = bytes(response.body)
            self._refuse(reason, HttpResponse(response.status_code, body, headers=(headers,)))
        elif not alone or protocol.eof_sent:
            text = "Nothing may be sent before the handshake is answered."
            self._refuse(Refused.BAD_REQUEST, text_response(HTTPStatus.BAD_REQUEST, text))
        else:
            protocol.send_response(response)
            user_agent = ", ".join(request.headers.get_all("User-Agent"))
            self._become_connection(address, user_agent[:_MAX_USER_AGENT])

    def _become_connection(self, address: str, user_agent: str) -> None:
        """Send the handshake's response and hand the socket to a `WebSocketConnection`."""
        transport, settings = self._transport, self._settings
        # A new protocol: the one that parsed the request keeps it, 2.5 KB for the life of the connection.
        protocol = ServerProtocol(
            state=State.OPEN, max_size=settings.limits.max_message_bytes, logger=_quiet_logger
        )
        connection = WebSocketConnection(
            transport,
            protocol,
            settings,
            self._registry,
            self._write_batch,
            address=address,
            subprotocol=self._protocol.subprotocol,
            user_agent=user_agent,
        )
        transport.set_protocol(connection)
        transport.write(b"".join(self._protocol.data_to_send()))
        high = settings.limits.write_buffer_bytes
        transport.set_write_buffer_limits(high=high, low=high // 4)
        connection.start()
        self._registry.remove_opening(self)

    def _refuse(self, reason: Refused, response: HttpResponse) -> None:
        self._count(reason)
        self._respond(response)

    def _count(self, reason: Refused) -> None:
        self._settings.stats.refused[reason] += 1

    def _respond(self, response: HttpResponse, *, with_body: bool = True) -> None:
        """Send a response and close the sending side; the client has until the deadline to do the same."""
        self._answered = True
        self._deadline = self._settings.clock() + self._settings.limits.close_seconds
        if self._transport.is_closing():
            return
        data = response_bytes(response, with_body=with_body)
        self._settings.stats.bytes_out += len(data)
        self._transport.write(data)
        if self._transport.is_closing():
            return
        if self._transport.can_write_eof():
            self._transport.write_eof()
        else:
            self._transport.close()
