"""Dispatch of requests: which handler answers which request."""

from functools import partial
from typing import assert_never

from protocol import from_client as ask
from protocol import from_server as say
from protocol.errors import ErrorCode
from protocol.from_client import FromClient
from protocol.limits import ROOM_EVENT_COST
from server.sessions import join, queries
from server.sessions.context import SessionContext
from server.sessions.ports import Requester
from server.sessions.replies import Reply


def dispatch(context: SessionContext, session: Requester, message: FromClient, reply: Reply) -> None:
    """Call the handler of a request. Raises AssertionError for an action: it has no reply.

    `create` and `join` send a snapshot, which no answer to an earlier request may follow: so they begin once
    all earlier requests have been answered.
    """
    match message:
        case ask.Hello():
            join.hello(context, session, message, reply)
        case ask.Ping():
            reply.send(say.Pong(ref=message.ref, clock_ms=context.now_ms()))
        case _ if not session.player:
            reply.error(ErrorCode.HELLO_REQUIRED)
        case ask.Create():
            session.when_next(reply, partial(join.create, context, session, message, reply))
        case ask.Join():
            session.when_next(reply, partial(join.join, context, session, message, reply))
        case ask.Leave():
            join.leave(session, message, reply)
        case (
            ask.Ready()
            | ask.StartCountdown()
            | ask.CancelCountdown()
            | ask.Configure()
            | ask.Lock()
            | ask.Kick()
            | ask.Chat()
        ):
            session.take_tokens(ROOM_EVENT_COST - 1)
            queries.room_request(session, message, reply)
        case ask.GetGame():
            queries.get_game(session, message, reply)
        case ask.GetBoard():
            queries.get_board(context, session, message, reply)
        case ask.GetRecord():
            queries.get_record(context, session, message, reply)
        case ask.SubscribeLeaderboard() | ask.UnsubscribeLeaderboard():
            queries.leaderboard(context, session, message, reply)
        case ask.Move() | ask.AutoMove() | ask.Undo() | ask.Restart() | ask.Forfeit():
            raise AssertionError("an action has no reply")
        case _:
            assert_never(message)
