"""A second implementation of the rules and of the ranking: cards as text, every state kept whole.

The test vectors are checked against it as well as against the engine. It imports nothing of this project, as
if it were written in another language from PROTOCOL.md.
"""

from itertools import pairwise
from typing import Any

RANKS = "A23456789TJQK"
UNDOS = 100
FORFEIT_UNDO_MS = 10_000
RACE = 1

Message = dict[str, Any]
Columns = list[list[str]]


class PlainGame:
    """One racer's game in one race. `answer` carries out an action."""

    def __init__(self, start: list[str]) -> None:
        self.start = start
        self.log: list[tuple[Message, Message]] = []
        self.forfeited_at_ms: int | None = None
        self.reached_ms = 0
        self.begin()

    def begin(self) -> None:
        """Lay out the deal."""
        self.columns: Columns = [column.split() for column in self.start]
        self.moves = self.runs = 0
        self.history: list[tuple[Columns, int, int, Message]] = []

    @property
    def won(self) -> bool:
        """Whether no card is left."""
        return not any(self.columns)

    def state(self) -> Message:
        """Return the state that the vectors list after each action."""
        return {
            "columns": [" ".join(column) for column in self.columns],
            "score": 500 - self.moves + 100 * self.runs,
            "moves": self.moves,
            "runs": self.runs,
            "undoable": len(self.history[-UNDOS:]),
            "state": "forfeited" if self.forfeited_at_ms is not None else "won" if self.won else "playing",
            "progress": 12 * self.runs + sum(in_order(column) for column in self.columns),
            "reached_ms": self.reached_ms,
        }

    def answer(self, action: Message, at_ms: int) -> Message:
        """Return the answer to an action at race time `at_ms`, without the text for people."""
        n, expected = action["n"], len(self.log) + 1
        if n < expected:
            first, answer = self.log[n - 1]
            return answer if first == action else refused(n, expected, "number_taken")
        if n > expected:
            return refused(n, expected, "wrong_number")
        done = self.carry_out(action, at_ms)
        if isinstance(done, str):
            return refused(n, expected, done)
        state = self.state()
        numbers = {key: state[key] for key in ("score", "moves", "runs", "undoable")}
        changed = {} if state["state"] == "playing" else {"state": state["state"]}
        accepted = {"type": "accepted", "race": RACE, "n": n, "at_ms": at_ms}
        self.log.append((action, accepted | numbers | done | changed))
        return self.log[-1][1]

    def carry_out(self, action: Message, at_ms: int) -> Message | str:
        """Return which cards moved, or the code of the rule that refuses."""
        kind = action["type"]
        if self.forfeited_at_ms is not None:
            if kind != "undo" or at_ms > self.forfeited_at_ms + FORFEIT_UNDO_MS:
                return "forfeited"
            self.forfeited_at_ms = None
            return {}
        if self.won:
            return "game_over"
        if kind == "forfeit":
            self.forfeited_at_ms = at_ms
            return {}
        if kind == "restart":
            self.begin()
            done: Message | str = {}
        elif kind == "undo":
            done = self.undo()
        elif kind == "auto_move":
            done = self.auto_move(action["from"], action.get("cards"))
        else:
            done = self.move(action["from"], action["to"], action["cards"])
        if not isinstance(done, str):
            self.reached_ms = at_ms
        return done

    def undo(self) -> Message | str:
        """Undo the last move, if it is one of the last hundred."""
        if not self.history:
            return "nothing_to_undo"
        self.columns, self.moves, self.runs, done = self.history.pop()
        return done

    def move(self, source: int, target: int, cards: int) -> Message | str:
        """Move cards, and remove the run that they complete."""
        refusal = self.refusal(source, target, cards)
        if refusal:
            return refusal
        before = [list(column) for column in self.columns]
        done: Message = {"from": source, "to": target, "cards": cards}
        kept = (before, self.moves, self.runs, done)
        self.columns[target] += self.columns[source][-cards:]
        del self.columns[source][-cards:]
        self.moves += 1
        last = self.columns[target][-13:]
        if len(last) == 13 and one_suit_descending(last):
            del self.columns[target][-13:]
            self.runs += 1
            done["run"] = last[0][1]
        self.history = [*self.history, kept][-UNDOS:]
        return done

    def auto_move(self, source: int, cards: int | None) -> Message | str:
        """Make the double-click move: same suit first, then an empty column, then any other."""
        if not 0 <= source <= 9:
            return "no_such_column"
        origin = self.columns[source]
        if cards is None:
            cards = next((n for n in range(len(origin), 1, -1) if one_suit_descending(origin[-n:])), 1)
        unmovable = self.unmovable(source, cards)
        if unmovable:
            return unmovable
        suit = origin[-cards][1]
        fits = [each for each in range(10) if each != source and not self.refusal(source, each, cards)]
        ends = {each: self.columns[each][-1:] for each in fits}
        for wanted in (
            [each for each in fits if ends[each] and ends[each][0][1] == suit],
            [each for each in fits if not ends[each] and cards < len(origin)],
            [each for each in fits if ends[each]],
        ):
            if wanted:
                return self.move(source, wanted[0], cards)
        return "no_place"

    def unmovable(self, source: int, cards: int) -> str | None:
        """Return why these cards cannot move to any column."""
        origin = self.columns[source]
        if not origin:
            return "empty_source"
        if not 1 <= cards <= len(origin):
            return "bad_cards"
        return None if one_suit_descending(origin[-cards:]) else "not_one_suit_descending"

    def refusal(self, source: int, target: int, cards: int) -> str | None:
        """Return the rule against a move."""
        if not (0 <= source <= 9 and 0 <= target <= 9):
            return "no_such_column"
        if source == target:
            return "same_column"
        unmovable = self.unmovable(source, cards)
        if unmovable or not self.columns[target]:
            return unmovable
        first, last = self.columns[source][-cards], self.columns[target][-1]
        if RANKS.index(last[0]) == RANKS.index(first[0]) + 1:
            return None
        if last[0] == "A":
            return "nothing_on_ace"
        return "king_needs_empty_column" if first[0] == "K" else "rank_mismatch"


def refused(n: int, expected: int, code: str) -> Message:
    """Return the refusal of action `n`."""
    return {"type": "refused", "race": RACE, "n": n, "expected": expected, "code": code}


def one_suit_descending(cards: list[str]) -> bool:
    """Return whether cards are of one suit, each one rank below the one before."""
    return in_order(cards) == len(cards) - 1


def in_order(cards: list[str]) -> int:
    """Count the neighbours of one suit in which the second card is one rank below the first."""
    return sum(
        upper[1] == lower[1] and RANKS.index(upper[0]) == RANKS.index(lower[0]) + 1
        for upper, lower in pairwise(cards)
    )


def ranks(racers: list[Message], ranking: str) -> list[int]:
    """Return the rank of each racer at the end of a race: one more than the number of racers ahead."""
    return [1 + sum(is_ahead(other, racer, ranking) for other in racers) for racer in racers]


def is_ahead(one: Message, other: Message, ranking: str) -> bool:
    """Return whether one racer is ahead of another: the first difference decides."""
    if rank_class(one) != rank_class(other):
        return rank_class(one) < rank_class(other)
    if one["state"] != "won":
        criteria = [("runs", True), ("progress", True), ("score", True), ("reached_ms", False)]
    elif ranking == "time":
        criteria = [("reached_ms", False), ("moves", False)]
    else:
        criteria = [("score", True), ("reached_ms", False)]
    for key, more_is_better in criteria:
        if one[key] != other[key]:
            return bool(one[key] > other[key]) is more_is_better
    return False


def rank_class(racer: Message) -> int:
    """Return 0 for a winner, 1 for an unfinished racer, 2 for one who forfeited or was inactive."""
    if racer["state"] == "won":
        return 0
    return 2 if racer["state"] == "forfeited" or racer.get("inactive") else 1
