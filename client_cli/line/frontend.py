"""Protocol of the front ends: a terminal, or the lines of a pipe."""

from typing import Protocol

from client_cli.net.connection import ConnectionListener


class Frontend(ConnectionListener, Protocol):
    """Shows what happens and what was asked for. It never sends anything to the server."""

    def show(self, word: str) -> None:
        """Show the board, the members, the standings or the help."""

    def note(self, text: str) -> None:
        """Show a sentence of the client itself."""

    def problem(self, text: str) -> None:
        """Show what is wrong with the typed line."""

    def line_entered(self) -> None:
        """Called when a line has been entered."""
