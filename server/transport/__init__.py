"""WebSocket connections over the Sans-I/O layer of `websockets`."""

from server.transport.addresses import counted_address
from server.transport.answers import HttpAnswer
from server.transport.api import Handler
from server.transport.connection import Connection
from server.transport.frames import binary_frame, text_frame
from server.transport.limits import TransportLimits
from server.transport.listener import Listener, serve
from server.transport.message_frames import message_frame
from server.transport.stats import Refused, TransportStats

__all__ = [
    "Connection",
    "Handler",
    "HttpAnswer",
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
