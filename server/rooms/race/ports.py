"""What a racer's game needs of the race that it belongs to."""

from typing import Protocol

from engine.board import Board
from protocol.from_server import Accepted, Error, Refused
from server.rooms.context import RoomContext
from server.rooms.room_log import RoomLog


class RaceOfGame(Protocol):
    """The running race, as one racer's game uses it."""

    @property
    def context(self) -> RoomContext:
        """Services of the node."""

    @property
    def log(self) -> RoomLog:
        """Writer of the room's log."""

    @property
    def room(self) -> str:
        """Code of the room."""

    @property
    def number(self) -> int:
        """Number of the race in its room."""

    @property
    def deal(self) -> Board:
        """The board at the start."""

    @property
    def time_limit_ms(self) -> int:
        """Longest duration of the race."""

    def accepted(self, player: str, answer: Accepted) -> None:
        """Send the answer of an action that was committed, and request new standings."""

    def refused(self, player: str, answer: Refused) -> None:
        """Send the answer of an action that was refused."""

    def repeated(self, player: str, n: int) -> None:
        """Charge for an action that was sent again: its answer needs a replay of all actions before it."""

    def answer(self, player: str, answer: Accepted | Refused | Error) -> None:
        """Send an answer, without counting it."""

    def failed(self, player: str) -> None:
        """End the racer's connection, because the game cannot be read."""

    def overran(self, player: str) -> None:
        """End the connection of a racer who sends more than may wait."""

    def language(self, player: str) -> str:
        """Return the language of a racer's texts."""

    def rolled_back(self, player: str, actions: int) -> None:
        """Report that the store has lost that many committed actions of a racer."""
