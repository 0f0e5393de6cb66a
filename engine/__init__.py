"""Rules of Simple Simon: cards, deals, board, game, ranking and solver. Pure; standard library only."""

from engine.board import Board
from engine.cards import RANKS, SUITS, card_text, parse_card
from engine.code import COUNT, GameCode, InvalidGameCode
from engine.deal import deal
from engine.game import Game, Step
from engine.layout import InvalidBoard
from engine.move import InvalidMove, Move
from engine.refusal import Refusal
from engine.replay import Action, ActionKind, ReplayError, replay
from engine.solver import DEFAULT_POSITIONS, Solved, Undecided, Unsolvable, solve

__all__ = [
    "COUNT",
    "DEFAULT_POSITIONS",
    "RANKS",
    "SUITS",
    "Action",
    "ActionKind",
    "Board",
    "Game",
    "GameCode",
    "InvalidBoard",
    "InvalidGameCode",
    "InvalidMove",
    "Move",
    "Refusal",
    "ReplayError",
    "Solved",
    "Step",
    "Undecided",
    "Unsolvable",
    "card_text",
    "deal",
    "parse_card",
    "replay",
    "solve",
]
