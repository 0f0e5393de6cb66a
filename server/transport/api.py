"""What the application gives to the transport."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from server.transport.answers import HttpAnswer

if TYPE_CHECKING:
    from server.transport.connection import Connection


class Handler(Protocol):
    """The application's side of one connection; every call is synchronous and short."""

    def received(self, data: bytes | str) -> None:
        """Take one whole message: str if it came as text, bytes if as binary."""

    def closed(self, code: int, reason: str) -> None:
        """Learn, exactly once, that the connection is over.

        The code and reason of whoever closed first; 1006 if nobody said goodbye, with our words for why.
        """


Accept = Callable[["Connection"], Handler]
AnswerHttp = Callable[[str, Mapping[str, str]], HttpAnswer | None]
OnError = Callable[[Exception], None]
