"""A bot for Simon Race: write a strategy, and it plays. The connection is that of python_client.py.

    python bot.py ws://localhost:7466 BKMRT Robby             # joins a room and every race in it
    python bot.py ws://localhost:7466 BKMRT Robby random 0.5  # another strategy; seconds between moves
    python bot.py ws://localhost:7466 new Robby               # opens a room; two ready players start

A strategy picks one of the moves that lead to a new board. The bot forfeits if there is none, and after 300
moves.
"""

import asyncio
import random
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from python_client import Client, Message

RANKS = "A23456789TJQK"
MAX_MOVES = 300
Columns = list[list[str]]


class Option(NamedTuple):
    """A move, and the columns after it."""

    source: int
    target: int
    cards: int
    after: Columns


Strategy = Callable[[list[Option]], Option]


def greedy(options: list[Option]) -> Option:
    """Pick the best board: few cards left, many cards in sequence, empty columns."""

    def value(option: Option) -> int:
        progress = sum(follows(*pair) for column in option.after for pair in pairwise(column))
        return 20 * (52 - sum(map(len, option.after))) + 2 * progress + 3 * option.after.count([])

    return max(options, key=value)


STRATEGIES: dict[str, Strategy] = {"greedy": greedy, "random": random.choice}


class Bot(Client):
    """A client that gets ready for every race and plays by a strategy, with a pause before each move."""

    def __init__(self, url: str, room: str, name: str, strategy: Strategy, pause_s: float = 0.2) -> None:
        entry = {"settings": {"start_mode": "all_ready"}} if room == "new" else {}
        super().__init__(url, room, name, **entry)
        self.strategy, self.pause_s = strategy, pause_s
        self.seen: list[Columns] = []
        self.plays = False

    async def on_message(self, message: Message) -> None:
        """Get ready between races; in a race, send the next move when nothing is in flight."""
        kind, state = message["type"], message.get("state", "playing")
        if kind == "room":
            print("in room", self.room, flush=True)
        if kind in {"room", "race_ended"} and message.get("phase") not in {"countdown", "racing"}:
            self.queue.append({"type": "ready"})
        if kind == "race_ended":
            for row in message["results"]:
                print(f"{row['rank']}. {row['name']!r} {row['state']}, score {row['score']}", flush=True)
        if kind == "race_started":
            self.seen, self.plays = [], True
        self.plays = self.plays and state == "playing"
        if self.plays and self.racing and not self.in_flight and not self.queue:
            await asyncio.sleep(self.pause_s)
            self.queue.append(self.next_action())

    def next_action(self) -> Message:
        """Return the move that the strategy picks, or a forfeit."""
        self.seen.append([list(column) for column in self.columns])
        options = [option for option in moves(self.columns) if option.after not in self.seen]
        if not options or len(self.seen) > MAX_MOVES:
            return {"type": "forfeit"}
        chosen = self.strategy(options)
        return {"type": "move", "from": chosen.source, "to": chosen.target, "cards": chosen.cards}


def follows(card: str, next_card: str, *, same_suit: bool = True) -> bool:
    """Return whether the second card is one rank lower, and of the same suit if `same_suit`."""
    descends = RANKS.index(card[0]) == RANKS.index(next_card[0]) + 1
    return descends and (card[1] == next_card[1] or not same_suit)


def moves(columns: Columns) -> Iterator[Option]:
    """Yield every legal move except those of a whole column to an empty one."""
    for source, column in enumerate(columns):
        for cards in range(1, len(column) + 1):
            if cards > 1 and not follows(*column[-cards:][:2]):
                break
            for target, others in enumerate(columns):
                if follows(others[-1], column[-cards], same_suit=False) if others else cards < len(column):
                    yield Option(source, target, cards, moved(columns, source, target, cards))


def moved(columns: Columns, source: int, target: int, cards: int) -> Columns:
    """Return the columns after a move; a complete run is removed."""
    after = [list(column) for column in columns]
    after[target] += after[source][-cards:]
    del after[source][-cards:]
    run = after[target][-13:]
    if len(run) == 13 and all(follows(*pair) for pair in pairwise(run)):
        del after[target][-13:]
    return after


if __name__ == "__main__":
    if len(sys.argv) < 4 or (sys.argv[4:] and sys.argv[4] not in STRATEGIES):
        sys.exit(__doc__)
    url, room, name, strategy, pause_s = [*sys.argv[1:], *["greedy", "0.2"][len(sys.argv) - 4 :]]
    print(asyncio.run(Bot(url, room, name, STRATEGIES[strategy], float(pause_s)).run()))
