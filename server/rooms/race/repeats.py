"""An action that is sent again gets the answer that it had, even when its race is over."""

from engine.board import Board
from protocol.from_client import AnyAction
from protocol.from_server import Accepted
from server.core import play as plays
from server.rooms.retry import patiently
from server.store.port import Store


async def remembered_answer(store: Store, log: str, deal: Board, action: AnyAction) -> Accepted | None:
    """Return the answer of an action from the racer's log; None if the log has no such action there."""
    entries = (await patiently(lambda: store.read(log)))[: action.n]
    if len(entries) < action.n or entries[-1] == plays.CLOSED:
        return None
    if not plays.is_same(plays.decode(entries[-1]), action):
        return None
    return plays.load(deal, action.race, entries[:-1]).repeat(entries[-1]).answer
