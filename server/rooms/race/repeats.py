"""Answers to actions that are sent again, also after the end of their race."""

from engine.board import Board
from protocol.from_client import AnyAction
from protocol.from_server import Accepted
from server.core import play as plays
from server.rooms.retry import retry_while_unavailable
from server.store.port import Store


async def stored_answer(store: Store, log: str, deal: Board, action: AnyAction) -> Accepted | None:
    """Return the answer that an action got, by replaying the log; None if the log has no such action."""
    entries = (await retry_while_unavailable(lambda: store.read(log)))[: action.n]
    if len(entries) < action.n or entries[-1] == plays.CLOSED:
        return None
    if not plays.is_same(plays.decode(entries[-1]), action):
        return None
    return plays.load(deal, action.race, entries[:-1]).repeat(entries[-1]).answer
