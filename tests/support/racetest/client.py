"""A client for tests. It shares no code with the server: `websockets`, and `msgpack` or `json`.

Messages are kept in `received`, in order; `expect` goes forward through them.
"""

import asyncio
import json
from collections.abc import Sequence
from typing import Any, Final, Literal, Self

import msgpack  # type: ignore[import-untyped]  # it brings no types
import websockets
from websockets.asyncio.client import ClientConnection

from racetest.deals import Step, solution
from racetest.waiting import PATIENCE_S

Message = dict[str, Any]
Encoding = Literal["msgpack", "json"]

_BAD_NEWS: Final = ("error", "refused")


class Client:
    """One connection of a player called `name`."""

    def __init__(self, url: str, name: str, encoding: Encoding = "msgpack") -> None:
        self.url = url
        self.name = name
        self.encoding = encoding
        self.player = ""
        self.token = ""
        self.room = ""
        self.code = ""
        self.race = 1  # the latest that was seen to start; before that, the one to come
        self.n = 0
        self.received: list[Message] = []
        self.connections: list[ClientConnection] = []
        self._ref = 0
        self._at = 0
        self._answers: set[int] = set()
        self._socket: ClientConnection | None = None

    @property
    def socket(self) -> ClientConnection:
        """The connection itself."""
        assert self._socket is not None, "open() comes first"
        return self._socket

    @property
    def seen(self) -> int:
        """The `seq` of the last event, or of the last whole room, that came."""
        return max((message["seq"] for message in self.received if "seq" in message), default=0)

    # Coming and going.

    async def open(self) -> Self:
        """Connect, and send nothing."""
        self._socket = await websockets.connect(
            self.url,
            subprotocols=[websockets.Subprotocol(f"simonrace.v1.{self.encoding}")],
            compression=None,
            max_queue=None,
            ping_interval=None,
            proxy=None,
        )
        self.connections.append(self._socket)
        return self

    async def hello(self, **fields: Any) -> Message:
        """Send `hello`, as a new player or as the same player as before."""
        known = {"player": self.player, "token": self.token} if self.player else {}
        welcome = await self.ask("hello", **{"name": self.name, **known, **fields})
        if welcome["type"] == "welcome":
            self.player, self.token = welcome["player"], welcome.get("token", self.token)
        return welcome

    def new_connection(self, url: str = "") -> "Client":
        """Return another connection of the same player, not opened yet, at the same number."""
        other = Client(url or self.url, self.name, self.encoding)
        other.player, other.token = self.player, self.token
        other.room, other.code, other.race, other.n = self.room, self.code, self.race, self.n
        other.connections = self.connections
        return other

    async def reconnect(self, url: str = "", *, seen: int | None = None) -> "Client":
        """Connect as the same player and return to the room; return the new client."""
        other = await self.new_connection(url).open()
        await other.hello()
        await other.join(self.room, **({} if seen is None else {"seen": seen}))
        return other

    async def close(self) -> None:
        """Close every connection of this player with a close frame."""
        for socket in self.connections:
            await socket.close()

    def abort(self) -> None:
        """Abort the connection without a close frame."""
        self.socket.transport.abort()

    async def closed(self) -> tuple[int | None, str | None]:
        """Wait until the server has closed: code and reason. What came before that is in `received`."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    await self._receive()
                except websockets.ConnectionClosed:
                    return self.socket.close_code, self.socket.close_reason

    # Asking the room.

    async def create(self, code: str | None = None, *, password: str | None = None, **settings: Any) -> str:
        """Open a room without a countdown, unless `settings` say otherwise; return its code."""
        fields: Message = {"settings": {"countdown_s": 0, **settings}}
        fields |= {} if code is None else {"code": code}
        fields |= {} if password is None else {"password": password}
        self.room = self._entered(await self.ask("create", **fields))["room"]
        return self.room

    async def join(self, room: str, **fields: Any) -> Message:
        """Enter a room, or return to it; return `room` or `resumed`."""
        self.room = room
        return self._entered(await self.ask("join", room=room, **fields))

    async def do(self, type: str, **fields: Any) -> None:  # noqa: A002 - it is the field's name
        """Send a request that is answered by `done`."""
        answer = await self.ask(type, **fields)
        assert answer["type"] == "done", f"{self.name} asked for {type}: {answer}"

    async def ready(self) -> None:
        """Be ready for the next race."""
        await self.do("ready")

    async def start(self) -> None:
        """Start the countdown, and return when it runs."""
        await self.do("start_countdown")

    async def racing(self) -> Message:
        """Wait for the next start of a race."""
        started = await self.expect("race_started")
        self.code, self.race, self.n = started["code"], started["race"], 0
        return started

    async def error_code(self, type: str, **fields: Any) -> str:  # noqa: A002 - likewise
        """Send a request that is refused; return the code of the error."""
        answer = await self.ask(type, **fields)
        assert answer["type"] == "error", f"{self.name} asked for {type}: {answer}"
        return str(answer["code"])

    # Racing.

    async def act(self, type: str, **fields: Any) -> Message:  # noqa: A002 - likewise
        """Make the next action and return its answer, `accepted` or `refused`."""
        await self.send(type=type, n=self.n + 1, **fields)
        return await self.answer(self.n + 1)

    async def moves(self, steps: Sequence[Step]) -> Message:
        """Send several moves in one go; return the answer to the last, all accepted."""
        for number, step in enumerate(steps, start=self.n + 1):
            await self.send(type="move", n=number, **step)
        answer: Message = {}
        for number in range(self.n + 1, self.n + 1 + len(steps)):
            answer = await self.answer(number)
            assert answer["type"] == "accepted", f"{self.name} moved: {answer}"
        return answer

    async def win(self) -> Message:
        """Play what is left of the solution; return the answer to the winning move."""
        answer = await self.moves(solution(self.code)[self.n :])
        assert answer["state"] == "won", answer
        return answer

    async def answer(self, n: int, *, race: int | None = None) -> Message:
        """Wait for the answer to action `n` of a race, by default the running one; answers come in order."""
        answer = await self._next(lambda message: message["type"] in ("accepted", "refused"))
        wanted = (self.race if race is None else race, n)
        assert (answer["race"], answer["n"]) == wanted, (
            f"{self.name} waits for the answer to {wanted}: {answer}"
        )
        if answer["type"] == "accepted" and answer["race"] == self.race:
            self.n = max(self.n, n)
        return answer

    # Talking.

    async def send(self, **message: Any) -> None:
        """Send a message and wait for nothing. An action names the running race unless it names another."""
        if "n" in message:
            message = {"race": self.race, **message}
        if self.encoding == "json":
            await self.socket.send(json.dumps(message))
        else:
            await self.socket.send(msgpack.packb(message))

    async def ask(self, type: str, **fields: Any) -> Message:  # noqa: A002 - likewise
        """Send a request and return its answer, whatever it is; events before it stay to be read."""
        self._ref += 1
        await self.send(type=type, ref=self._ref, **fields)
        return await self.answered(self._ref)

    async def answered(self, ref: int) -> Message:
        """Wait for the answer to the request of this reference."""
        place = 0
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for at in range(place, len(self.received)):
                    if self.received[at].get("ref") == ref:
                        self._answers.add(at)
                        return self.received[at]
                place = len(self.received)
                await self._receive()

    async def expect(self, type: str, **fields: Any) -> Message:  # noqa: A002 - likewise
        """Go forward to the next message of a type with these fields; skip other events.

        An error or a refusal that the test does not expect fails it.
        """

        def fits(message: Message) -> bool:
            return message["type"] == type and fields.items() <= message.items()

        return await self._next(fits, but_not=() if type in _BAD_NEWS else _BAD_NEWS)

    async def sync(self) -> None:
        """Receive everything that the server has sent until now: a `ping` and its `pong`."""
        await self.ask("ping")

    def messages(self, *types: str) -> list[Message]:
        """Return the messages of these types received so far."""
        return [message for message in self.received if message["type"] in types]

    # Inside.

    def _entered(self, answer: Message) -> Message:
        assert answer["type"] in ("room", "resumed"), f"{self.name} cannot come in: {answer}"
        game = answer.get("game")
        self.n = game["n"] if game else 0
        if race := answer.get("current_race"):
            self.code, self.race = race["code"], race["race"]
        return answer

    async def _next(self, fits: Any, but_not: tuple[str, ...] = ()) -> Message:
        try:
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    while self._at < len(self.received):
                        at, message = self._at, self.received[self._at]
                        self._at += 1
                        if at in self._answers:
                            continue
                        if fits(message):
                            return message
                        if message["type"] in but_not:
                            raise AssertionError(f"{self.name} was told {message}")
                    await self._receive()
        except TimeoutError:
            latest = "\n".join(str(message)[:200] for message in self.received[-12:])
            raise AssertionError(f"{self.name} waits in vain; the latest were\n{latest}") from None

    async def _receive(self) -> None:
        data = await self.socket.recv()
        message = json.loads(data) if isinstance(data, str) else msgpack.unpackb(data)
        assert isinstance(message, dict)
        assert isinstance(data, str) == (self.encoding == "json")
        if message["type"] == "race_started":
            self.race = message["race"]
        self.received.append(message)


def rows_of(leaderboard: Message, kind: str) -> list[Message]:
    """Return the rows of one kind of a `leaderboard` message."""
    (rows,) = [each["rows"] for each in leaderboard["leaderboards"] if each["kind"] == kind]
    return list(rows)
