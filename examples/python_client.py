"""A complete client of Simon Race in one file, to be copied; it needs `websockets` and `msgpack`.

    python python_client.py ws://localhost:7466 new Ada      # opens a room; code=SS1-... names its deal
    python python_client.py ws://localhost:7466 BKMRT Ben    # comes into it
Type `ready`, and the host `start_countdown`. `move 2 6 3` moves three cards from column 2 to 6 (of 0 to 9),
`auto_move 2` double-clicks; `undo`, `restart`, `forfeit`, `leave`. In a pipe, moves wait for the race.
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
HOW: Message = {"subprotocols": [Subprotocol("simonrace.v1.msgpack")], "max_size": 2**22}


class Client:
    """One person in one room, over as many connections as it takes; `entry` goes into `create` or `join`."""

    def __init__(self, url: str, room: str, name: str, **entry: Any) -> None:
        self.url, self.room, self.name, self.entry = url, room, name, entry
        self.file = Path(f"simonrace-{name}-{url}.json".replace("/", "-").replace(":", ""))
        self.me, self.over, self.ending, self.pause = "", "", "", 0.0
        self.columns: list[list[str]] = []  # our board, as far as the server has accepted our actions
        self.live, self.racing, self.seq, self.attempt, self.next = False, False, 0, 0, {"race": 0, "n": 1}
        self.queue: list[Message] = []  # what is to be said, one thing after another
        self.asked: Message = {}  # what was said and has no answer yet

    async def run(self) -> str:
        """Talk to the server, anew whenever the connection is lost; return why it is over."""
        while not self.over:
            try:
                async with asyncio.timeout(10) as self.patience, connect(self.url, **HOW) as self.socket:
                    known = json.loads(self.file.read_text()) if self.file.exists() else {}
                    await self.send(type="hello", client="example/1", name=self.name, **known)
                    while not self.over:
                        await self.take(msgpack.unpackb(await self.socket.recv()))
            except (OSError, WebSocketException) as lost:  # a timeout is an OSError, too
                if is_final(lost):
                    self.over = str(lost)
                else:
                    print(f"trying again after {lost!r}", file=sys.stderr)
            wait = self.pause + random.uniform(0, min(5, 0.2 * 2 ** min(self.attempt, 9)))  # noqa: S311
            self.live, self.pause, self.attempt = False, 0.0, self.attempt + 1
            await asyncio.sleep(0 if self.over else wait)
        return self.over

    async def told(self, message: Message) -> None:
        """Show a message that was taken in; replace this. `repr` keeps odd characters of others away."""
        print(*(f"{key}={value!r}" for key, value in message.items() if key not in HIDDEN), flush=True)
        if self.racing and message["type"] in {"race_started", "accepted", "game"}:
            print(*(f"{at:4}: {' '.join(one)}" for at, one in enumerate(self.columns)), sep="\n", flush=True)

    async def say(self, *messages: Message) -> None:
        """Say these after what waits, one at a time: actions only in a race, each with the next number."""
        self.queue += messages
        possible = [each for each in self.queue if self.racing or each["type"] not in ACTIONS]
        if self.live and possible and not self.asked:
            self.queue.remove(said := possible[0])
            self.asked = said | (self.next if said["type"] in ACTIONS else {"ref": 1})
            await self.send(**self.asked)

    async def send(self, **message: Any) -> None:
        """Send a message at once. That it is lost shows where its last words are read: when to come back."""
        with suppress(ConnectionClosed):
            await self.socket.send(msgpack.packb(message))

    async def take(self, message: Message) -> None:
        """Take a message in, do what follows from it, and go on."""
        kind, code, asked = message["type"], message.get("code"), self.asked
        if asked and all(message.get(key) == asked[key] for key in {"race", "n", "ref"} & asked.keys()):
            if code in {"rate_limited", "store_unavailable", "busy"}:  # it counts as asked while this waits
                await asyncio.sleep(message.get("retry_in_ms", 1000) / 1000)
                self.queue.insert(0, asked)
            self.asked = {}
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
                self.room, self.asked = message["room"], {}  # we have to think anew
            case "game" | "race_started" if self.me in message.get("racers", [self.me]):
                self.racing, game = True, message.get("game", message)
                self.next = {"race": message["race"], "n": game.get("n", 0) + 1}  # of our actions
                self.columns = game["columns"]
            case "race_ended":
                self.racing, self.queue, self.asked, self.over = False, [], {}, self.ending
            case "member_left" if message["player"] == self.me:
                self.over = message["reason"]
            case "accepted" if self.next.items() <= message.items():
                self.next = self.next | {"n": message["n"] + 1}
                if asked.get("type") in {"move", "auto_move"} and "run" not in message:
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
        if not self.live and (kind == "game" or code == "no_game"):  # and nothing that we missed is behind it
            self.live, self.racing, self.attempt = True, kind == "game", 0
            self.patience.reschedule(None)
            if self.asked:
                await self.send(**self.asked)  # under the same number: it is never done twice
        await self.told(message)
        await self.say()

    def read_input(self, loop: asyncio.AbstractEventLoop) -> None:
        """Say what is typed, line by line."""
        for line in open(0, "rb", buffering=0):  # noqa: SIM115 - unbuffered, so that it hinders no exit
            word, *numbers = line.decode().split() or ["ping"]
            fields = zip(("from", "to", "cards"), map(int, numbers), strict=False)
            asyncio.run_coroutine_threadsafe(self.say({"type": word, **dict(fields)}), loop)
        self.ending = "the race is over"


def is_final(lost: Exception) -> bool:
    """Return whether a client must not come back by itself after this."""
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
