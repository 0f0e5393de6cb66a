"""What every session of a node shares, made once by the composition root."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from protocol import limits
from server.core.limits import Quota
from server.identity import Identities
from server.leaderboards import Leaderboards
from server.records import Records
from server.rooms.registry import Hall
from server.sessions.programs import Programs

if TYPE_CHECKING:
    from server.sessions.session import Session


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """What one connection or address may do; the protocol's numbers unless a host chose others."""

    messages_per_second: float = limits.MESSAGES_PER_SECOND
    message_burst: float = limits.MESSAGE_BURST
    hello_seconds: float = limits.HELLO_SECONDS
    rooms_per_hour: float = limits.ROOMS_PER_HOUR
    rooms_burst: float = limits.ROOMS_BURST
    players_per_hour: float = limits.PLAYERS_PER_HOUR
    players_burst: float = limits.PLAYERS_BURST


@dataclass(slots=True)
class Lounge:
    """The services, and the sessions that are open; `strangers` are those of them without a hello."""

    node: str
    version: str
    hall: Hall
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
    programs: Programs = field(default_factory=Programs)
    sessions: set["Session"] = field(default_factory=set)
    strangers: set["Session"] = field(default_factory=set)
    draining: bool = False
