"""Host of the demo's race: creates the room, starts the race, requests the leaderboards and the record."""

import asyncio
from collections.abc import Callable

from client_cli.core.addresses import Server
from client_cli.core.conversation import Conversation
from client_cli.core.errors import Failure
from client_cli.core.model import Model
from client_cli.net.connection import Connection
from demo.show import Show
from protocol import from_client, from_server
from protocol.parts import Phase, RacerState, Settings
from protocol.record import FinishedRace

LEADERBOARD_SECONDS = 5.0
"""Longest time until the results of a race are on the leaderboards."""


class Host:
    """The host; it does not race."""

    def __init__(self, server: Server, settings: Settings, code: str | None, show: Show) -> None:
        self._conversation = Conversation("Host", from_client.Create(settings=settings, code=code))
        self._connection = Connection(server, self._conversation, self)
        self._show = show
        self._message_arrived = asyncio.Event()
        self._answer: from_server.FromServer | None = None

    @property
    def model(self) -> Model:
        """Model of the host's client."""
        return self._conversation.model

    async def run(self) -> None:
        """Run the connection until cancelled. Raises Failure if the server ends it."""
        end = await self._connection.run()
        raise Failure(end.sentence or "The server closed the connection.")

    async def room(self) -> str:
        """Wait for the room and return its code."""
        await self._until(lambda: self.model.room != "")
        return self.model.room

    async def race(self, racers: int) -> None:
        """Start the race when this many racers are ready, and wait for its end."""
        await self._until(lambda: sum(member.ready for member in self.model.members) == racers)
        self._send(from_client.StartCountdown())
        await self._until(lambda: self.model.phase is Phase.RESULTS)

    async def leaderboard(self) -> from_server.Leaderboard:
        """Return the leaderboards of the deal once all winners are on them."""
        winners = sum(result.state is RacerState.WON for result in self.model.results)
        code = self.model.race.code if self.model.race else ""
        deadline = asyncio.get_running_loop().time() + LEADERBOARD_SECONDS
        while True:
            answer = await self._request(from_client.SubscribeLeaderboard(code=code))
            late = asyncio.get_running_loop().time() > deadline
            if isinstance(answer, from_server.Leaderboard):
                complete = all(len(table.rows) >= winners for table in answer.leaderboards)
                if complete or late:
                    return answer
            await asyncio.sleep(0.1)

    async def record(self) -> FinishedRace:
        """Return the record of the race."""
        answer = await self._request(from_client.GetRecord(race=self.model.races))
        if isinstance(answer, from_server.RecordSent):
            return answer.record
        raise Failure(f"The server sent no record of the race: {answer}")

    def message_received(self, message: from_server.FromServer) -> None:
        """Keep the answer to a request, and show the message."""
        if isinstance(message, from_server.Leaderboard | from_server.RecordSent | from_server.Error):
            self._answer = message
        self._show.event(self.model, message)
        self._message_arrived.set()

    def connection_lost(self, why: str) -> None:
        """Show that the connection is lost."""
        self._show.print_text(f"Connection lost, trying again. {why}")

    def connection_restored(self) -> None:
        """Show that the connection is restored."""
        self._show.print_text("The connection is back.")

    def _send(self, request: from_client.FromClient) -> None:
        self._conversation.submit_request(request)
        self._connection.nudge()

    async def _request(self, request: from_client.FromClient) -> from_server.FromServer | None:
        self._answer = None
        self._send(request)
        await self._until(lambda: self._answer is not None)
        return self._answer

    async def _until(self, done: Callable[[], bool]) -> None:
        while not done():
            self._message_arrived.clear()
            await self._message_arrived.wait()
