"""The host of the demo's race: opens the room, starts the race, watches it, asks for its record."""

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
"""How long a race's results may take into the leaderboards."""


class Host:
    """One who is in the room to watch."""

    def __init__(self, server: Server, settings: Settings, code: str | None, show: Show) -> None:
        self._conversation = Conversation("Host", from_client.Create(settings=settings, code=code))
        self._connection = Connection(server, self._conversation, self)
        self._show = show
        self._heard = asyncio.Event()
        self._answer: from_server.FromServer | None = None

    @property
    def model(self) -> Model:
        """What the host knows."""
        return self._conversation.model

    async def run(self) -> None:
        """Keep the conversation up until cancelled; Failure when the server wants no more of it."""
        verdict = await self._connection.run()
        raise Failure(verdict.sentence or "the server hung up")

    async def room(self) -> str:
        """Wait for the room, and return its code."""
        await self._until(lambda: self.model.room != "")
        return self.model.room

    async def race(self, racers: int) -> None:
        """Start the race when so many are ready, and wait for its end."""
        await self._until(lambda: sum(member.ready for member in self.model.members) == racers)
        self._ask(from_client.StartCountdown())
        await self._until(lambda: self.model.phase is Phase.RESULTS)

    async def leaderboard(self) -> from_server.Leaderboard:
        """Return the leaderboards of the deal, as soon as all winners are on them."""
        winners = sum(result.state is RacerState.WON for result in self.model.results)
        code = self.model.race.code if self.model.race else ""
        deadline = asyncio.get_running_loop().time() + LEADERBOARD_SECONDS
        while True:
            answer = await self._answered(from_client.SubscribeLeaderboard(code=code))
            late = asyncio.get_running_loop().time() > deadline
            if isinstance(answer, from_server.Leaderboard):
                whole = all(len(table.rows) >= winners for table in answer.leaderboards)
                if whole or late:
                    return answer
            await asyncio.sleep(0.1)

    async def record(self) -> FinishedRace:
        """Return everything about the race."""
        answer = await self._answered(from_client.GetRecord(race=self.model.races))
        if isinstance(answer, from_server.RecordSent):
            return answer.record
        raise Failure(f"the server gives no record of the race: {answer}")

    def message_received(self, message: from_server.FromServer) -> None:
        """Show what happens."""
        if isinstance(message, from_server.Leaderboard | from_server.RecordSent | from_server.Error):
            self._answer = message
        self._show.message_received(self.model, message)
        self._heard.set()

    def connection_lost(self, why: str) -> None:
        """Tell it."""
        self._show.say(f"Connection lost, trying again. {why}")

    def connection_restored(self) -> None:
        """Tell it."""
        self._show.say("The connection is back.")

    def _ask(self, request: from_client.FromClient) -> None:
        self._conversation.submit_request(request)
        self._connection.nudge()

    async def _answered(self, request: from_client.FromClient) -> from_server.FromServer | None:
        self._answer = None
        self._ask(request)
        await self._until(lambda: self._answer is not None)
        return self._answer

    async def _until(self, done: Callable[[], bool]) -> None:
        while not done():
            self._heard.clear()
            await self._heard.wait()
