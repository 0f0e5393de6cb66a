"""Measure the engine on one core: validated moves per second, and deals solved within a second.

    python bench/engine_speed.py            both
    python bench/engine_speed.py moves
    python bench/engine_speed.py solver --deals 100 --seed 1

Moves: every solution recorded in tests/data is played to its win; each move is checked, made, counted and
kept for undo. For comparison, a plain board plays the same moves and reads its cards again for each check.
Times are CPU times of this process, on which other programs have little influence; the range over the rounds
is printed.
"""

import argparse
import json
import statistics
from itertools import pairwise
from pathlib import Path
from random import Random
from time import process_time

from engine import (
    COUNT,
    DEFAULT_POSITIONS,
    RANKS,
    Board,
    Game,
    GameCode,
    Step,
    Undecided,
    Unsolvable,
    deal,
    solve,
)

DATA = Path(__file__).parent.parent / "tests" / "data"

Solution = tuple[list[list[str]], list[tuple[int, int, int]]]


class PlainGame:
    """The rules in the most obvious form: cards as text, and only copies for undo between moves."""

    def __init__(self, columns: list[list[str]]) -> None:
        self.columns = [list(column) for column in columns]
        self.history: list[list[list[str]]] = []
        self.moves = 0
        self.runs = 0

    def move(self, source: int, target: int, cards: int) -> bool:
        """Make a move if the rules allow it; return whether they do."""
        if not (0 <= source < 10 and 0 <= target < 10 and source != target):
            return False
        origin, destination = self.columns[source], self.columns[target]
        if not 1 <= cards <= len(origin) or not descends(origin[-cards:]):
            return False
        if destination and RANKS.index(destination[-1][0]) - RANKS.index(origin[-cards][0]) != 1:
            return False
        self.history = [*self.history, [list(column) for column in self.columns]][-100:]
        self.columns[target] = destination + origin[-cards:]
        self.columns[source] = origin[:-cards]
        self.moves += 1
        if len(self.columns[target]) >= 13 and descends(self.columns[target][-13:]):
            self.columns[target] = self.columns[target][:-13]
            self.runs += 1
        return True


def descends(cards: list[str]) -> bool:
    """Return whether cards descend one by one in one suit."""
    return all(
        upper[1] == lower[1] and RANKS.index(upper[0]) - RANKS.index(lower[0]) == 1
        for upper, lower in pairwise(cards)
    )


def solutions() -> list[Solution]:
    """Read every recorded solution."""
    lines = [line for path in sorted(DATA.glob("solved-*.jsonl")) for line in path.read_text().splitlines()]
    return [
        ([column.split() for column in record["columns"]], [(a, b, n) for a, b, n in record["moves"]])
        for record in map(json.loads, lines)
    ]


def measure_moves(rounds: int) -> None:
    """Print the rate of validated moves, and the rate of the plain game."""
    played = solutions()
    total = sum(len(moves) for _, moves in played)
    print(f"{total} moves of {len(played)} won games, {rounds} rounds, one core")
    ours = sorted(engine_round(played) for _ in range(rounds))
    plain = sorted(plain_round(played) for _ in range(max(3, rounds // 5)))
    for name, rates in (("engine", ours), ("plain re-validation", plain)):
        print(
            f"  {name:<20} {statistics.median(rates):>9,.0f} moves/s  ({rates[0]:,.0f} to {rates[-1]:,.0f})"
        )
    print(f"  {statistics.median(ours) / statistics.median(plain):.1f} times the plain game")


def engine_round(played: list[Solution]) -> float:
    """Play all solutions once; return moves per second."""
    games = [(Game(Board.from_columns(columns)), moves) for columns, moves in played]
    start = process_time()
    for game, moves in games:
        move = game.move
        for source, target, cards in moves:
            move(source, target, cards)
    spent = process_time() - start
    assert all(game.is_won for game, _ in games)  # noqa: S101 - the rate must be of valid moves
    return sum(len(moves) for _, moves in played) / spent


def plain_round(played: list[Solution]) -> float:
    """Play all solutions once on the plain game; return moves per second."""
    games = [(PlainGame(columns), moves) for columns, moves in played]
    start = process_time()
    for game, moves in games:
        for source, target, cards in moves:
            game.move(source, target, cards)
    spent = process_time() - start
    assert all(game.runs == 4 for game, _ in games)  # noqa: S101 - as above
    return sum(len(moves) for _, moves in played) / spent


def measure_solver(deals: int, seed: int, positions: int) -> None:
    """Print how many random deals are decided within a second, for each number of suits."""
    print(
        f"solver: {deals} random deals of each number of suits, seed {seed}, {positions:,} positions at most"
    )
    random = Random(seed)
    for suits in (1, 2, 4):
        times, lengths = [], []
        dead = undecided = within = 0
        for _ in range(deals):
            board = deal(GameCode(suits, random.randrange(COUNT)))
            start = process_time()
            verdict = solve(board, positions)
            spent = process_time() - start
            times.append(spent)
            if isinstance(verdict, Undecided):
                undecided += 1
                continue
            within += spent <= 1
            if isinstance(verdict, Unsolvable):
                dead += 1
                continue
            game = Game(board)
            assert all(isinstance(game.move(*move), Step) for move in verdict.moves)  # noqa: S101 - as above
            assert game.is_won  # noqa: S101 - as above
            lengths.append(len(verdict.moves))
        times.sort()
        print(
            f"  {suits} suits: {within} decided within 1 s, {undecided} undecided, {dead} cannot be won;"
            f" median {statistics.median(times):.3f} s, 95th of 100 {times[int(deals * 0.95)]:.3f} s,"
            f" slowest {times[-1]:.2f} s; median solution {statistics.median(lengths):.0f} moves"
        )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Measure the engine on one core.")
    parser.add_argument("what", choices=["all", "moves", "solver"], nargs="?", default="all")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--positions", type=int, default=DEFAULT_POSITIONS)
    options = parser.parse_args()
    if options.what != "solver":
        measure_moves(options.rounds)
    if options.what != "moves":
        measure_solver(options.deals, options.seed, options.positions)


if __name__ == "__main__":
    main()
