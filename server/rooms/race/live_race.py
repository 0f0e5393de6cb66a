"""The running race of a room on this node: the racers' games and the live standings."""

from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter
from typing import Final

from engine.code import GameCode
from engine.deal import deal
from engine.ranking import ranks_of
from protocol.from_client import AnyAction
from protocol.from_server import Accepted, Error, Refused, Standings
from protocol.parts import Ranking
from protocol.refusals import RefusalCode
from protocol.words import ENGLISH
from server.core.play import load
from server.core.room import Race, Room
from server.rooms.context import RoomContext
from server.rooms.node_messages import RacerProgress
from server.rooms.race.racer_game import RacerGame
from server.rooms.race.standings import progress_of
from server.rooms.race.standings_window import has_windows
from server.rooms.retry import retry_while_unavailable
from server.rooms.room_log import RoomLog
from server.rooms.subscriber import Subscriber

_BY_MERIT: Final = attrgetter("merit")


class LiveRace:
    """The games of one race. `subscribers` are the room's members on this node, by player.

    `request_standings` is called when the standings have changed, `rolled_back` with a racer whose log has
    become shorter and by how many actions. `has_windows` is whether subscribers get only a part of the rows.
    """

    __slots__ = (
        "_progressed",
        "_request_standings",
        "_rolled_back",
        "_standings",
        "_subscribers",
        "context",
        "deal",
        "games",
        "has_windows",
        "log",
        "number",
        "race",
        "room",
        "started_at_ms",
        "time_limit_ms",
    )

    def __init__(
        self,
        context: RoomContext,
        log: RoomLog,
        race: Race,
        subscribers: Mapping[str, Subscriber],
        *,
        request_standings: Callable[[], None],
        rolled_back: Callable[[str, int], None],
    ) -> None:
        self.context = context
        self.log = log
        self.race = race
        self.room = log.committed_state.code
        self.number = race.number
        self.started_at_ms = race.started_at_ms
        self.time_limit_ms = race.time_limit_ms
        self.deal = deal(GameCode.parse(race.code))
        self.games = {player: RacerGame(self, player) for player in race.racers}
        self.has_windows = has_windows(len(self.games))
        self._subscribers = subscribers
        self._request_standings = request_standings
        self._rolled_back = rolled_back
        self._progressed: dict[str, RacerGame] = {}  # games with committed actions that were not sent yet
        self._standings = [game.standing for game in self.games.values()]

    # Actions.

    def act(self, player: str, action: AnyAction) -> bool:
        """Carry out a racer's action now; return False if the player does not race."""
        game = self.games.get(player)
        if game is None:
            return False
        game.act(action, self.context.now_ms() - self.started_at_ms)
        return True

    def refuse(self, player: str, action: AnyAction, code: RefusalCode) -> bool:
        """Refuse a racer's action without deciding it; return False if the player does not race."""
        game = self.games.get(player)
        if game is None:
            return False
        game.refuse(action, self.context.now_ms() - self.started_at_ms, code)
        return True

    def answer_in_turn(self, player: str, answer: Refused | Error) -> bool:
        """Send an answer once the racer's earlier actions have theirs; return False for others."""
        game = self.games.get(player)
        if game is None:
            return False
        game.answer(answer)
        return True

    # Reading the racers' logs.

    async def load(self) -> None:
        """Read every racer's log, after a restart or when the room comes to this node."""
        for game in self.games.values():
            game.invalidate()
            await game.committed_play()

    def invalidate_all(self) -> None:
        """Read every game again before it goes on."""
        for game in self.games.values():
            game.invalidate()

    def invalidate_remote(self, room: Room) -> None:
        """Read the games of racers who are connected to other nodes again before they go on here."""
        for player, game in self.games.items():
            member = room.members.get(player)
            if member is not None and member.node != self.context.node:
                game.invalidate()

    def continue_as(self, race: Race) -> None:
        """Continue with the state that the room has of this race after a rollback."""
        self.race = race

    def abandon(self) -> None:
        """Stop sending: this race is no longer the room's."""
        self._subscribers = {}

    def report(self, rows: tuple[RacerProgress, ...], *, rolled_back: bool = False) -> None:
        """Apply the progress that another node reports; with `rolled_back`, even if it is less."""
        for progress in rows:
            game = self.games.get(progress.player)
            if game is not None and progress.player not in self._subscribers:
                if rolled_back:
                    game.standing.replace(progress)
                else:
                    game.standing.report(progress)
        self._request_standings()

    async def read_again(self) -> None:
        """Read the progress of racers on other nodes, whose messages may be lost.

        Also compare the length of the logs of racers on this node with what was committed.
        """
        store = self.context.store
        for player, game in self.games.items():
            known = game.measure().n
            if player in self._subscribers:
                length = await retry_while_unavailable(partial(store.length, game.log))
            else:
                entries = await retry_while_unavailable(partial(store.read, game.log))
                play = load(self.deal, self.number, entries)
                game.standing.report(progress_of(player, play))
                length = play.n
            if length < known:
                game.invalidate()
                await game.committed_play()  # this reports what is lost
        self._request_standings()

    # What a racer's game calls.

    def accepted(self, player: str, answer: Accepted) -> None:
        """Send the answer of an action that was committed, and request new standings."""
        self.context.counters.actions["accepted"] += 1
        if not self._progressed:  # otherwise they have been requested
            self._request_standings()
        self._progressed[player] = self.games[player]
        subscriber = self._subscribers.get(player)
        if subscriber is not None:
            subscriber.send(answer)

    def refused(self, player: str, answer: Refused) -> None:
        """Send the answer of an action that was refused."""
        self.context.counters.actions["refused"] += 1
        self.answer(player, answer)

    def repeated(self, player: str, n: int) -> None:
        """Charge for an action that was sent again: its answer needs a replay of all actions before it."""
        self.context.counters.actions["repeated"] += 1
        subscriber = self._subscribers.get(player)
        if subscriber is not None:
            subscriber.charge(n)

    def answer(self, player: str, answer: Accepted | Refused | Error) -> None:
        """Send an answer to a racer who is connected here."""
        subscriber = self._subscribers.get(player)
        if subscriber is not None:
            subscriber.send(answer)

    def failed(self, player: str) -> None:
        """End a racer's connection here, because the game cannot be read."""
        subscriber = self._subscribers.get(player)
        if subscriber is not None:
            subscriber.failed()

    def overran(self, player: str) -> None:
        """End the connection here of a racer who sends more than may wait."""
        subscriber = self._subscribers.get(player)
        if subscriber is not None:
            subscriber.overran()

    def language(self, player: str) -> str:
        """Return the language of a racer's texts."""
        subscriber = self._subscribers.get(player)
        return ENGLISH if subscriber is None else subscriber.lang

    def rolled_back(self, player: str, actions: int) -> None:
        """Report that the store has lost that many committed actions of a racer."""
        self._rolled_back(player, actions)

    # Standings.

    def idle_since_ms(self) -> dict[str, int]:
        """Return when each racer acted last, on the clock that all servers share."""
        start = self.started_at_ms
        return {player: start + game.standing.progress.at_ms for player, game in self.games.items()}

    def take_progress(self) -> tuple[RacerProgress, ...]:
        """Return the progress of the racers whose actions were committed here since the last call."""
        games, self._progressed = self._progressed, {}
        return tuple([game.measure() for game in games.values()])

    def standings(self, ranking: Ranking) -> Standings:
        """Return the live standings, best first."""
        mode = ranking.mode
        for standing in self._standings:
            if standing.weighed is not standing.progress:
                standing.weigh(mode)
        best_first = sorted(self._standings, key=_BY_MERIT)
        ranks = ranks_of([standing.merit for standing in best_first])
        rows = [standing.row(rank) for standing, rank in zip(best_first, ranks, strict=True)]
        elapsed_ms = max(0, self.context.now_ms() - self.started_at_ms)
        return Standings(race=self.number, elapsed_ms=elapsed_ms, rows=rows)
