"""WebSocket and plain HTTP connections over the Sans-I/O layer of `websockets`."""

from server.transport.addresses import counted_address
from server.transport.frames import binary_frame, text_frame
from server.transport.limits import TransportLimits
from server.transport.listener import Listener, serve
from server.transport.message_frames import message_frame
from server.transport.ports import Connection, Handler
from server.transport.responses import HttpResponse
from server.transport.stats import Refused, TransportStats

__all__ = [
    "Connection",
    "Handler",
    "HttpResponse",
    "Listener",
    "Refused",
    "TransportLimits",
    "TransportStats",
    "binary_frame",
    "counted_address",
    "message_frame",
    "serve",
    "text_frame",
]
