"""Protocols between the controller, the app and what starts them."""

from collections.abc import Coroutine
from typing import Any, Protocol

from client_cli.tui.state.effects import Effect


class Screen(Protocol):
    """What the controller is shown on."""

    def show(self) -> None:
        """Draw what has changed."""

    def carry_out(self, effect: Effect) -> None:
        """Do what only a screen can: open the input line, copy, ring the bell, close."""


class TerminalApp(Protocol):
    """An app that runs in the terminal until the screen is closed."""

    @property
    def failure(self) -> Exception | None:
        """The exception that ended the app, if one did."""

    def run_async(self) -> Coroutine[Any, Any, None]:
        """Run the app in the terminal."""
