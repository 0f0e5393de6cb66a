"""Messages that wait until a request before them has been answered."""

from protocol.from_client import FromClient
from server.sessions.replies import Reply


class HeldMessages:
    """Messages in the order in which they came; a request has its reply, an action has None.

    While `holds_all`, every message waits; while `holds_requests`, requests wait and actions do not.
    """

    __slots__ = ("_messages", "holds_all", "holds_requests")

    def __init__(self) -> None:
        self.holds_all = False
        self.holds_requests = False
        self._messages: list[tuple[FromClient, Reply | None]] = []

    def __len__(self) -> int:
        return len(self._messages)

    def hold_all(self) -> None:
        """Let all later messages wait."""
        self.holds_all = True

    def hold_requests(self) -> None:
        """Let later requests wait, but not actions."""
        self.holds_requests = True

    def resume(self) -> None:
        """Hold nothing any more."""
        self.holds_all = self.holds_requests = False

    def append(self, message: FromClient, reply: Reply | None) -> None:
        """Let a message wait."""
        self._messages.append((message, reply))

    def take(self) -> tuple[FromClient, Reply | None] | None:
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
        """Forget all messages: the connection has ended."""
        self._messages.clear()
