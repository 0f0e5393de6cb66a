"""A watcher for one question: the first answer to it is all that is wanted."""

import asyncio

from client_cli.core.conversation import Link
from protocol.from_server import Error, FromServer, Leaderboard


class Once:
    """Waits for a leaderboard, or for the error that comes in its place."""

    def __init__(self, link: Link) -> None:
        self.answer: asyncio.Future[Leaderboard | Error] = asyncio.get_running_loop().create_future()
        self._link = link

    def heard(self, message: FromServer) -> None:
        """Keep the answer."""
        wanted = isinstance(message, Leaderboard) or (isinstance(message, Error) and self._link.live)
        if wanted and not self.answer.done() and isinstance(message, Leaderboard | Error):
            self.answer.set_result(message)

    def lost(self, why: str) -> None:
        """The question is asked again by the link."""

    def back(self) -> None:
        """The question is asked again by the link."""
