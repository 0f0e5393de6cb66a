"""A person who races and writes everything down, comes back anywhere, and resends what has no answer."""

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]  # it brings no types

from ordeal.wire import Message, Wire
from protocol.backoff import delay

Address = tuple[str, int]
WINDOW: Final = 4
"""Actions that may be without an answer at once."""

_COME_AGAIN: Final = ("store_unavailable", "draining", "server_full", "rate_limited")


class Racer:
    """One person over any number of connections.

    `address` chooses where the next connection goes. `answers[n]` are the answers to action `n` of the race,
    `earlier[race]` those of the races before it, `events` all room events in the order in which they came,
    and `jumps` the (seq before, seq after) of each snapshot. So many actions of the race as `acknowledged`
    says have their answers, from the first on without a gap. What should never happen is written into
    `faults`. With `may_lose`, for a store that loses what it had, the server's word counts: what the racer
    knew beyond it is forgotten; `lost` counts such actions.
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
        self.hold_at: int | None = None
        self.race = 0
        self.answers: dict[int, Message] = {}
        self.earlier: dict[int, dict[int, Message]] = {}
        self.acknowledged = 0
        self.events: list[tuple[int, Message]] = []
        self.jumps: list[tuple[int, int]] = []
        self.over: dict[int, list[Message]] = {}
        self.record: Message | None = None
        self.notices: list[str] = []
        self.closes: list[int] = []
        self.faults: list[str] = []
        self.connections = 0
        self.repeats = 0
        self.longest_wait = 0.0
        self.welcome = False
        self.here = asyncio.Event()
        self.chance = random.Random(seed)
        self.wire: Wire | None = None
        self.seq = 0
        self._ended = asyncio.Event()
        self._refs: dict[int, asyncio.Future[Message]] = {}
        self._ref = 0
        self._sent = 0
        self._racing = False
        self._timer: asyncio.TimerHandle | None = None
        self._living: asyncio.Task[None] | None = None
        self._waits: dict[int, float] = {}
        self._asked_to_wait_s = 0.0

    def __str__(self) -> str:
        """Say how far the racer is."""
        whereabouts = "here" if self.here.is_set() else "away"
        return f"{self.name} ({self.acknowledged} of {len(self.plan)}, {whereabouts})"

    # What a test does.

    def live(self) -> None:
        """Connect, and connect again whenever the connection is lost, until `leave`."""
        self._living = asyncio.create_task(self._live())

    async def leave(self) -> None:
        """Close the connection for good."""
        living, self._living = self._living, None
        if self._timer is not None:
            self._timer.cancel()
        if living is not None:
            living.cancel()
            await asyncio.wait([living])
        if self.wire is not None:
            self.wire.close()
            async with asyncio.timeout(10):
                await self._ended.wait()

    async def ask(self, type: str, **fields: Any) -> Message:  # noqa: A002 - it is the field's name
        """Send a request, again on the next connection if this one is lost, and return its answer."""
        while True:
            await self.here.wait()
            self._ref += 1
            ref, answer = self._ref, asyncio.get_running_loop().create_future()
            self._refs[ref] = answer
            self._say(type=type, ref=ref, **fields)
            message: Message = await answer
            if message["type"] != "lost":
                return message

    def reconnect(self) -> None:
        """Break the connection, to come back at once."""
        if self.wire is not None:
            self.wire.abort()

    def release(self) -> None:
        """Let the racer go on who was to stop at `hold_at`."""
        self.hold_at = None
        self._pump()

    @property
    def standings(self) -> Message:
        """The latest standings of this connection."""
        raw = self.wire.standings if self.wire is not None else b""
        return dict(msgpack.unpackb(raw)) if raw else {}

    # One life.

    async def _live(self) -> None:
        attempt = 0
        while True:
            self.wire = None
            self._ended.clear()
            try:
                self.address_now = self.address()
                async with asyncio.timeout(5):
                    self.wire = await Wire.connect(self.address_now, self._came, self._lost)
            except OSError:
                await asyncio.sleep(delay(attempt, self.chance.random()))
                attempt += 1
                continue
            self.connections += 1
            self.welcome, self._asked_to_wait_s = False, 0.0
            self._greet()
            await self._ended.wait()
            await asyncio.sleep(self._asked_to_wait_s)
            attempt = 0 if self.welcome else attempt + 1
            await asyncio.sleep(delay(attempt, self.chance.random()))

    def _greet(self) -> None:
        known = {"player": self.player, "token": self.token} if self.player else {}
        self._say(type="hello", name=self.name, **known)
        if self.room:
            self._join()

    def _join(self) -> None:
        seen = {"seen": self.seq} if self.seq else {}
        self._say(type="join", room=self.room, **seen)

    def _lost(self, code: int) -> None:
        self.closes.append(code)
        self.here.clear()
        refs, self._refs = self._refs, {}
        for answer in refs.values():
            if not answer.done():
                answer.set_result({"type": "lost"})
        self._ended.set()

    def _say(self, **message: Any) -> None:
        if self.wire is not None:
            self.wire.send(message)

    # What comes.

    def _came(self, message: Message) -> None:
        answer = self._refs.pop(message.get("ref", 0), None)
        if "seq" in message and message["type"] not in ("room", "resumed"):
            self._event(message["seq"], message)
        match message["type"]:
            case "welcome":
                self.player, self.token = message["player"], message.get("token", self.token)
                self.welcome = True
                if not self.room:
                    self.here.set()
            case "room":
                if self.may_lose:
                    self.events.clear()
                    self.jumps.clear()
                    self.seq = 0
                if message["seq"] < self.seq:
                    self.faults.append(f"a room at {message['seq']} came after event {self.seq}")
                self.jumps.append((self.seq, message["seq"]))
                self.seq, self.room = message["seq"], message["room"]
                self._in(message.get("game"), message.get("current_race"))
                if message.get("results") and message["phase"] != "racing":
                    self.over.setdefault(message["races"], message["results"])
                    self._racing = False
            case "resumed":
                if message["seq"] < self.seq:
                    self.faults.append(f"resumed at {message['seq']} after event {self.seq}")
                self._in(message.get("game"), None)
            case "race_started":
                self._start(message["race"])
            case "race_ended":
                self.over[message["race"]] = message["results"]
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
                if message["code"] not in _COME_AGAIN:
                    self.faults.append(f"error {message}")
                if self.wire is not None:
                    self.wire.abort()
            case _:
                pass
        if answer is not None and not answer.done():
            answer.set_result(message)

    def _event(self, seq: int, message: Message) -> None:
        if seq <= self.seq:
            self.faults.append(f"event {seq} came after {self.seq}: {message['type']}")
        self.events.append((seq, message))
        self.seq = seq

    def _in(self, game: Message | None, race: Message | None) -> None:
        if race is not None and race["race"] != self.race:
            self._start(race["race"])
        if game is not None and game["n"] < self.acknowledged and self.may_lose:
            self.lost += self.acknowledged - game["n"]
            self.acknowledged = game["n"]
            self.answers = {n: answer for n, answer in self.answers.items() if n <= self.acknowledged}
            self._waits.clear()
        elif game is not None and game["n"] < self.acknowledged:
            self.faults.append(f"{self.acknowledged} actions were acknowledged, {game['n']} are remembered")
        self.here.set()
        self._sent = self.acknowledged
        self._pump()

    # Racing.

    def _start(self, race: int) -> None:
        known = {**self.earlier, self.race: self.answers}
        self.earlier = {number: answers for number, answers in known.items() if 0 < number < race}
        self.race, self._racing, self._sent = race, True, 0
        self.answers, self.acknowledged = {}, 0
        self._waits.clear()
        self._pump()
        self._tick()

    def _tick(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._racing:
            self._timer = asyncio.get_running_loop().call_later(
                self.every_s * (0.5 + self.chance.random()), self._tick
            )
            self._pump(1)

    def _pump(self, at_most: int = WINDOW) -> None:
        """Send the next actions, or again those whose answer did not come before the connection was lost."""
        limit = len(self.plan) if self.hold_at is None else self.hold_at
        while (
            self._racing
            and self.here.is_set()
            and at_most > 0
            and self._sent < min(limit, self.acknowledged + WINDOW)
        ):
            self._sent += 1
            at_most -= 1
            self.repeats += self._sent in self._waits
            self._waits.setdefault(self._sent, asyncio.get_running_loop().time())
            self._say(race=self.race, n=self._sent, **self.plan[self._sent - 1])

    def _accepted(self, message: Message) -> None:
        n = message["n"]
        if message["race"] != self.race:
            self._of_earlier_race(message)
            return
        known = self.answers.get(n)
        if known is not None and known != message:
            self.faults.append(f"action {n} was answered twice, and not alike: {known}, {message}")
        if not 0 < n <= self._sent:
            self.faults.append(f"an answer to {n}, which was not sent: {message}")
        self.answers[n] = message
        while self.acknowledged + 1 in self.answers:
            self.acknowledged += 1
        began = self._waits.pop(n, None)
        if began is not None:
            self.longest_wait = max(self.longest_wait, asyncio.get_running_loop().time() - began)

    def _of_earlier_race(self, message: Message) -> None:
        """Take an answer that came late; what was acknowledged in an earlier race stays acknowledged."""
        race, n = message["race"], message["n"]
        known = self.earlier.get(race, {}).get(n)
        accepted = message["type"] == "accepted"
        if race not in self.earlier:
            self.faults.append(f"an answer of a race that was not raced: {message}")
        elif known is not None and (known != message if accepted else message["code"] == "wrong_race"):
            self.faults.append(
                f"action {n} of race {race} was answered twice, and not alike: {known}, {message}"
            )
        elif accepted:
            self.earlier[race][n] = message

    def _refused(self, message: Message) -> None:
        if message["race"] != self.race:
            self._of_earlier_race(message)
        elif message["code"] in ("store_unavailable", "wrong_number"):
            self._sent = min(self._sent, self.acknowledged)
        elif self._racing:
            self.faults.append(f"refused {message}")
