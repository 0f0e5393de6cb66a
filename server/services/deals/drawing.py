"""Worker that draws winnable deals: it reads a number of suits per line and writes a game code per line."""

import secrets
import sys

from engine.code import COUNT, GameCode
from engine.deal import deal
from engine.solver import DEFAULT_POSITIONS, Solved, solve


def draw(suits: int) -> GameCode:
    """Return a random code whose deal the solver has won."""
    while True:
        code = GameCode(suits, secrets.randbelow(COUNT))
        if isinstance(solve(deal(code), DEFAULT_POSITIONS), Solved):
            return code


def main() -> None:
    """Answer each line of the input until it ends."""
    for line in sys.stdin:
        sys.stdout.write(f"{draw(int(line))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
