"""Records of finished races and boards of racers, read from the logs."""

from engine.code import GameCode
from engine.deal import deal
from protocol.parts import GameView, Ranking
from protocol.record import FORMAT, Entry, FinishedRace, RacerRecord
from server.core import events as ev
from server.core import play as plays
from server.store import keys
from server.store.clock_agreement import has_jumped
from server.store.port import Store


class Records:
    """Reads records and boards from the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def read(self, room: str, race: int) -> FinishedRace | None:
        """Return the record of a finished race; None if there is none. Raises StoreError."""
        ranking, started, ended = Ranking.TIME, None, None
        for entry in await self._store.read(keys.room_log(room)):
            match ev.from_bytes(entry):
                case ev.RoomOpened(settings=settings) | ev.Configured(settings=settings) if started is None:
                    ranking = settings.ranking
                case ev.RaceStarted() as event if event.race == race:
                    started = event
                case ev.RaceEnded() as event if event.race == race:
                    ended = event
                case _:
                    pass
        if started is None or ended is None:
            return None
        racers = [await self._racer(room, race, started.code, player) for player, _ in started.racers]
        return FinishedRace(
            format=FORMAT,
            room=room,
            race=race,
            code=started.code,
            ranking=ranking,
            started_at_ms=started.clock_ms,
            time_limit_ms=started.time_limit_ms,
            racers=racers,
            results=list(ended.results),
            clock_jumped=await has_jumped(self._store, started.clock_ms, ended.clock_ms),
        )

    async def board(self, room: str, race: int, code: str, player: str) -> GameView:
        """Return a racer's game as the store has it. Raises StoreError."""
        entries = await self._store.read(keys.game_log(room, race, player))
        return plays.load(deal(GameCode.parse(code)), race, entries).view()

    async def _racer(self, room: str, race: int, code: str, player: str) -> RacerRecord:
        entries = await self._store.read(keys.game_log(room, race, player))
        columns = plays.load(deal(GameCode.parse(code)), race, entries).game.board.columns_text()
        return RacerRecord(player, [_action(entry) for entry in entries if entry != plays.CLOSED], columns)


def _action(entry: bytes) -> Entry:
    stored = plays.decode(entry)
    if stored.cards == 0:
        return Entry(stored.at_ms, stored.kind)
    return Entry(stored.at_ms, stored.kind, stored.source, stored.target, stored.cards)
