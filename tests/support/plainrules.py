"""A racer's game by the book, with nothing of ours: cards as text, every state kept whole.

The test vectors are held against it as well as against the engine, as somebody would who writes a client in
another language from PROTOCOL.md.
"""

from itertools import pairwise
from typing import Any

RANKS = "A23456789TJQK"
UNDOS = 100
FORFEIT_UNDO_MS = 10_000

Message = dict[str, Any]
Columns = list[list[str]]


class PlainGame:
    """One racer's game in one race; `answer` carries an action out."""

    def __init__(self, start: list[str]) -> None:
        self.start = start
        self.log: list[tuple[Message, Message]] = []
        self.forfeited_at: int | None = None
        self.reached = 0
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
        """Return what the vectors say after each action."""
        return {
            "columns": [" ".join(column) for column in self.columns],
            "score": 500 - self.moves + 100 * self.runs,
            "moves": self.moves,
            "runs": self.runs,
            "undoable": len(self.history[-UNDOS:]),
            "state": "forfeited" if self.forfeited_at is not None else "won" if self.won else "playing",
            "reached": self.reached,
        }

    def answer(self, action: Message, at: int) -> Message:
        """Return the answer to an action that comes `at` ms after the start, without the words for people."""
        n, expected = action["n"], len(self.log) + 1
        if n < expected:
            first, answer = self.log[n - 1]
            return answer if first == action else refused(n, expected, "number_taken")
        if n > expected:
            return refused(n, expected, "wrong_number")
        done = self.carry_out(action, at)
        if isinstance(done, str):
            return refused(n, expected, done)
        state = self.state()
        numbers = {key: state[key] for key in ("score", "moves", "runs", "undoable")}
        changed = {} if state["state"] == "playing" else {"state": state["state"]}
        self.log.append((action, {"type": "accepted", "n": n, "at": at} | numbers | done | changed))
        return self.log[-1][1]

    def carry_out(self, action: Message, at: int) -> Message | str:
        """Return which cards went, or the code of the rule that refuses."""
        kind = action["type"]
        if self.forfeited_at is not None:
            if kind != "undo" or at > self.forfeited_at + FORFEIT_UNDO_MS:
                return "forfeited"
            self.forfeited_at = None
            return {}
        if self.won:
            return "game_over"
        if kind == "forfeit":
            self.forfeited_at = at
            return {}
        if kind == "restart":
            self.begin()
            done: Message | str = {}
        elif kind == "undo":
            done = self.undo()
        elif kind == "auto":
            done = self.auto(action["from"], action.get("count"))
        else:
            done = self.move(action["from"], action["to"], action["count"])
        if not isinstance(done, str):
            self.reached = at
        return done

    def undo(self) -> Message | str:
        """Take back the last move, if it is one of the last hundred."""
        if not self.history:
            return "nothing_to_undo"
        self.columns, self.moves, self.runs, done = self.history.pop()
        return done

    def move(self, source: int, target: int, count: int) -> Message | str:
        """Move cards, and remove the run that they complete."""
        refusal = self.refusal(source, target, count)
        if refusal:
            return refusal
        before = [list(column) for column in self.columns]
        done: Message = {"from": source, "to": target, "count": count}
        kept = (before, self.moves, self.runs, done)
        self.columns[target] += self.columns[source][-count:]
        del self.columns[source][-count:]
        self.moves += 1
        last = self.columns[target][-13:]
        if len(last) == 13 and one_suit_descending(last):
            del self.columns[target][-13:]
            self.runs += 1
            done["run"] = last[0][1]
        self.history = [*self.history, kept][-UNDOS:]
        return done

    def auto(self, source: int, count: int | None) -> Message | str:
        """Make the double-click move: same suit first, then an empty column, then any other."""
        if not 0 <= source <= 9:
            return "no_such_column"
        origin = self.columns[source]
        if count is None:
            count = next((n for n in range(len(origin), 1, -1) if one_suit_descending(origin[-n:])), 1)
        unmovable = self.unmovable(source, count)
        if unmovable:
            return unmovable
        suit = origin[-count][1]
        fits = [each for each in range(10) if each != source and not self.refusal(source, each, count)]
        ends = {each: self.columns[each][-1:] for each in fits}
        for wanted in (
            [each for each in fits if ends[each] and ends[each][0][1] == suit],
            [each for each in fits if not ends[each] and count < len(origin)],
            [each for each in fits if ends[each]],
        ):
            if wanted:
                return self.move(source, wanted[0], count)
        return "no_place"

    def unmovable(self, source: int, count: int) -> str | None:
        """Return why these cards cannot move at all."""
        origin = self.columns[source]
        if not origin:
            return "empty_source"
        if not 1 <= count <= len(origin):
            return "bad_count"
        return None if one_suit_descending(origin[-count:]) else "not_one_suit_descending"

    def refusal(self, source: int, target: int, count: int) -> str | None:
        """Return the rule against a move."""
        if not (0 <= source <= 9 and 0 <= target <= 9):
            return "no_such_column"
        if source == target:
            return "same_column"
        unmovable = self.unmovable(source, count)
        if unmovable or not self.columns[target]:
            return unmovable
        first, last = self.columns[source][-count], self.columns[target][-1]
        if RANKS.index(last[0]) == RANKS.index(first[0]) + 1:
            return None
        if last[0] == "A":
            return "nothing_on_ace"
        return "king_needs_empty_column" if first[0] == "K" else "rank_mismatch"


def refused(n: int, expected: int, code: str) -> Message:
    """Return the refusal of action `n`."""
    return {"type": "refused", "n": n, "expected": expected, "code": code}


def one_suit_descending(cards: list[str]) -> bool:
    """Whether cards are of one suit, each one rank below the one before."""
    return all(
        upper[1] == lower[1] and RANKS.index(upper[0]) == RANKS.index(lower[0]) + 1
        for upper, lower in pairwise(cards)
    )
