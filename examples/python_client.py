"""A complete client of Simon Race in one file, to copy; it needs `websockets` and `msgpack`.

    python python_client.py ws://localhost:7466 new Ada      # opens a room; code=SS1-... names its deal
    python python_client.py ws://localhost:7466 BKMRT Ben    # joins the room
Type `ready`; the host types `start_countdown`. `move 2 6 3` moves three cards from column 2 to 6 (of 0 to 9).
There are `auto_move 2`, `undo`, `restart`, `forfeit` and `leave`. Moves from a pipe wait for the race.
"""

import asyncio
import json
import random
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]
from websockets import ConnectionClosed, InvalidStatus, Subprotocol, WebSocketException, connect

Message = dict[str, Any]
ACTIONS, HIDDEN = {"move", "auto_move", "undo", "restart", "forfeit"}, {"token", "columns", "game"}
OPTIONS: Message = {"subprotocols": [Subprotocol("simonrace.v1.msgpack")], "max_size": 2**22}


class Client:
    """A player in one room, who reconnects when needed; `entry` has fields of `create` or `join`."""

    def __init__(self, url: str, room: str, name: str, **entry: Any) -> None:
        self.url, self.room, self.name, self.entry = url, room, name, entry
        self.file = Path(f"simonrace-{name}-{url}.json".replace("/", "-").replace(":", ""))
        self.me, self.over, self.ending, self.pause = "", "", "", 0.0
        self.columns: list[list[str]] = []  # our board after the last accepted action
        self.live, self.racing, self.seq, self.attempt, self.next = False, False, 0, 0, {"race": 0, "n": 1}
        self.queue: list[Message] = []  # messages to send, one after another
        self.in_flight: Message = {}  # the message without an answer yet

    async def run(self) -> str:
        """Stay connected until the end; return its reason."""
        while not self.over:
            try:
                async with asyncio.timeout(10) as self.patience, connect(self.url, **OPTIONS) as self.socket:
                    known = json.loads(self.file.read_text()) if self.file.exists() else {}
                    await self.send(type="hello", client="example/1", name=self.name, **known)
                    while not self.over:
                        await self.receive(msgpack.unpackb(await self.socket.recv()))
            except (OSError, WebSocketException) as lost:  # a timeout is an OSError too
                if is_final(lost):
                    self.over = str(lost)
                else:
                    print(f"trying again after {lost!r}", file=sys.stderr)
            wait = self.pause + random.uniform(0, min(5, 0.2 * 2 ** min(self.attempt, 9)))  # noqa: S311
            self.live, self.pause, self.attempt = False, 0.0, self.attempt + 1
            await asyncio.sleep(0 if self.over else wait)
        return self.over

    async def on_message(self, message: Message) -> None:
        """Print a message; override this. `repr` escapes control characters in texts of others."""
        print(*(f"{key}={value!r}" for key, value in message.items() if key not in HIDDEN), flush=True)
        if self.racing and message["type"] in {"race_started", "accepted", "game"}:
            print(*(f"{at:4}: {' '.join(one)}" for at, one in enumerate(self.columns)), sep="\n", flush=True)

    async def submit(self, *messages: Message) -> None:
        """Queue messages and send the next one: actions only in a race, each with the next number."""
        self.queue += messages
        free = self.live and not self.in_flight
        if free and self.ending and self.next["race"] and not self.racing and not self.queue:
            self.queue, self.ending = [{"type": "leave"}], ""  # nothing more is typed, and the race is over
        possible = [each for each in self.queue if self.racing or each["type"] not in ACTIONS]
        if free and possible:
            self.queue.remove(message := possible[0])
            self.in_flight = message | (self.next if message["type"] in ACTIONS else {"ref": 1})
            await self.send(**self.in_flight)

    async def send(self, **message: Any) -> None:
        """Send a message now. `recv` reports a lost connection, after the last messages have been read."""
        with suppress(ConnectionClosed):
            await self.socket.send(msgpack.packb(message))

    async def receive(self, message: Message) -> None:
        """Handle a message, then send the next one from the queue."""
        kind, code, sent = message["type"], message.get("code"), self.in_flight
        if sent and all(message.get(key) == sent[key] for key in {"race", "n", "ref"} & sent.keys()):
            if code in {"rate_limited", "store_unavailable", "busy"}:  # it stays in flight meanwhile
                await asyncio.sleep(message.get("retry_in_ms", 1000) / 1000)
                self.queue.insert(0, sent)
            self.in_flight = {}
        self.seq = self.seq if kind == "resumed" else message.get("seq", self.seq)  # `resumed` is ahead
        self.pause = message["retry_in_ms"] / 1000 if code == "restarting" else self.pause
        match kind:
            case "welcome":
                self.me = message["player"]
                if "token" in message:
                    self.file.touch(mode=0o600)
                    self.file.write_text(json.dumps({"player": self.me, "token": message["token"]}))
                enter = {"type": "create"} if self.room == "new" else {"type": "join", "room": self.room}
                await self.send(**enter, **self.entry, **({"seen": self.seq} if self.seq else {}))
                await self.send(type="get_game")
            case "room":
                self.room, self.in_flight = message["room"], {}  # what was in flight may be out of date
            case "game" | "race_started" if self.me in message.get("racers", [self.me]):
                self.racing, game = True, message.get("game", message)
                self.next = {"race": message["race"], "n": game.get("n", 0) + 1}  # of our next action
                self.columns = game["columns"]
            case "race_ended":
                self.racing, self.queue, self.in_flight = False, [], {}
                self.over, self.next["race"] = self.ending, message["race"]
            case "member_left" if message["player"] == self.me:
                self.over = message["reason"]
            case "accepted" if self.next.items() <= message.items():
                self.next = self.next | {"n": message["n"] + 1}
                if sent.get("type") in {"move", "auto_move"} and "run" not in message:
                    source, cards = self.columns[message["from"]], message["cards"]
                    self.columns[message["to"]] += source[-cards:]
                    del source[-cards:]
                else:
                    self.queue.insert(0, {"type": "get_game"})
            case "refused" if code in {"wrong_number", "number_taken"}:
                self.queue.insert(0, {"type": "get_game"})
            case "error" if not self.live and code != "no_game":
                self.over = "" if message.get("temporary") else message["text"]
                raise ConnectionError(message["text"])
        if not self.live and (kind == "game" or code == "no_game"):  # the last answer on our return
            self.live, self.racing, self.attempt = True, kind == "game", 0
            self.patience.reschedule(None)
            if self.in_flight:
                await self.send(**self.in_flight)  # same number: never carried out twice
        await self.on_message(message)
        await self.submit()

    def read_input(self, loop: asyncio.AbstractEventLoop) -> None:
        """Send what is typed, line by line."""
        for line in open(0, "rb", buffering=0):  # noqa: SIM115 - unbuffered, so that it does not block the exit
            word, *numbers = line.decode().split() or ["ping"]
            fields = zip(("from", "to", "cards"), map(int, numbers), strict=False)
            asyncio.run_coroutine_threadsafe(self.submit({"type": word, **dict(fields)}), loop)
        self.ending = "the race is over"
        asyncio.run_coroutine_threadsafe(self.submit(), loop)


def is_final(lost: Exception) -> bool:
    """Return whether a client must not reconnect after this."""
    http = lost.response.status_code if isinstance(lost, InvalidStatus) else 503
    code = lost.rcvd.code if isinstance(lost, ConnectionClosed) and lost.rcvd else 1006
    return http not in {429, 503} or code in {1000, 1002, 1007, 1008, 1009, *range(4000, 4004)} or code > 4005


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    player = Client(*sys.argv[1:4], **dict(word.split("=") for word in sys.argv[4:]))
    with asyncio.Runner() as runner:
        threading.Thread(target=player.read_input, args=[runner.get_loop()], daemon=True).start()
        print(runner.run(player.run()))
