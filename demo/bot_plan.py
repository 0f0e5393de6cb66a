"""Plan of a bot: the list of its commands, computed before it plays the first one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from client_cli.core.commands import MoveCards, SimpleCommand
from engine import Board, Game, Move, Step
from engine.solver import Solved, solve

Chance = Callable[[], float]
"""Source of random numbers, at least 0 and less than 1."""

Commands = list[MoveCards | SimpleCommand]

UNDO: Final = SimpleCommand("undo")
FORFEIT: Final = SimpleCommand("forfeit")


@dataclass(frozen=True, slots=True)
class Playstyle:
    """How a bot plays.

    `pace` is the time between actions in seconds. A bot makes `wander` random moves, then plays a solution of
    the board. With the probability `detours` it makes and undoes another move before a move. With
    `auto_moves` it plays no solution: it makes that many automatic moves and forfeits.
    """

    pace: float
    wander: int = 0
    detours: float = 0.0
    auto_moves: int = 0


def plan(board: Board, style: Playstyle, chance: Chance) -> Commands:
    """Return the commands for a deal."""
    game = Game(board)
    if style.auto_moves:
        return _auto_moves(game, style.auto_moves, chance)
    commands: Commands = [_move_cards(move) for move in _random_moves(game, style.wander, chance)]
    moves = _solution(game.board)
    if moves is None:
        commands += [UNDO] * len(commands)
        game = Game(board)
        moves = _solution(game.board)
    if moves is None:
        return commands + _auto_moves(game, 30, chance)
    for move in moves:
        if chance() < style.detours:
            commands += _detour(game, move, chance)
        game.move(*move)
        commands.append(_move_cards(move))
    return commands


def _solution(board: Board) -> tuple[Move, ...] | None:
    found = solve(board)
    return found.moves if isinstance(found, Solved) else None


def _random_moves(game: Game, moves: int, chance: Chance) -> list[Move]:
    made: list[Move] = []
    while len(made) < moves and (legal := game.board.legal_moves()):
        move = _one_of(legal, chance)
        game.move(*move)
        made.append(move)
    return made


def _detour(game: Game, wanted: Move, chance: Chance) -> Commands:
    others = [move for move in game.board.legal_moves() if move != wanted]
    return [_move_cards(_one_of(others, chance)), UNDO] if others else []


def _auto_moves(game: Game, count: int, chance: Chance) -> Commands:
    commands: Commands = []
    for _ in range(count):
        column = int(chance() * 10)
        if isinstance(game.auto_move(column), Step):
            commands.append(MoveCards(column))
    return [*commands, FORFEIT]


def _one_of(moves: list[Move], chance: Chance) -> Move:
    return moves[int(chance() * len(moves))]


def _move_cards(move: Move) -> MoveCards | SimpleCommand:
    return MoveCards(move.source, move.target, move.cards)
