"""What shows a race to somebody: a terminal, or the lines of a pipe."""

from typing import Protocol

from client_cli.net.connection import ConnectionListener


class Frontend(ConnectionListener, Protocol):
    """Shows what happens and what was asked for; it never says anything to the server."""

    def show(self, word: str) -> None:
        """Show what a command asks for: board, who, standings or help."""

    def note(self, text: str) -> None:
        """Tell something that the client itself has to say."""

    def problem(self, text: str) -> None:
        """Tell what was wrong with what was typed."""

    def typed(self) -> None:
        """A line was entered."""
