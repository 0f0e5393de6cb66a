"""What needs no server: a deal and its solution, a kept race and its check."""

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
    """Return a deal as people see it, its code above it."""
    return [line(str(code), Role.TITLE), *board(table(deal(code).columns_text()), style)]


def solution(code: GameCode, translate: Translation = ENGLISH) -> list[str]:
    """Return moves that win a deal, one a line as they are typed, or the sentence that there are none.

    Raises Failure when the search gives up before it knows.
    """
    found = solve(deal(code))
    match found:
        case Solved(moves):
            game = Game(deal(code))
            told = []
            for move in moves:
                step = game.move(*move)
                run = "   " + translate("a run leaves") if isinstance(step, Step) and step.run else ""
                told.append(move.text() + run)
            return [
                *told,
                translate("won in {moves} moves: {score} points", moves=len(moves), score=game.score),
            ]
        case Unsolvable(positions):
            return [
                translate(
                    "{code} cannot be won: none of the {count} positions that can be reached leads to a win",
                    code=code,
                    count=positions,
                )
            ]
        case Undecided(positions):
            raise Failure(
                translate(
                    "whether {code} can be won is not known after {count} positions",
                    code=code,
                    count=positions,
                )
            )


def verify_file(path: Path, translate: Translation = ENGLISH) -> Verification:
    """Read a race's record and check it. Raises Failure when it cannot be read."""
    try:
        return verify(read(path.read_bytes()))
    except OSError as fault:
        raise Failure(translate("{path} cannot be read: {why}", path=path, why=fault.strerror)) from None
    except UnreadableRecordError as fault:
        told = Translatable("{path} cannot be verified: {fault}", path=path, fault=fault.args[0])
        raise Failure(translate.sentence(told)) from None
