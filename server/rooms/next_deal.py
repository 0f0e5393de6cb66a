"""Deal of a room's next race, drawn during the countdown for the settings that the room has then."""

from collections.abc import Callable

from protocol.parts import Settings
from server.rooms.context import RoomContext


class NextDeal:
    """Draws the deal of the next race, one at a time; `drawn` is called when a draw has ended."""

    def __init__(self, context: RoomContext, drawn: Callable[[], None]) -> None:
        self._context = context
        self._drawn = drawn
        self._code: str | None = None
        self._drawn_for: tuple[int, bool] | None = None
        self._drawing = False

    def code_for(self, settings: Settings) -> str | None:
        """Return the game code if it has been drawn; otherwise start drawing it.

        A code that was drawn for other settings, before the host cancelled and changed them, is not used.
        """
        if self._drawn_for == (settings.suits, settings.winnable):
            return self._code
        if not self._drawing:
            self._drawing = True
            self._context.spawn(self._draw(settings.suits, settings.winnable))
        return None

    def discard(self) -> None:
        """Discard the code: the race that has started uses it."""
        self._code = self._drawn_for = None

    async def _draw(self, suits: int, winnable: bool) -> None:
        try:
            self._code = await self._context.deals.draw(suits, winnable)
            self._drawn_for = (suits, winnable)
        finally:
            self._drawing = False
        self._drawn()
