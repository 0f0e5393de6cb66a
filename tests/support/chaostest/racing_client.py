"""A client that races, records what it receives, reconnects, and sends unanswered actions again."""

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]  # it brings no types

from chaostest.connection import Connection, Message
from protocol.backoff import delay

Address = tuple[str, int]
WINDOW: Final = 4
"""Most actions without an answer at one time."""

_TRY_AGAIN: Final = ("store_unavailable", "draining", "server_full", "rate_limited")


class RacingClient:
    """One player over any number of connections.

    `address` returns the address of the next connection. `answers[n]` is the answer to action `n` of the
    race, `earlier[race]` has those of earlier races. `events` has all room events in the order of arrival,
    `jumps` the pair (seq before, seq after) of each snapshot. `acknowledged` counts the answered actions
    without a gap. `errors` has a line for everything that must never happen.

    With `may_lose`, for a store that loses data, the client forgets what the server does not know any more;
    `lost` counts the forgotten actions.
    """

    def __init__(self, name: str, address: Callable[[], Address], seed: int) -> None:
        self.name = name
        self.address = address
        self.address_now: Address | None = None
        self.player = self.token = self.room = ""
        self.plan: Sequence[Message] = ()
        self.every_s = 0.05
        self.may_lose = False
        self.lost = 0
        self.stop_at: int | None = None
        self.race = 0
        self.answers: dict[int, Message] = {}
        self.earlier: dict[int, dict[int, Message]] = {}
        self.acknowledged = 0
        self.events: list[tuple[int, Message]] = []
        self.jumps: list[tuple[int, int]] = []
        self.results: dict[int, list[Message]] = {}
        self.record: Message | None = None
        self.notices: list[str] = []
        self.closes: list[int] = []
        self.errors: list[str] = []
        self.connections = 0
        self.repeats = 0
        self.longest_wait_s = 0.0
        self.welcomed = False
        self.in_room = asyncio.Event()
        self.rng = random.Random(seed)
        self.connection: Connection | None = None
        self.seq = 0
        self._ended = asyncio.Event()
        self._refs: dict[int, asyncio.Future[Message]] = {}
        self._ref = 0
        self._sent = 0
        self._racing = False
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._sent_at: dict[int, float] = {}
        self._asked_to_wait_s = 0.0

    def __str__(self) -> str:
        """Return name, progress and whether the client is connected."""
        state = "connected" if self.in_room.is_set() else "disconnected"
        return f"{self.name} ({self.acknowledged} of {len(self.plan)}, {state})"

    # What a test does.

    def start_client(self) -> None:
        """Connect, and reconnect after every lost connection, until `leave`."""
        self._task = asyncio.create_task(self._run())

    async def leave(self) -> None:
        """Close the connection for good."""
        running, self._task = self._task, None
        if self._timer is not None:
            self._timer.cancel()
        if running is not None:
            running.cancel()
            await asyncio.wait([running])
        if self.connection is not None:
            self.connection.close()
            async with asyncio.timeout(10):
                await self._ended.wait()

    async def ask(self, type: str, **fields: Any) -> Message:  # noqa: A002 - it is the field's name
        """Send a request, again on the next connection if this one is lost, and return its answer."""
        while True:
            await self.in_room.wait()
            self._ref += 1
            ref, answer = self._ref, asyncio.get_running_loop().create_future()
            self._refs[ref] = answer
            self._send(type=type, ref=ref, **fields)
            message: Message = await answer
            if message["type"] != "lost":
                return message

    def reconnect(self) -> None:
        """Cut the connection; the client reconnects at once."""
        if self.connection is not None:
            self.connection.abort()

    def go_on(self) -> None:
        """Continue after `stop_at`."""
        self.stop_at = None
        self._send_actions()

    @property
    def standings(self) -> Message:
        """The latest standings of this connection."""
        raw = self.connection.standings if self.connection is not None else b""
        return dict(msgpack.unpackb(raw)) if raw else {}

    # Connecting.

    async def _run(self) -> None:
        attempt = 0
        while True:
            self.connection = None
            self._ended.clear()
            try:
                self.address_now = self.address()
                async with asyncio.timeout(5):
                    self.connection = await Connection.connect(
                        self.address_now, self._received, self._connection_lost
                    )
            except OSError:
                await asyncio.sleep(delay(attempt, self.rng.random()))
                attempt += 1
                continue
            self.connections += 1
            self.welcomed, self._asked_to_wait_s = False, 0.0
            self._identify()
            await self._ended.wait()
            await asyncio.sleep(self._asked_to_wait_s)
            attempt = 0 if self.welcomed else attempt + 1
            await asyncio.sleep(delay(attempt, self.rng.random()))

    def _identify(self) -> None:
        known = {"player": self.player, "token": self.token} if self.player else {}
        self._send(type="hello", name=self.name, **known)
        if self.room:
            self._join()

    def _join(self) -> None:
        seen = {"seen": self.seq} if self.seq else {}
        self._send(type="join", room=self.room, **seen)

    def _connection_lost(self, code: int) -> None:
        self.closes.append(code)
        self.in_room.clear()
        refs, self._refs = self._refs, {}
        for answer in refs.values():
            if not answer.done():
                answer.set_result({"type": "lost"})
        self._ended.set()

    def _send(self, **message: Any) -> None:
        if self.connection is not None:
            self.connection.send(message)

    # Receiving.

    def _received(self, message: Message) -> None:
        answer = self._refs.pop(message.get("ref", 0), None)
        if "seq" in message and message["type"] not in ("room", "resumed"):
            self._event(message["seq"], message)
        match message["type"]:
            case "welcome":
                self.player, self.token = message["player"], message.get("token", self.token)
                self.welcomed = True
                if not self.room:
                    self.in_room.set()
            case "room":
                if self.may_lose:
                    self.events.clear()
                    self.jumps.clear()
                    self.seq = 0
                if message["seq"] < self.seq:
                    self.errors.append(f"a room at {message['seq']} came after event {self.seq}")
                self.jumps.append((self.seq, message["seq"]))
                self.seq, self.room = message["seq"], message["room"]
                self._entered(message.get("game"), message.get("current_race"))
                if message.get("results") and message["phase"] != "racing":
                    self.results.setdefault(message["races"], message["results"])
                    self._racing = False
            case "resumed":
                if message["seq"] < self.seq:
                    self.errors.append(f"resumed at {message['seq']} after event {self.seq}")
                self._entered(message.get("game"), None)
            case "race_started":
                self._start(message["race"])
            case "race_ended":
                self.results[message["race"]] = message["results"]
                self._racing = False
            case "accepted":
                self._accepted(message)
            case "refused":
                self._refused(message)
            case "record":
                self.record = message["record"]
            case "notice":
                self.notices.append(message["code"])
                if message["code"] == "restarting":
                    self._asked_to_wait_s = message["retry_in_ms"] / 1000
            case "error" if answer is None:
                if message["code"] not in _TRY_AGAIN:
                    self.errors.append(f"error {message}")
                if self.connection is not None:
                    self.connection.abort()
            case _:
                pass
        if answer is not None and not answer.done():
            answer.set_result(message)

    def _event(self, seq: int, message: Message) -> None:
        if seq <= self.seq:
            self.errors.append(f"event {seq} came after {self.seq}: {message['type']}")
        self.events.append((seq, message))
        self.seq = seq

    def _entered(self, game: Message | None, race: Message | None) -> None:
        if race is not None and race["race"] != self.race:
            self._start(race["race"])
        if game is not None and game["n"] < self.acknowledged and self.may_lose:
            self.lost += self.acknowledged - game["n"]
            self.acknowledged = game["n"]
            self.answers = {n: answer for n, answer in self.answers.items() if n <= self.acknowledged}
            self._sent_at.clear()
        elif game is not None and game["n"] < self.acknowledged:
            self.errors.append(f"{self.acknowledged} actions were acknowledged, {game['n']} are remembered")
        self.in_room.set()
        self._sent = self.acknowledged
        self._send_actions()

    # Racing.

    def _start(self, race: int) -> None:
        known = {**self.earlier, self.race: self.answers}
        self.earlier = {number: answers for number, answers in known.items() if 0 < number < race}
        self.race, self._racing, self._sent = race, True, 0
        self.answers, self.acknowledged = {}, 0
        self._sent_at.clear()
        self._send_actions()
        self._tick()

    def _tick(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._racing:
            self._timer = asyncio.get_running_loop().call_later(
                self.every_s * (0.5 + self.rng.random()), self._tick
            )
            self._send_actions(1)

    def _send_actions(self, at_most: int = WINDOW) -> None:
        """Send the next actions. After a lost connection, these are the unanswered ones again."""
        limit = len(self.plan) if self.stop_at is None else self.stop_at
        while (
            self._racing
            and self.in_room.is_set()
            and at_most > 0
            and self._sent < min(limit, self.acknowledged + WINDOW)
        ):
            self._sent += 1
            at_most -= 1
            self.repeats += self._sent in self._sent_at
            self._sent_at.setdefault(self._sent, asyncio.get_running_loop().time())
            self._send(race=self.race, n=self._sent, **self.plan[self._sent - 1])

    def _accepted(self, message: Message) -> None:
        n = message["n"]
        if message["race"] != self.race:
            self._earlier_race(message)
            return
        known = self.answers.get(n)
        if known is not None and known != message:
            self.errors.append(f"action {n} was answered twice, and not alike: {known}, {message}")
        if not 0 < n <= self._sent:
            self.errors.append(f"an answer to {n}, which was not sent: {message}")
        self.answers[n] = message
        while self.acknowledged + 1 in self.answers:
            self.acknowledged += 1
        began = self._sent_at.pop(n, None)
        if began is not None:
            self.longest_wait_s = max(self.longest_wait_s, asyncio.get_running_loop().time() - began)

    def _earlier_race(self, message: Message) -> None:
        """Record a late answer. What was accepted in an earlier race must stay accepted."""
        race, n = message["race"], message["n"]
        known = self.earlier.get(race, {}).get(n)
        accepted = message["type"] == "accepted"
        if race not in self.earlier:
            self.errors.append(f"an answer of a race that was not raced: {message}")
        elif known is not None and (known != message if accepted else message["code"] == "wrong_race"):
            self.errors.append(
                f"action {n} of race {race} was answered twice, and not alike: {known}, {message}"
            )
        elif accepted:
            self.earlier[race][n] = message

    def _refused(self, message: Message) -> None:
        if message["race"] != self.race:
            self._earlier_race(message)
        elif message["code"] in ("store_unavailable", "wrong_number"):
            self._sent = min(self._sent, self.acknowledged)
        elif self._racing:
            self.errors.append(f"refused {message}")
