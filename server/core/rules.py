"""The house rules of every room that are not settings: how long things wait, in milliseconds, and an end."""

from dataclasses import dataclass

from protocol import limits


@dataclass(frozen=True, slots=True)
class Rules:
    """Waiting times, and how much a room takes. Tests and hosts may choose others."""

    host_grace_ms: int = 5_000
    """A host who is away so long hands over to the longest present."""

    seat_ms: int = 15 * 60_000
    """Somebody who is away so long loses the seat (never while racing)."""

    absent_ms: int = 60_000
    """A racer who is away so long holds nobody any more: the race may end without them."""

    idle_ms: int = 5 * 60_000
    """A racer who does nothing so long holds nobody any more."""

    forfeit_undo_ms: int = int(limits.FORFEIT_UNDO_SECONDS * 1000)
    """A forfeit can be taken back so long; the race waits for it."""

    draw_grace_ms: int = 6_000
    """A countdown that another node should have ended is ended by any node after this."""

    room_events: int = limits.ROOM_EVENTS
    """A room in which so much has happened takes nothing new; what has begun in it comes to its end."""

    room_chat: int = limits.ROOM_CHAT
    """A room in which so many characters were said hears no more, and goes on without."""
