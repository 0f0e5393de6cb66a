"""Answers to actions of races that are not running: a client sends them again when it got no answer."""

from collections import Counter
from collections.abc import Callable, Mapping

from engine.code import GameCode
from engine.deal import deal
from protocol.from_client import AnyAction
from protocol.from_server import Error, Refused
from protocol.refusals import RefusalCode
from server.core.room import Room
from server.rooms.context import RoomContext
from server.rooms.race.racer_game import MAX_WAITING
from server.rooms.race.repeats import stored_answer
from server.rooms.subscriber import Subscriber
from server.store import keys


class EarlierRaces:
    """The earlier races of one room. `subscribers` are the members on this node, by player.

    `answer_in_turn` sends an answer to a player once the earlier actions of the running race have theirs. An
    answer that must be read from the store does not wait for them.
    """

    __slots__ = ("_answer_in_turn", "_context", "_subscribers", "_waiting")

    def __init__(
        self,
        context: RoomContext,
        subscribers: Mapping[str, Subscriber],
        answer_in_turn: Callable[[str, Refused | Error], None],
    ) -> None:
        self._context = context
        self._answer_in_turn = answer_in_turn
        self._subscribers = subscribers
        self._waiting: Counter[str] = Counter()  # actions of each player whose log is being read

    def answer(self, room: Room, player: str, action: AnyAction) -> None:
        """Repeat the answer that an accepted action got, or refuse the action; it is never carried out."""
        subscriber = self._subscribers.get(player)
        code = room.race_codes.get(action.race)
        if code is None:
            future = action.race > room.races
            if subscriber is not None:
                reason = RefusalCode.WRONG_RACE if future else RefusalCode.RACE_FORGOTTEN
                self._answer_in_turn(player, _refusal(subscriber, action, reason))
            return
        if subscriber is not None:
            subscriber.charge(action.n)
        if self._waiting[player] < MAX_WAITING:
            self._waiting[player] += 1
            self._context.spawn(self._answer(room.code, code, player, action))
        elif subscriber is not None:
            subscriber.overran()

    async def _answer(self, room: str, code: str, player: str, action: AnyAction) -> None:
        log = keys.game_log(room, action.race, player)
        board = deal(GameCode.parse(code))
        try:
            answer = await stored_answer(self._context.store, log, board, action)
        finally:
            self._waiting -= Counter([player])
        subscriber = self._subscribers.get(player)
        if subscriber is not None:
            subscriber.send(answer or _refusal(subscriber, action, RefusalCode.WRONG_RACE))


def _refusal(subscriber: Subscriber, action: AnyAction, code: RefusalCode) -> Refused:
    return Refused(race=action.race, n=action.n, expected=0, code=code, text=code.text(subscriber.lang))
