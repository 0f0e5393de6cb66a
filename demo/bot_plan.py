"""What a bot does with a deal: a list of commands, thought out before the first of them is played."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from client_cli.core.commands import MoveCards, SimpleCommand
from engine import Board, Game, Move, Step
from engine.solver import Solved, solve

Chance = Callable[[], float]
"""A source of random numbers from 0 up to, not including, 1."""

Commands = list[MoveCards | SimpleCommand]

UNDO: Final = SimpleCommand("undo")
FORFEIT: Final = SimpleCommand("forfeit")


@dataclass(frozen=True, slots=True)
class Playstyle:
    """How a bot plays.

    `pace` is the seconds from action to action. A bot wanders for some moves before it thinks, and then
    tries something else before a move with the chance of `detours`, only to take it back. One with
    `patience` does not think at all: it double-clicks so many times and gives up.
    """

    pace: float
    wander: int = 0
    detours: float = 0.0
    patience: int = 0


def plan(board: Board, style: Playstyle, chance: Chance) -> Commands:
    """Return what to do, from the deal on."""
    game = Game(board)
    if style.patience:
        return _double_clicks(game, style.patience, chance)
    commands: Commands = [_move_cards(move) for move in _wander(game, style.wander, chance)]
    moves = _thought(game.board)
    if moves is None:
        commands += [UNDO] * len(commands)
        game = Game(board)
        moves = _thought(game.board)
    if moves is None:
        return commands + _double_clicks(game, 30, chance)
    for move in moves:
        if chance() < style.detours:
            commands += _detour(game, move, chance)
        game.move(*move)
        commands.append(_move_cards(move))
    return commands


def _thought(board: Board) -> tuple[Move, ...] | None:
    found = solve(board)
    return found.moves if isinstance(found, Solved) else None


def _wander(game: Game, moves: int, chance: Chance) -> list[Move]:
    made: list[Move] = []
    while len(made) < moves and (legal := game.board.legal_moves()):
        move = _one_of(legal, chance)
        game.move(*move)
        made.append(move)
    return made


def _detour(game: Game, wanted: Move, chance: Chance) -> Commands:
    others = [move for move in game.board.legal_moves() if move != wanted]
    return [_move_cards(_one_of(others, chance)), UNDO] if others else []


def _double_clicks(game: Game, patience: int, chance: Chance) -> Commands:
    commands: Commands = []
    for _ in range(patience):
        column = int(chance() * 10)
        if isinstance(game.auto(column), Step):
            commands.append(MoveCards(column))
    return [*commands, FORFEIT]


def _one_of(moves: list[Move], chance: Chance) -> Move:
    return moves[int(chance() * len(moves))]


def _move_cards(move: Move) -> MoveCards | SimpleCommand:
    return MoveCards(move.source, move.target, move.cards)
