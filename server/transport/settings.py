"""What one listener was told, as everything behind it sees it."""

from collections.abc import Callable
from dataclasses import dataclass

from server.transport.addresses import Network
from server.transport.api import Accept, AnswerHttp, OnError
from server.transport.handshake import SelectSubprotocol
from server.transport.limits import TransportLimits
from server.transport.stats import TransportStats


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The application's callbacks, the limits, and where to count."""

    accept: Accept
    http: AnswerHttp
    on_error: OnError
    limits: TransportLimits
    stats: TransportStats
    select_subprotocol: SelectSubprotocol
    origins: tuple[str, ...]
    trusted_proxies: tuple[Network, ...]
    clock: Callable[[], float]
