"""Requests of an identified client: to the room, for a game, a board, a record, a leaderboard."""

from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from engine.code import GameCode, InvalidGameCode
from protocol import from_client as ask
from protocol import from_server as say
from protocol.errors import ErrorCode
from protocol.from_client import RoomRequest
from protocol.limits import LEADERBOARD_SUBSCRIPTIONS
from protocol.parts import Phase
from server.core.room import Race, Room
from server.core.settings import check
from server.rooms.live_room import LiveRoom
from server.rooms.room_log import Answer
from server.sessions.context import SessionContext
from server.sessions.ports import Requester
from server.sessions.replies import Reply
from server.store.port import StoreError


def room_request(session: Requester, request: RoomRequest, reply: Reply) -> None:
    """Submit a request to the room that the client is in."""
    room = session.room
    if room is None:
        reply.error(ErrorCode.NOT_IN_ROOM)
        return
    code = None
    if isinstance(request, ask.Configure):
        checked = check(request.settings, request.code)
        if isinstance(checked, ErrorCode):
            reply.error(checked)
            return
        code = checked.code
        request = msgspec.structs.replace(request, settings=checked.settings)

    def done(answer: Answer) -> None:
        if isinstance(answer, ErrorCode):
            reply.error(answer)
        else:
            reply.send(say.Done(ref=request.ref))

    room.request(session.player, request, code, done)


def get_game(session: Requester, request: ask.GetGame, reply: Reply) -> None:
    """Send the client's own committed game."""

    async def answer(room: LiveRoom) -> None:
        game = await room.game_of(session.player)
        if game is None:
            reply.error(ErrorCode.NO_GAME)
        else:
            reply.send(say.Game(ref=request.ref, race=game[0], game=game[1]))

    _read_in_room(session, reply, answer)


def get_board(context: SessionContext, session: Requester, request: ask.GetBoard, reply: Reply) -> None:
    """Send a racer's board, if the client may see it."""

    async def answer(room: LiveRoom) -> None:
        race = room.room.race
        if race is None or request.player not in race.racers:
            reply.error(ErrorCode.NO_SUCH_MEMBER)
        elif not may_see_boards(room.room, race, session.player):
            reply.error(ErrorCode.BOARDS_HIDDEN)
        else:
            view = await context.records.board(room.code, race.number, race.code, request.player)
            reply.send(say.Board(ref=request.ref, race=race.number, player=request.player, game=view))

    _read_in_room(session, reply, answer)


def may_see_boards(room: Room, race: Race, player: str) -> bool:
    """Return whether a member may see boards: after the race, or as a spectator if the room allows it."""
    if room.phase is not Phase.RACING:
        return True
    return room.settings.live_boards and player not in race.racers


def get_record(context: SessionContext, session: Requester, request: ask.GetRecord, reply: Reply) -> None:
    """Send the record of a finished race."""

    async def answer(room: LiveRoom) -> None:
        record = await context.records.read(room.code, request.race)
        if record is None:
            reply.error(ErrorCode.NO_RECORD)
        else:
            reply.send(say.RecordSent(ref=request.ref, record=record))

    _read_in_room(session, reply, answer)


def leaderboard(
    context: SessionContext,
    session: Requester,
    request: ask.SubscribeLeaderboard | ask.UnsubscribeLeaderboard,
    reply: Reply,
) -> None:
    """Send the leaderboards of a game code now and after every change, or no longer."""
    leaderboards = context.leaderboards
    try:
        code = str(GameCode.parse(request.code))
    except InvalidGameCode as fault:
        reply.error(ErrorCode.BAD_CODE, str(fault))
        return
    if isinstance(request, ask.UnsubscribeLeaderboard):
        session.subscriptions.discard(code)
        leaderboards.unsubscribe(code, session)
        reply.send(say.Done(ref=request.ref))
        return
    is_new = code not in session.subscriptions
    if is_new and len(session.subscriptions) >= LEADERBOARD_SUBSCRIPTIONS:
        reply.error(ErrorCode.TOO_MANY_SUBSCRIPTIONS)
        return

    async def answer() -> None:
        try:
            reply.send(await leaderboards.read(code, request.ref))
        except StoreError:
            if is_new:
                session.subscriptions.discard(code)
                leaderboards.unsubscribe(code, session)
            reply.error(ErrorCode.STORE_UNAVAILABLE)
        session.release()

    session.subscriptions.add(code)
    leaderboards.subscribe(code, session)
    session.hold_requests()  # a later request may subscribe to the same code, or end the subscription
    session.spawn(answer())


def _read_in_room(
    session: Requester, reply: Reply, answer: Callable[[LiveRoom], Coroutine[Any, Any, None]]
) -> None:
    """Answer a member by reading; later requests wait, because reading may cost much or take long."""
    room = session.room
    if room is None:
        reply.error(ErrorCode.NOT_IN_ROOM)
        return

    async def work() -> None:
        try:
            await answer(room)
        except StoreError:
            reply.error(ErrorCode.STORE_UNAVAILABLE)
        session.release()

    session.hold_requests()
    session.spawn(work())
