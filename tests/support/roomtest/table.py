"""A room on a node, and the players at its table, each with a subscriber."""

from typing import Any, Final, Self

from racetest import CODE, solution

from protocol import from_client as ask
from protocol.errors import ErrorCode
from protocol.from_client import RoomRequest
from protocol.from_server import FromServer
from protocol.parts import Settings, StartMode
from roomtest.loop import idle
from roomtest.node import RoomNode
from roomtest.subscriber import FakeSubscriber
from server.core import commands as cmd
from server.rooms.live_room import LiveRoom
from server.rooms.membership import Arrival
from server.rooms.race.live_race import LiveRace
from server.rooms.race.racer_game import RacerGame
from server.rooms.room_log import Answer

ADA, BEN, CYD = "ada", "ben", "cyd"
NAMES: Final = {ADA: "Ada", BEN: "Ben", CYD: "Cyd"}


def move(n: int, race: int = 1, *, step: int | None = None) -> ask.Move:
    """Return action `n`: the move of the solution with that number, or with the number `step`."""
    fields = solution()[(n if step is None else step) - 1]
    return ask.Move(race=race, n=n, source=fields["from"], target=fields["to"], cards=fields["cards"])


MOVES: Final = len(solution())
"""Moves that win the deal of `CODE`."""


class Table:
    """A room as one node has it, with a subscriber for each member that is attached there."""

    def __init__(self, node: RoomNode, room: LiveRoom) -> None:
        self.node = node
        self.room = room
        self.at: dict[str, FakeSubscriber] = {}
        self.answers: dict[FakeSubscriber, FromServer] = {}
        self.refusals: dict[FakeSubscriber, ErrorCode | None] = {}

    @classmethod
    async def open(cls, node: RoomNode, *others: str, code: str | None = CODE, **settings: Any) -> Self:
        """Open a room of Ada without a countdown, with the others in it."""
        opened: list[LiveRoom | None] = []
        chosen = Settings(**{"countdown_s": 0, "suits": 1, "start_mode": StartMode.HOST, **settings})
        command = cmd.OpenRoom(ADA, NAMES[ADA], node.context.node, chosen, code, None)
        node.rooms.open(command, lambda _: None, lambda room, _: opened.append(room))
        await idle()
        assert opened[0] is not None
        table = cls(node, opened[0])
        for player in (ADA, *others):
            await table.join(player)
        return table

    @classmethod
    async def racing(cls, node: RoomNode, *others: str, **settings: Any) -> Self:
        """Open a room of Ada in which she and the others race on the deal of `CODE`."""
        table = await cls.open(node, *others, **settings)
        await table.race()
        return table

    async def race(self) -> None:
        """Let all members here race."""
        for player in self.at:
            assert isinstance(await self.request(player, ask.Ready()), list)
        assert isinstance(await self.request(ADA, ask.StartCountdown()), list)
        await self.node.tick()
        assert self.room.race is not None

    async def elsewhere(self, node: RoomNode) -> "Table":
        """Return the same room at another node."""
        room = await node.rooms.find(self.room.code)
        assert room is not None
        return Table(node, room)

    @property
    def live_race(self) -> LiveRace:
        """The running race."""
        assert self.room.race is not None
        return self.room.race

    def game(self, player: str) -> RacerGame:
        """Return a racer's game."""
        return self.live_race.games[player]

    def arrival(self, player: str, subscriber: FakeSubscriber, seen: int | None = None) -> Arrival:
        """Return the arrival of a connection; its answer and its refusal are kept here."""

        def answer(message: FromServer) -> None:
            self.answers[subscriber] = message
            subscriber.received.append(message)

        def done(refusal: ErrorCode | None) -> None:
            self.refusals[subscriber] = refusal

        return Arrival(subscriber, player, 7, answer, done, seen)

    def arrive(
        self, player: str, seen: int | None = None, subscriber: FakeSubscriber | None = None
    ) -> FakeSubscriber:
        """Let a connection join, and wait for nothing."""
        subscriber = FakeSubscriber() if subscriber is None else subscriber
        command = cmd.JoinRoom(player, NAMES[player], self.node.context.node, False, None)
        self.room.membership.join(self.arrival(player, subscriber, seen), command)
        return subscriber

    async def join(self, player: str, seen: int | None = None) -> FakeSubscriber:
        """Let a connection join, and wait until it is attached."""
        subscriber = self.at[player] = self.arrive(player, seen)
        await idle()
        assert self.refusals[subscriber] is None
        return subscriber

    async def leave(self, player: str) -> None:
        """Let a member give up the seat."""
        self.room.leave(player, lambda _: None)
        await idle()

    async def disconnect(self, player: str) -> None:
        """Let a member's connection end."""
        self.at[player].gone = True
        self.room.membership.disconnected(player, self.at[player])
        await idle()

    async def request(self, player: str, request: RoomRequest, code: str | None = None) -> Answer | None:
        """Submit a request; return its answer, or None if it has none yet."""
        answers = self.send(player, request, code)
        await idle()
        return answers[0] if answers else None

    def send(self, player: str, request: RoomRequest, code: str | None = None) -> list[Answer]:
        """Submit a request and wait for nothing; the answer is added to the list."""
        answers: list[Answer] = []
        self.room.request(player, request, code, answers.append)
        return answers

    async def play(self, player: str, first: int, last: int) -> None:
        """Let a racer make moves of the solution; all are accepted."""
        before = self.live_race.games[player].measure().n
        for n in range(first, last + 1):
            self.room.act(player, move(n))
        await idle()
        assert self.node.counters.actions["accepted"] >= last - before

    def clear(self) -> None:
        """Forget the messages that the members have received until now."""
        for subscriber in self.at.values():
            subscriber.clear()
