"""Counters of the transport."""

from dataclasses import dataclass, field
from enum import StrEnum


class Refused(StrEnum):
    """Why a client did not get a WebSocket connection."""

    BAD_REQUEST = "bad_request"
    HEADERS_TOO_LARGE = "headers_too_large"
    TIMED_OUT = "timed_out"
    NOT_FOUND = "not_found"
    ORIGIN = "origin"
    SUBPROTOCOL = "subprotocol"
    TOO_MANY_HANDSHAKES = "too_many_handshakes"
    TOO_MANY_OF_ADDRESS = "too_many_of_address"
    TOO_FAST_OF_ADDRESS = "too_fast_of_address"
    TOO_MANY = "too_many"
    DRAINING = "draining"


@dataclass(slots=True)
class TransportStats:
    """Counters of one listener, all of which only grow except `open` and `handshakes`.

    The transport increments them in place, so that counting a message costs no call. Everybody else only
    reads.
    """

    handshakes: int = 0
    open: int = 0
    opened: int = 0
    http_responses: int = 0
    messages_in: int = 0
    messages_out: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    slow_drops: int = 0
    idle_drops: int = 0
    close_timeouts: int = 0
    protocol_errors: int = 0
    handler_errors: int = 0
    refused: dict[Refused, int] = field(default_factory=lambda: dict.fromkeys(Refused, 0))
