"""A watcher for one question: the first answer to it is all that is wanted."""

import asyncio

from client_cli.core.conversation import Conversation
from protocol.from_server import Error, FromServer, Leaderboard


class LeaderboardQuery:
    """Waits for a leaderboard, or for the error that comes in its place."""

    def __init__(self, conversation: Conversation) -> None:
        self.answer: asyncio.Future[Leaderboard | Error] = asyncio.get_running_loop().create_future()
        self._conversation = conversation

    def message_received(self, message: FromServer) -> None:
        """Keep the answer."""
        wanted = isinstance(message, Leaderboard) or (isinstance(message, Error) and self._conversation.live)
        if wanted and not self.answer.done() and isinstance(message, Leaderboard | Error):
            self.answer.set_result(message)

    def connection_lost(self, why: str) -> None:
        """The question is asked again by the link."""

    def connection_restored(self) -> None:
        """The question is asked again by the link."""
