"""Commands without a server: print a deal and its solution, verify a saved race."""

from pathlib import Path

from client_cli.core.errors import Failure
from client_cli.core.own_game import table
from client_cli.core.translatable import Translatable
from client_cli.core.verify import UnreadableRecordError, Verification, read, verify
from client_cli.text.board import board
from client_cli.text.style import Line, Role, Style, line
from client_cli.text.translation import ENGLISH, Translation
from engine import Game, GameCode, Step, deal
from engine.solver import Solved, Undecided, Unsolvable, solve


def deal_lines(code: GameCode, style: Style) -> list[Line]:
    """Return the lines of a deal, its code above it."""
    return [line(str(code), Role.TITLE), *board(table(deal(code).columns_text()), style)]


def solution(code: GameCode, translate: Translation = ENGLISH) -> list[str]:
    """Return moves that win a deal, one per line as they are typed, or a sentence that there are none.

    Raises Failure if the search ends without an answer.
    """
    found = solve(deal(code))
    match found:
        case Solved(moves):
            game = Game(deal(code))
            lines = []
            for move in moves:
                step = game.move(*move)
                run = "   " + translate("a run is removed") if isinstance(step, Step) and step.run else ""
                lines.append(move.text() + run)
            return [
                *lines,
                translate("won in {moves} moves: {score} points", moves=len(moves), score=game.score),
            ]
        case Unsolvable(positions):
            return [
                translate(
                    "{code} cannot be won: none of its {count} reachable positions leads to a win",
                    code=code,
                    count=positions,
                )
            ]
        case Undecided(positions):
            raise Failure(
                translate(
                    "The search found no answer for {code} within {count} positions.",
                    code=code,
                    count=positions,
                )
            )


def verify_file(path: Path, translate: Translation = ENGLISH) -> Verification:
    """Read the record of a race and verify it. Raises Failure if it cannot be read."""
    try:
        return verify(read(path.read_bytes()))
    except OSError as fault:
        raise Failure(translate("Cannot read {path} ({why}).", path=path, why=fault.strerror)) from None
    except UnreadableRecordError as fault:
        raise Failure(
            Translatable("{path} cannot be verified: {fault}", path=path, fault=fault.args[0])
        ) from None
