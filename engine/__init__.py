"""Simple Simon by itself: cards, deals, board, game and solver; pure, standard library only."""

from engine.board import Board
from engine.cards import RANKS, SUITS, card_text, parse_card
from engine.code import COUNT, GameCode, InvalidGameCode
from engine.deal import deal
from engine.game import Game, Step
from engine.layout import InvalidBoard
from engine.move import InvalidMove, Move
from engine.refusal import Refusal
from engine.replay import Action, ActionKind, ReplayError, replay

__all__ = [
    "COUNT",
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
    "Step",
    "card_text",
    "deal",
    "parse_card",
    "replay",
]
