"""Plans of bots."""

import random

import pytest

from client_cli.core.commands import MoveCards, SimpleCommand
from demo.bot_plan import FORFEIT, UNDO, Commands, Playstyle, plan
from engine import Board, Game, GameCode, Step, deal

CODE = GameCode.parse("SS1-S2-AAAAABD")


def played(board: Board, commands: Commands) -> Game:
    """Play a plan; the engine must accept every command."""
    game = Game(board)
    for command in commands:
        match command:
            case MoveCards(source, int() as target, count):
                assert isinstance(game.move(source, target, count), Step)
            case MoveCards(source):
                assert isinstance(game.auto_move(source), Step)
            case SimpleCommand("undo"):
                assert isinstance(game.undo(), Step)
            case SimpleCommand(word):
                assert word == "forfeit"
    return game


def chance(seed: int = 7):  # type: ignore[no-untyped-def]
    return random.Random(seed).random


@pytest.mark.parametrize(
    "style",
    [
        Playstyle(0.1),
        Playstyle(0.1, detours=0.5),
        Playstyle(0.1, wander=4),
        Playstyle(0.1, wander=3, detours=0.2),
    ],
)
def test_a_solving_bot_wins(style: Playstyle) -> None:
    game = played(deal(CODE), plan(deal(CODE), style, chance()))
    assert game.is_won
    assert game.runs == 4


def test_styles_lead_to_different_results() -> None:
    straight, wanderer = (
        played(deal(CODE), plan(deal(CODE), style, chance()))
        for style in (Playstyle(0.1), Playstyle(0.1, wander=4))
    )
    assert straight.score != wanderer.score


def test_a_detour_is_undone_at_once() -> None:
    straight = plan(deal(CODE), Playstyle(0.1), chance())
    winding = plan(deal(CODE), Playstyle(0.1, detours=1.0), chance())
    detours = [place for place, command in enumerate(winding) if command == UNDO]
    assert len(detours) > 10
    kept = [command for place, command in enumerate(winding) if not {place, place + 1} & set(detours)]
    assert kept == straight


def test_a_bot_with_automatic_moves_forfeits() -> None:
    commands = plan(deal(CODE), Playstyle(0.1, auto_moves=25), chance())
    assert commands[-1] == FORFEIT
    assert all(isinstance(each, MoveCards) and each.target is None for each in commands[:-1])
    assert not played(deal(CODE), commands).is_won


def test_an_unwinnable_deal_is_forfeited_after_its_moves_are_undone() -> None:
    """Ten kings cannot be won."""
    dead = Board.parse("\n".join(f"{column} KS" if column < 9 else str(column) for column in range(1, 11)))
    commands = plan(dead, Playstyle(0.1, wander=3), chance())
    assert commands[3:6] == [UNDO] * 3
    assert commands[-1] == FORFEIT
    played(dead, commands)


def test_the_same_random_numbers_make_the_same_plan() -> None:
    style = Playstyle(0.1, wander=4, detours=0.3)
    assert plan(deal(CODE), style, chance(3)) == plan(deal(CODE), style, chance(3))
