"""A TCP connection until its request is answered: as a WebSocket connection or in plain HTTP."""

import asyncio
import logging
from http import HTTPStatus
from typing import Final, cast

from websockets.datastructures import Headers
from websockets.exceptions import HeaderLineTooLong, NegotiationError, RequestLineTooLong, TooManyHeaders
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from server.transport.addresses import client_address, is_trusted
from server.transport.answers import HttpAnswer, answer_bytes, sentence
from server.transport.connection import Connection
from server.transport.cork import Cork
from server.transport.handshake import WEBSOCKET_PATHS, origin_allowed, wants_websocket
from server.transport.roster import Roster
from server.transport.settings import Settings
from server.transport.stats import Refused

_LATER: Final = ("Retry-After", "5")
"""What makes room is that others leave: nobody knows when, and whoever asks should not do it at once."""

_quiet_logger: Final = logging.getLogger("server.transport.websockets")
_quiet_logger.setLevel(logging.WARNING)  # the library tells of every connection; we count them


class Opening(asyncio.Protocol):
    """Reads one request, within its time and size, and answers it."""

    __slots__ = (
        "_answered",
        "_cork",
        "_deadline",
        "_protocol",
        "_received",
        "_roster",
        "_settings",
        "_transport",
        "peer",
    )

    def __init__(self, settings: Settings, roster: Roster, cork: Cork) -> None:
        self._settings = settings
        self._roster = roster
        self._cork = cork
        self._protocol = ServerProtocol(
            select_subprotocol=settings.select_subprotocol,
            max_size=settings.limits.max_message_bytes,
            logger=_quiet_logger,
        )
        self._received = 0
        self._answered = False
        self._deadline = settings.clock() + settings.limits.handshake_seconds
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the clock, unless too many others are at this point already."""
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self.peer = str(peer[0]) if isinstance(peer, tuple) else ""
        self._roster.add_opening(self)
        if self._roster.draining:
            self._count(Refused.DRAINING)
            self.abort()
        elif self._are_too_many():
            self._count(Refused.TOO_MANY_HANDSHAKES)
            self.abort()

    def _are_too_many(self) -> bool:
        limits, roster = self._settings.limits, self._roster
        if len(roster.openings) > limits.max_handshakes:
            return True
        many = roster.openings_of(self.peer) > limits.handshakes_per_address
        return many and not is_trusted(self.peer, self._settings.trusted_proxies)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """Forget it; there is nobody to tell."""
        self._roster.remove_opening(self)

    def data_received(self, data: bytes) -> None:
        """Collect the request."""
        self._settings.stats.bytes_in += len(data)
        if self._answered:
            return
        self._received += len(data)
        if self._received > self._settings.limits.max_header_bytes:
            self._refuse_too_large()
            return
        self._protocol.receive_data(data)
        events = self._protocol.events_received()
        if events:
            self._request_received(cast("Request", events[0]), alone=len(events) == 1)
        elif self._protocol.handshake_exc is not None:
            self._not_http(self._protocol.handshake_exc)

    def look(self, now: float) -> None:
        """Abort a client that takes too long to ask or, once answered, to hang up."""
        if now >= self._deadline:
            if not self._answered:
                self._count(Refused.TIMED_OUT)
            self.abort()

    def abort(self) -> None:
        """Drop the socket at once."""
        self._answered = True
        self._transport.abort()

    def _not_http(self, error: Exception) -> None:
        if isinstance(error, (RequestLineTooLong, HeaderLineTooLong, TooManyHeaders)):
            self._refuse_too_large()
        else:
            text = "This is an HTTP and WebSocket server; the request could not be read."
            self._refuse(Refused.BAD_REQUEST, sentence(HTTPStatus.BAD_REQUEST, text))

    def _refuse_too_large(self) -> None:
        answer = sentence(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The request is too large.")
        self._refuse(Refused.HEADERS_TOO_LARGE, answer)

    def _request_received(self, request: Request, *, alone: bool) -> None:
        path = request.path.partition("?")[0]
        if request.method not in ("GET", "HEAD"):
            answer = sentence(
                HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD are answered here.", ("Allow", "GET, HEAD")
            )
            self._refuse(Refused.BAD_REQUEST, answer)
        elif not wants_websocket(request.headers):
            self._settings.stats.http_answers += 1
            self._answer(self._plain_answer(request, path), with_body=request.method == "GET")
        else:
            self._upgrade(request, path, alone=alone)

    def _plain_answer(self, request: Request, path: str) -> HttpAnswer:
        headers = {name.lower(): value for name, value in request.headers.raw_items()}
        try:
            answer = self._settings.http(path, headers)
        except Exception as error:
            self._settings.on_error(error)
            return sentence(
                HTTPStatus.INTERNAL_SERVER_ERROR, "The server failed to answer; it is logged there."
            )
        if answer is not None:
            return answer
        if path in WEBSOCKET_PATHS:
            return sentence(
                HTTPStatus.UPGRADE_REQUIRED,
                "Here lives a WebSocket; plain HTTP cannot use it.",
                ("Upgrade", "websocket"),
            )
        return sentence(HTTPStatus.NOT_FOUND, "There is nothing at this path.")

    def _upgrade(self, request: Request, path: str, *, alone: bool) -> None:
        address = self._client_address(request.headers)
        refusal = self._refusal(request, path, address)
        if refusal is not None:
            self._refuse(*refusal)
            return
        protocol = self._protocol
        response = protocol.accept(request)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            unspoken = isinstance(protocol.handshake_exc, NegotiationError)
            reason = Refused.SUBPROTOCOL if unspoken else Refused.BAD_REQUEST
            headers = ("Sec-WebSocket-Version", "13")
            answer = HttpAnswer(response.status_code, bytes(response.body), headers=(headers,))
            self._refuse(reason, answer)
        elif not alone or protocol.eof_sent:
            text = "Nothing may be sent before the handshake is answered."
            self._refuse(Refused.BAD_REQUEST, sentence(HTTPStatus.BAD_REQUEST, text))
        else:
            protocol.send_response(response)
            self._become_connection(address, ", ".join(request.headers.get_all("User-Agent"))[:200])

    def _refusal(self, request: Request, path: str, address: str) -> tuple[Refused, HttpAnswer] | None:
        limits, roster = self._settings.limits, self._roster
        if path not in WEBSOCKET_PATHS:
            text = f"The WebSocket lives at {' or '.join(sorted(WEBSOCKET_PATHS))}."
            return Refused.NOT_FOUND, sentence(HTTPStatus.NOT_FOUND, text)
        if not origin_allowed(request.headers, self._settings.origins):
            text = "This server does not let pages of that origin connect."
            return Refused.ORIGIN, sentence(HTTPStatus.FORBIDDEN, text)
        if len(roster.connections) >= limits.max_connections:
            text = "The server is full; try again later."
            return Refused.TOO_MANY, sentence(HTTPStatus.SERVICE_UNAVAILABLE, text, _LATER)
        if roster.of_address(address) >= limits.connections_per_address:
            text = (
                f"There are {limits.connections_per_address} connections from your address; close one first."
            )
            return Refused.TOO_MANY_OF_ADDRESS, sentence(HTTPStatus.TOO_MANY_REQUESTS, text, _LATER)
        if not roster.may_open(address, self._settings.clock()):
            text = "Your address opens connections too fast; try again later."
            return Refused.TOO_FAST_OF_ADDRESS, sentence(HTTPStatus.TOO_MANY_REQUESTS, text, _LATER)
        return None

    def _client_address(self, headers: Headers) -> str:
        return client_address(self.peer, headers.get_all("X-Forwarded-For"), self._settings.trusted_proxies)

    def _become_connection(self, address: str, user_agent: str) -> None:
        transport, settings = self._transport, self._settings
        # A fresh one: that which read the request would keep it, 2.5 KB for as long as the connection lasts.
        protocol = ServerProtocol(
            state=State.OPEN, max_size=settings.limits.max_message_bytes, logger=_quiet_logger
        )
        protocol.subprotocol = self._protocol.subprotocol
        connection = Connection(
            transport,
            protocol,
            settings,
            self._roster,
            self._cork,
            address=address,
            user_agent=user_agent,
        )
        transport.set_protocol(connection)
        transport.write(b"".join(self._protocol.data_to_send()))
        high = settings.limits.write_buffer_bytes
        transport.set_write_buffer_limits(high=high, low=high // 4)
        connection.begin()
        self._roster.remove_opening(self)

    def _refuse(self, reason: Refused, answer: HttpAnswer) -> None:
        self._count(reason)
        self._answer(answer)

    def _count(self, reason: Refused) -> None:
        self._settings.stats.refused[reason] += 1

    def _answer(self, answer: HttpAnswer, *, with_body: bool = True) -> None:
        """Answer and hang up; the client has until the deadline to read and hang up as well."""
        self._answered = True
        self._deadline = self._settings.clock() + self._settings.limits.close_seconds
        if self._transport.is_closing():
            return
        data = answer_bytes(answer, with_body=with_body)
        self._settings.stats.bytes_out += len(data)
        self._transport.write(data)
        if self._transport.is_closing():
            return
        if self._transport.can_write_eof():
            self._transport.write_eof()
        else:
            self._transport.close()
