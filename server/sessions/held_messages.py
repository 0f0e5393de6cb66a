"""Messages that wait until a request before them has been answered."""

from protocol.from_client import FromClient
from protocol.from_server import Error, Refused
from server.sessions.replies import Reply

Held = FromClient | Refused | Error
"""A message that waits, or an answer to an action that waits for its turn."""


class HeldMessages:
    """Messages in the order in which they came; a request has its reply, others have None.

    While `holds_all`, every message waits; while `holds_requests`, requests wait and actions do not.
    """

    __slots__ = ("_messages", "holds_all", "holds_requests")

    def __init__(self) -> None:
        self.holds_all = False
        self.holds_requests = False
        self._messages: list[tuple[Held, Reply | None]] = []

    def __len__(self) -> int:
        return len(self._messages)

    def hold_all(self) -> None:
        """Make all later messages wait."""
        self.holds_all = True

    def hold_requests(self) -> None:
        """Make later requests wait, but not actions."""
        self.holds_requests = True

    def resume(self) -> None:
        """Stop holding messages back; `take` then returns them in order."""
        self.holds_all = self.holds_requests = False

    def append(self, message: Held, reply: Reply | None) -> None:
        """Add a message that must wait."""
        self._messages.append((message, reply))

    def take(self) -> tuple[Held, Reply | None] | None:
        """Remove and return the message to handle next; None if there is none, or all must wait."""
        if self.holds_all or not self._messages:
            return None
        if not self.holds_requests:
            return self._messages.pop(0)
        for place, (_, reply) in enumerate(self._messages):
            if reply is None:
                return self._messages.pop(place)
        return None

    def clear(self) -> None:
        """Discard all messages: the connection has ended."""
        self._messages.clear()
