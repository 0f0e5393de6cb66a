"""Configuration of one listener, shared by its connections."""

from collections.abc import Callable
from dataclasses import dataclass

from server.transport.addresses import Network
from server.transport.handshake import SelectSubprotocol
from server.transport.limits import TransportLimits
from server.transport.origin import OnRefusedOrigin
from server.transport.ports import Accept, HttpHandler, OnError
from server.transport.stats import TransportStats


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenerSettings:
    """The application's callbacks, the limits, the counters and the clock of a listener."""

    accept: Accept
    http: HttpHandler
    on_error: OnError
    on_refused_origin: OnRefusedOrigin
    limits: TransportLimits
    stats: TransportStats
    select_subprotocol: SelectSubprotocol
    origins: tuple[str, ...]
    trusted_proxies: tuple[Network, ...]
    clock: Callable[[], float]
    """Monotonic time in seconds."""
