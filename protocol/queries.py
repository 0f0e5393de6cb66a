"""Requests that only read: games, boards, records, leaderboards."""

from typing import Annotated

from msgspec import Meta

from protocol.answers import Done
from protocol.base import IN_ROOM_ERRORS, POSITIVE, Code, Id, Request
from protocol.errors import ErrorCode as E
from protocol.fields import RaceNumber
from protocol.race_messages import Board, Game, Leaderboard, RecordSent


class GetGame(Request, frozen=True, kw_only=True, tag="get_game"):
    """Get the client's own game as the server has it."""

    when = "in a race that the client takes part in"
    answers = (Game,)
    errors = (*IN_ROOM_ERRORS, E.NO_GAME)


class GetBoard(Request, frozen=True, kw_only=True, tag="get_board"):
    """Get a racer's board: after the race, or for spectators during it if the room has `live_boards`."""

    when = "in a room, after a race; or during it as a spectator, in a room with `live_boards`"
    answers = (Board,)
    errors = (*IN_ROOM_ERRORS, E.NO_SUCH_MEMBER, E.BOARDS_HIDDEN)

    player: Annotated[Id, Meta(description="player id of the racer")]


class GetRecord(Request, frozen=True, kw_only=True, tag="get_record"):
    """Get the record of a finished race, by which it can be replayed and verified."""

    when = "in a room, after a race"
    answers = (RecordSent,)
    errors = (*IN_ROOM_ERRORS, E.NO_RECORD)

    race: Annotated[RaceNumber, POSITIVE]


class SubscribeLeaderboard(Request, frozen=True, kw_only=True, tag="subscribe_leaderboard"):
    """Get the leaderboards of a game code, now and after every change."""

    when = "after `welcome`"
    answers = (Leaderboard,)
    errors = (E.BAD_CODE, E.TOO_MANY_SUBSCRIPTIONS, E.STORE_UNAVAILABLE)

    code: Annotated[Code, Meta(description="game code of the deal")]


class UnsubscribeLeaderboard(Request, frozen=True, kw_only=True, tag="unsubscribe_leaderboard"):
    """Stop receiving the leaderboards of a game code."""

    when = "after `welcome`"
    answers = (Done,)
    errors = (E.BAD_CODE,)

    code: Annotated[Code, Meta(description="game code of the deal")]


Query = GetGame | GetBoard | GetRecord | SubscribeLeaderboard | UnsubscribeLeaderboard
