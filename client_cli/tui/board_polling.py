"""Board polling: when a spectator's client requests the boards that are on the screen."""

from typing import Final

from client_cli.text.style import Style
from client_cli.tui.state.keys import Mode
from client_cli.tui.state.state import Context, ScreenState
from client_cli.tui.views.layout import layout_of
from client_cli.tui.views.spectator import visible_racers

BOARD_MS: Final = 1000
"""Least time between two requests for the same board."""

REQUEST_MS: Final = 250
"""Least time between two requests for any boards."""


class BoardPolling:
    """Chooses the board to request next: of the visible ones the one that was requested longest ago."""

    def __init__(self) -> None:
        self._requested_ms: dict[str, int] = {}  # time of the last request, by racer

    def next_racer(self, state: ScreenState, context: Context, style: Style) -> str | None:
        """Return the racer whose board is due, None if none is; its request counts from now."""
        model = context.model
        if state.mode(model) is not Mode.SPECTATE:
            return None
        racers = visible_racers(state, model, (style.width, layout_of(style).body))
        if not racers and model.settings.live_boards and model.standings:
            racers = (model.standings[0].player,)
        requested_ms = {each: self._requested_ms.get(each, -BOARD_MS) for each in racers}
        racer = min(requested_ms, key=lambda each: requested_ms[each], default=None)
        if (
            racer is None
            or context.now_ms - requested_ms[racer] < BOARD_MS
            or context.now_ms - max(requested_ms.values()) < REQUEST_MS
        ):
            return None
        self._requested_ms[racer] = context.now_ms
        return racer
