"""Rules of every room that are not settings: times in milliseconds, and limits of the room's log."""

from dataclasses import dataclass

from protocol import limits


@dataclass(frozen=True, slots=True)
class Rules:
    """Times and limits of a room. Tests and servers can use other values."""

    host_grace_ms: int = 5_000
    """After this long, a disconnected host is replaced by the connected member who joined first."""

    seat_ms: int = 15 * 60_000
    """After this long, a disconnected member loses the seat, except while racing."""

    absent_ms: int = 60_000
    """After this long, a disconnected racer is absent: the race does not wait for the racer."""

    idle_ms: int = 5 * 60_000
    """After this long without an action, a racer is idle: the race does not wait for the racer."""

    forfeit_undo_ms: int = int(limits.FORFEIT_UNDO_SECONDS * 1000)
    """Time in which a forfeit can be undone; the race waits for it."""

    draw_grace_ms: int = 6_000
    """This long after the end of a countdown, any node may start the race."""

    room_events: int = limits.ROOM_EVENTS
    """Length of the log from which a room refuses new members and most requests; races can still end."""

    room_chat: int = limits.ROOM_CHAT
    """Characters of chat after which a room accepts no more; races go on."""
