"""Watch a race of Simon Race: print the standings whenever they change, and the results at the end.

    python spectator.py ws://localhost:7466 BKMRT Wanda

The connection is that of python_client.py; only `spectate` in the request `join` is different.
"""

import asyncio
import sys
from typing import Any

from python_client import Client, Message


class Spectator(Client):
    """A client that only watches."""

    def __init__(self, url: str, room: str, name: str) -> None:
        super().__init__(url, room, name, spectate=True)
        self.names: dict[str, str] = {}
        self.ending = "the race is over"
        self.shown: Any = None

    async def on_message(self, message: Message) -> None:
        """Print what a message says about the race."""
        match message["type"]:
            case "room":
                self.names |= {member["player"]: member["name"] for member in message["members"]}
                print(f"room {self.room}: {', '.join(map(repr, self.names.values()))}", flush=True)
            case "member_joined":
                self.names[message["member"]["player"]] = message["member"]["name"]
            case "countdown_started":
                print(f"race {message['race']} starts in {message['starts_in_ms'] / 1000:g} s", flush=True)
            case "race_started":
                print(f"race {message['race']}, deal {message['code']}", flush=True)
            case "standings" if message["rows"] != self.shown:
                self.shown = message["rows"]
                self.show(f"{message['elapsed_ms'] / 1000:.1f} s", message["rows"])
            case "race_ended":
                self.show("results", message["results"])

    def show(self, title: str, rows: list[Message]) -> None:
        """Print standings or results, best first; `repr` escapes control characters in names."""
        print(title)
        for row in rows:
            name, state = repr(self.names.get(row["player"], row["player"])), row.get("state", "playing")
            numbers = f"{row['score']:5} points {row['moves']:4} moves {row['runs']} runs"
            print(f"{row['rank']:3}. {name:26} {numbers}  {state}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    print(asyncio.run(Spectator(*sys.argv[1:4]).run()))
