"""What membership, timers and rollback need of the room that they belong to."""

from typing import Protocol

from protocol.parts import GameView
from server.rooms.race.live_race import LiveRace


class HasStandings(Protocol):
    """A room that sends live standings."""

    def request_standings(self) -> None:
        """Send the standings soon, if a race runs."""


class MembershipRoom(HasStandings, Protocol):
    """The room that members attach to."""

    @property
    def unloaded(self) -> bool:
        """Whether this node no longer holds the room."""

    async def game_of(self, player: str) -> tuple[int, GameView] | None:
        """Return the running race's number and a racer's committed game in it, or None."""


class TimedRoom(Protocol):
    """The room whose deadlines are watched."""

    @property
    def race(self) -> LiveRace | None:
        """The running race."""


class RecoverableRoom(HasStandings, TimedRoom, Protocol):
    """The room that continues from an older log."""

    @property
    def vanished(self) -> bool:
        """Whether the store no longer has the room."""

    def inboxes(self) -> list[str]:
        """Return the inboxes of the other nodes that hold members of this room."""

    def restart_from_log(self) -> None:
        """Continue from the log as it is now: read all games again and disconnect all members."""
