"""A bot for Simon Race: write a strategy, and it plays. The conversation is that of python_client.py.

    python bot.py ws://localhost:7466 BKMRT Robby             # comes into a room and is in every race
    python bot.py ws://localhost:7466 BKMRT Robby random 0.5  # another strategy, and seconds between moves
    python bot.py ws://localhost:7466 new Robby               # opens a room that starts when two are ready

A strategy picks one of the moves that lead to a board where the bot has not been. When there is none, and
after 300 moves, the bot gives up.
"""

import asyncio
import random
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from python_client import Client, Message

RANKS = "A23456789TJQK"
PATIENCE = 300
Columns = list[list[str]]


class Option(NamedTuple):
    """A move, and the columns after it."""

    source: int
    target: int
    cards: int
    after: Columns


Strategy = Callable[[list[Option]], Option]


def greedy(options: list[Option]) -> Option:
    """Pick the move after which most is in order: cards gone, cards on their neighbours, empty columns."""

    def order(option: Option) -> int:
        joined = sum(follows(*pair) for column in option.after for pair in pairwise(column))
        return 20 * (52 - sum(map(len, option.after))) + 2 * joined + 3 * option.after.count([])

    return max(options, key=order)


STRATEGIES: dict[str, Strategy] = {"greedy": greedy, "random": random.choice}


class Bot(Client):
    """A client that gets ready whenever it can, and plays by a strategy, `beat` seconds a move."""

    def __init__(self, url: str, room: str, name: str, strategy: Strategy, beat: float = 0.2) -> None:
        entry = {"settings": {"start_mode": "all_ready"}} if room == "new" else {}
        super().__init__(url, room, name, **entry)
        self.strategy, self.beat = strategy, beat
        self.seen: list[Columns] = []
        self.plays = False

    async def told(self, message: Message) -> None:
        """Get ready between races; in a race, say the next move when nothing is without an answer."""
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
        if self.plays and self.racing and not self.asked and not self.queue:
            await asyncio.sleep(self.beat)
            self.queue.append(self.next_action())

    def next_action(self) -> Message:
        """Return what the strategy picks, as it is said to the server."""
        self.seen.append([list(column) for column in self.columns])
        options = [option for option in moves(self.columns) if option.after not in self.seen]
        if not options or len(self.seen) > PATIENCE:
            return {"type": "forfeit"}
        chosen = self.strategy(options)
        return {"type": "move", "from": chosen.source, "to": chosen.target, "cards": chosen.cards}


def follows(card: str, next_card: str, *, same_suit: bool = True) -> bool:
    """Return whether the second card is one rank lower, and of the same suit unless that does not matter."""
    descends = RANKS.index(card[0]) == RANKS.index(next_card[0]) + 1
    return descends and (card[1] == next_card[1] or not same_suit)


def moves(columns: Columns) -> Iterator[Option]:
    """Yield every move that the rules allow, but not a whole column to an empty place."""
    for source, cards in enumerate(columns):
        for count in range(1, len(cards) + 1):
            if count > 1 and not follows(*cards[-count:][:2]):
                break
            for target, others in enumerate(columns):
                if follows(others[-1], cards[-count], same_suit=False) if others else count < len(cards):
                    yield Option(source, target, count, moved(columns, source, target, count))


def moved(columns: Columns, source: int, target: int, count: int) -> Columns:
    """Return the columns after a move; a run from king to ace of one suit leaves them."""
    after = [list(column) for column in columns]
    after[target] += after[source][-count:]
    del after[source][-count:]
    run = after[target][-13:]
    if len(run) == 13 and all(follows(*pair) for pair in pairwise(run)):
        del after[target][-13:]
    return after


if __name__ == "__main__":
    if len(sys.argv) < 4 or (sys.argv[4:] and sys.argv[4] not in STRATEGIES):
        sys.exit(__doc__)
    url, room, name, strategy, beat = [*sys.argv[1:], *["greedy", "0.2"][len(sys.argv) - 4 :]]
    print(asyncio.run(Bot(url, room, name, STRATEGIES[strategy], float(beat)).run()))
