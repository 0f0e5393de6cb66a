"""Arbitrary sequences of actions, checked against a second, plain implementation of the rules."""

import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.board import Board
from engine.code import COUNT, GameCode
from engine.deal import deal
from engine.game import Game, Step
from engine.layout import group_length
from engine.refusal import Refusal

RANKS = "A23456789TJQK"
SOLUTION = json.loads((Path(__file__).parents[1] / "data" / "solved-rule-page.jsonl").read_text())
COLUMN = st.integers(-1, 10)
GROUP_SIZE = st.integers(-1, 14)


class Snapshot(NamedTuple):
    """What a player sees of a game."""

    text: str
    score: int
    moves: int
    runs: int


def may_move(columns: list[list[str]], source: int, target: int, cards: int) -> bool:
    """Return whether the rules allow a move, computed from cards as text."""
    if source not in range(10) or target not in range(10) or source == target:
        return False
    if cards not in range(1, len(columns[source]) + 1):
        return False
    group = columns[source][-cards:]
    descends = RANKS[::-1].find("".join(card[0] for card in group)) >= 0
    if not descends or len({card[1] for card in group}) != 1:
        return False
    return not columns[target] or RANKS.index(columns[target][-1][0]) - RANKS.index(group[0][0]) == 1


class GameMachine(RuleBasedStateMachine):
    """Legal and illegal actions on dealt boards and on boards a few moves before the win."""

    game: Game
    start: Snapshot
    pack: Counter[str]
    left_play: list[str]
    past: list[Snapshot]

    @initialize(
        suits=st.sampled_from([1, 2, 4]),
        number=st.integers(0, COUNT - 1),
        near_win=st.booleans(),
        rest=st.integers(1, 25),
    )
    def begin(self, suits: int, number: int, near_win: bool, rest: int) -> None:
        board = deal(GameCode(suits, number))
        if near_win:
            board = Board.from_columns([column.split() for column in SOLUTION["columns"]])
            for move in SOLUTION["moves"][:-rest]:
                board.push(*move)
        self.game = Game(board)
        self.start = self.seen()
        self.pack = self.cards()
        self.past = []

    def seen(self) -> Snapshot:
        game = self.game
        return Snapshot(game.board.text(), game.score, game.moves, game.runs)

    def cards(self) -> Counter[str]:
        return Counter(card for column in self.game.board.columns_text() for card in column)

    @rule(source=COLUMN, to=COLUMN, cards=GROUP_SIZE)
    def move_anything(self, source: int, to: int, cards: int) -> None:
        """The engine allows exactly the moves that may_move allows; a refused move changes nothing."""
        before, columns = self.seen(), self.game.board.columns_text()
        outcome = self.game.move(source, to, cards)
        assert isinstance(outcome, Step) == may_move(columns, source, to, cards)
        self.check_outcome(before, outcome)

    @precondition(lambda self: self.game.board.legal_moves())
    @rule(choice=st.integers(0, 10_000))
    def move_legally(self, choice: int) -> None:
        """A legal move is accepted and moves its cards."""
        before, columns = self.seen(), self.game.board.columns_text()
        moves = self.game.board.legal_moves()
        source, target, cards = moves[choice % len(moves)]
        outcome = self.game.move(source, target, cards)
        assert isinstance(outcome, Step)
        columns[target] += columns[source][-cards:]
        del columns[source][-cards:]
        if outcome.run is not None:
            assert columns[target][-13:] == [rank + outcome.run for rank in reversed(RANKS)]
            del columns[target][-13:]
        assert self.game.board.columns_text() == columns
        self.check_outcome(before, outcome)

    @rule(source=COLUMN)
    def double_click(self, source: int) -> None:
        """The move to the chosen column is legal."""
        before, columns = self.seen(), self.game.board.columns_text()
        outcome = self.game.auto_move(source)
        if isinstance(outcome, Step):
            assert may_move(columns, outcome.source, outcome.target, outcome.cards)
        self.check_outcome(before, outcome)

    @rule()
    def undo(self) -> None:
        """Undo is the inverse of the last move, for at most a hundred moves."""
        before, won = self.seen(), self.game.is_won
        outcome = self.game.undo()
        if won:
            assert outcome is Refusal.GAME_OVER
        elif not self.past:
            assert outcome is Refusal.NOTHING_TO_UNDO
        else:
            assert isinstance(outcome, Step)
            assert self.seen() == self.past.pop()
            return
        assert self.seen() == before

    @rule()
    def restart(self) -> None:
        """A game that is not won returns to its first layout."""
        before, won = self.seen(), self.game.is_won
        if self.game.restart() is None:
            assert not won
            assert self.seen() == self.start
            self.past = []
        else:
            assert won
            assert self.seen() == before

    def check_outcome(self, before: Snapshot, outcome: Step | Refusal) -> None:
        """A refusal changes nothing; a move counts one move, and perhaps one run."""
        after = self.seen()
        if isinstance(outcome, Refusal):
            assert after == before
            return
        self.past = [*self.past, before][-100:]
        run = outcome.run is not None
        assert (after.moves, after.runs) == (before.moves + 1, before.runs + run)
        assert after.score == before.score - 1 + 100 * run

    @invariant()
    def no_card_is_lost(self) -> None:
        """Cards leave the board only in whole runs."""
        gone = self.pack - self.cards()
        assert self.cards() + gone == self.pack
        assert gone.total() == 13 * self.game.runs
        assert (
            Counter(card[0] for card in gone.elements()) == dict.fromkeys(RANKS, self.game.runs) or not gone
        )

    @invariant()
    def the_score_follows_from_moves_and_runs(self) -> None:
        """500, minus one for each move, plus a hundred for each run."""
        assert self.game.score == 500 - self.game.moves + 100 * self.game.runs

    @invariant()
    def cached_group_lengths_are_right(self) -> None:
        """They equal the lengths computed from the cards."""
        board = self.game.board
        assert board.groups == [group_length(column) for column in board.columns]

    @invariant()
    def the_count_of_joins_is_right(self) -> None:
        """It equals that of a new board with the same cards."""
        board = self.game.board
        assert board.joins == Board(board.columns).joins

    @invariant()
    def the_number_of_undoable_moves_is_right(self) -> None:
        """The moves made and not undone since the start, at most a hundred."""
        assert self.game.undoable == len(self.past)


GameMachine.TestCase.settings = settings(max_examples=100, stateful_step_count=60)
TestGame = GameMachine.TestCase
