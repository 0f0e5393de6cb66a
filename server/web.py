"""Plain HTTP on the port of the WebSocket: signs of health, and a page for those who follow a room's link."""

from collections.abc import Callable, Mapping
from typing import Final

from server.core.codes import ALPHABET, LENGTH, tidy
from server.transport import HttpAnswer

_TEXT: Final = "text/plain; charset=utf-8"


class Web:
    """Answers GET requests. `not_ready` says why this node should get no new connections, or None."""

    def __init__(self, not_ready: Callable[[], str | None]) -> None:
        self._not_ready = not_ready

    def __call__(self, path: str, headers: Mapping[str, str]) -> HttpAnswer | None:
        """Return the answer to a path, or None where there is none."""
        path = path.partition("?")[0]
        if path == "/healthz":
            return _answer(200, "alive\n")
        if path == "/readyz":
            reason = self._not_ready()
            return _answer(200, "ready\n") if reason is None else _answer(503, f"not ready: {reason}\n")
        room = tidy(path.removeprefix("/"))
        if len(room) == LENGTH and not set(room) - set(ALPHABET):
            host = headers.get("host", "THIS-SERVER")
            return _answer(
                200, f"A room of Simon Race. To join it:\n\n    simonrace join ws://{host}/{room}\n"
            )
        return None


def _answer(status: int, text: str) -> HttpAnswer:
    return HttpAnswer(status, text.encode(), content_type=_TEXT)
