"""Requests of somebody who is greeted: to the room, about a game, a board, a record, a leaderboard."""

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

import msgspec

from engine.code import GameCode, InvalidGameCode
from protocol import from_client as ask
from protocol import from_server as say
from protocol.errors import ErrorCode
from protocol.from_client import RoomRequest
from protocol.limits import FOLLOWED
from protocol.parts import Phase
from server.core.room import Race, Room
from server.core.settings import check
from server.rooms.desk import Answer
from server.store.port import StoreError

if TYPE_CHECKING:
    from server.rooms.live import LiveRoom
    from server.sessions.session import Session


def room_request(session: "Session", request: RoomRequest) -> None:
    """Put a request to the room that the client is in."""
    room = session.room
    if room is None:
        session.error(ErrorCode.NOT_IN_ROOM, request.ref)
        return
    code = None
    if isinstance(request, ask.Configure):
        checked = check(request.settings, request.code)
        if isinstance(checked, ErrorCode):
            session.error(checked, request.ref)
            return
        code = checked.code
        request = msgspec.structs.replace(request, settings=checked.settings)

    def done(answer: Answer) -> None:
        if isinstance(answer, ErrorCode):
            session.error(answer, request.ref)
        else:
            session.tell(say.Done(ref=request.ref))

    room.ask(session.player, request, code, done)


def get_game(session: "Session", request: ask.GetGame) -> None:
    """Send the client's own game as it is remembered."""

    async def answer(room: "LiveRoom") -> None:
        game = await room.game_of(session.player)
        if game is None:
            session.error(ErrorCode.NO_GAME, request.ref)
        else:
            session.tell(say.Game(ref=request.ref, race=game[0], game=game[1]))

    _in_room(session, request.ref, answer)


def show_board(session: "Session", request: ask.ShowBoard) -> None:
    """Send somebody's board, if it may be seen."""

    async def answer(room: "LiveRoom") -> None:
        race = room.room.race
        if race is None or request.player not in race.racers:
            session.error(ErrorCode.NO_SUCH_PERSON, request.ref)
        elif not may_see_boards(room.room, race, session.player):
            session.error(ErrorCode.BOARDS_HIDDEN, request.ref)
        else:
            view = await session.lounge.records.board(room.code, race.number, race.code, request.player)
            session.tell(say.Board(ref=request.ref, race=race.number, player=request.player, game=view))

    _in_room(session, request.ref, answer)


def may_see_boards(room: Room, race: Race, player: str) -> bool:
    """After the race everybody may; during it those who only watch, if the room allows it."""
    if room.phase is not Phase.RACING:
        return True
    return room.settings.live_boards and player not in race.racers


def get_record(session: "Session", request: ask.GetRecord) -> None:
    """Send everything about a finished race."""

    async def answer(room: "LiveRoom") -> None:
        record = await session.lounge.records.read(room.code, request.race)
        if record is None:
            session.error(ErrorCode.NO_RECORD, request.ref)
        else:
            session.tell(say.RecordSent(ref=request.ref, record=record))

    _in_room(session, request.ref, answer)


def leaderboard(session: "Session", request: ask.FollowLeaderboard | ask.UnfollowLeaderboard) -> None:
    """Send the leaderboards of a game code now and whenever they change, or no more."""
    boards = session.lounge.leaderboards
    try:
        code = str(GameCode.parse(request.code))
    except InvalidGameCode as fault:
        session.error(ErrorCode.BAD_CODE, request.ref, str(fault))
        return
    if isinstance(request, ask.UnfollowLeaderboard):
        session.following.discard(code)
        boards.unfollow(code, session)
        session.tell(say.Done(ref=request.ref))
        return
    if code not in session.following and len(session.following) >= FOLLOWED:
        session.error(ErrorCode.TOO_MANY_FOLLOWED, request.ref)
        return

    async def answer() -> None:
        session.tell(await boards.read(code, request.ref))

    session.following.add(code)
    boards.follow(code, session)
    session.spawn(_or_store_away(session, request.ref, answer()))


def _in_room(
    session: "Session",
    ref: int,
    answer: "Callable[[LiveRoom], Coroutine[Any, Any, None]]",
) -> None:
    """Answer somebody who is in a room; what comes after waits: the answer may cost much, or take long."""
    room = session.room
    if room is None:
        session.error(ErrorCode.NOT_IN_ROOM, ref)
        return
    session.hold()
    session.spawn(_or_store_away(session, ref, answer(room), alone=True))


async def _or_store_away(
    session: "Session", ref: int, answer: Coroutine[Any, Any, None], *, alone: bool = False
) -> None:
    try:
        await answer
    except StoreError:
        session.error(ErrorCode.STORE_AWAY, ref)
    if alone:
        session.go_on()
