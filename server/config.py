"""Settings of the server: each is an option of the command line and an environment variable."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from protocol import limits
from server.transport import TransportLimits

DEFAULT_PORT = 7466
_TRANSPORT = TransportLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Settings of a server process, named like the options of `simonrace-server`."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    workers: int = 1
    worker_of: int | None = None
    """Process id of the supervisor. This worker shares its port and stops when the supervisor is gone."""
    redis: str | None = None
    redis_prefix: str = "simonrace:"
    data: Path = Path("simonrace-data")
    origins: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    max_connections: int = _TRANSPORT.max_connections
    connections_per_address: int = _TRANSPORT.connections_per_address
    max_rooms: int = 5_000
    keep_rooms_hours: float = 24.0
    forget_players_days: float = 400.0
    rooms_per_hour: float = limits.ROOMS_PER_HOUR
    players_per_hour: float = limits.PLAYERS_PER_HOUR
    messages_per_second: float = limits.MESSAGES_PER_SECOND
    message_burst: int = limits.MESSAGE_BURST
    drain_seconds: float = 3.0
    metrics_port: int | None = None
    metrics_host: str = "127.0.0.1"
    log_format: Literal["pretty", "json"] = "pretty"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
