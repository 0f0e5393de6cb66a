"""Bot of the demo: a player with the connection of the terminal client."""

import asyncio
from collections.abc import Callable
from typing import Final

from client_cli.core.addresses import Server
from client_cli.core.conversation import Conversation
from client_cli.net.connection import Connection
from demo.bot_plan import Chance, Playstyle, plan
from engine import Board
from protocol import from_client, from_server

PAUSE_JITTER: Final = 0.6
"""Largest relative deviation of a pause from the pace."""


class Bot:
    """Joins a room, gets ready, and plays its plan; `speed` divides every pause."""

    def __init__(
        self, server: Server, room: str, name: str, style: Playstyle, *, chance: Chance, speed: float = 1.0
    ) -> None:
        self.conversation = Conversation(name, from_client.Join(room=room), keep_early_actions=True)
        self._style, self._chance, self._speed = style, chance, speed
        self._connection = Connection(server, self.conversation, self)
        self._answered = asyncio.Event()
        self._group = asyncio.TaskGroup()
        self._racing: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Stay in the room until the connection ends or the task is cancelled."""
        self.conversation.submit_request(from_client.Ready())
        async with self._group:
            await self._connection.run()
            if self._racing is not None:
                self._racing.cancel()

    def message_received(self, message: from_server.FromServer) -> None:
        """Start to play with the race; continue when an action is answered."""
        if isinstance(message, from_server.RaceStarted) and self.conversation.model.racing:
            self._racing = self._group.create_task(self._race(message))
        self._answered.set()

    def connection_lost(self, why: str) -> None:
        """Do nothing: the conversation repeats what was not answered."""

    def connection_restored(self) -> None:
        """Do nothing: the conversation repeats what was not answered."""

    async def _race(self, start: from_server.RaceStarted) -> None:
        board = Board.from_columns(start.columns)
        for command in await asyncio.to_thread(plan, board, self._style, self._chance):
            pause = self._style.pace * (1 + PAUSE_JITTER * (2 * self._chance() - 1))
            await asyncio.sleep(pause / self._speed)
            self.conversation.submit_action(command)
            self._connection.nudge()
            await self._until(lambda: self.conversation.idle)

    async def _until(self, done: Callable[[], bool]) -> None:
        while not done():
            self._answered.clear()
            await self._answered.wait()
