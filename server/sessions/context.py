"""What every session of a node shares, made once by the composition root."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from protocol import limits
from server.core.token_bucket import Quota
from server.rooms.registry import RoomRegistry
from server.services.identity import Identities
from server.services.leaderboards import Leaderboards
from server.services.records import Records
from server.sessions.client_programs import ClientPrograms
from server.sessions.ports import OpenSession


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """Limits of one connection or address; those of the protocol unless the operator set others."""

    messages_per_second: float = limits.MESSAGES_PER_SECOND
    message_burst: float = limits.MESSAGE_BURST
    hello_seconds: float = limits.HELLO_SECONDS
    rooms_per_hour: float = limits.ROOMS_PER_HOUR
    rooms_burst: float = limits.ROOMS_BURST
    players_per_hour: float = limits.PLAYERS_PER_HOUR
    players_burst: float = limits.PLAYERS_BURST


@dataclass(slots=True)
class SessionContext:
    """Services of the node, and its open sessions; `unidentified` are those without a `hello`."""

    node: str
    version: str
    rooms: RoomRegistry
    identities: Identities
    leaderboards: Leaderboards
    records: Records
    limits: SessionLimits
    now_ms: Callable[[], int]
    monotonic: Callable[[], float]
    spawn: Callable[[Coroutine[Any, Any, None]], None]
    rooms_quota: Quota
    players_quota: Quota
    password_tries: Quota
    log: Any
    programs: ClientPrograms = field(default_factory=ClientPrograms)
    sessions: set[OpenSession] = field(default_factory=set)
    unidentified: set[OpenSession] = field(default_factory=set)
    draining: bool = False

    def stop_serving(self) -> None:
        """Refuse to open rooms from now on: the node is about to stop."""
        self.draining = True
