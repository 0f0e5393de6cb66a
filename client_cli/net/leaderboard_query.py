"""Query of a leaderboard: a listener that waits for the first answer."""

import asyncio

from client_cli.core.conversation import Conversation
from protocol.from_server import Error, FromServer, Leaderboard


class LeaderboardQuery:
    """Waits for a leaderboard, or for the error in its place. The conversation repeats a lost request."""

    def __init__(self, conversation: Conversation) -> None:
        self.answer: asyncio.Future[Leaderboard | Error] = asyncio.get_running_loop().create_future()
        self._conversation = conversation

    def message_received(self, message: FromServer) -> None:
        """Keep the first answer. Errors of hello are the conversation's."""
        wanted = isinstance(message, Leaderboard) or (isinstance(message, Error) and self._conversation.live)
        if wanted and not self.answer.done() and isinstance(message, Leaderboard | Error):
            self.answer.set_result(message)

    def connection_lost(self, why: str) -> None:
        """Do nothing: the conversation repeats the request."""

    def connection_restored(self) -> None:
        """Do nothing: the conversation has repeated the request."""
