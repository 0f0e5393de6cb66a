"""Leaderboards of each game code: projections of finished races, sent to those who subscribe."""

from collections.abc import Callable
from typing import Final, Protocol

from msgspec import Struct, msgpack

from protocol import limits
from protocol.from_server import FromServer, Leaderboard
from protocol.parts import LeaderboardKind, LeaderboardRow, LeaderboardTable, RacerState
from protocol.record import FinishedRace
from server.rooms.node_messages import LeaderboardChanged, to_bytes
from server.services.records import Records
from server.store import keys
from server.store.port import Keep, RankedMember, Store, StoreError
from server.tasks import repeat_every, report_exceptions

_KEEP: Final[dict[LeaderboardKind, Keep]] = {
    LeaderboardKind.TIME: "lowest",
    LeaderboardKind.SCORE: "highest",
    LeaderboardKind.MOVES: "lowest",
}

KEPT: Final = 5 * limits.LEADERBOARD_ROWS
"""Rows of each leaderboard that are kept."""

_PROJECTED_BY_MS: Final = 10_000
"""After this long, any node may project a finished race."""

_UNREADABLE_MS: Final = 60_000
"""Pause before a race that could not be read is tried again."""

_SWEEP_S: Final = 10.0


class LeaderboardSubscriber(Protocol):
    """What receives the leaderboards of a game code after every change."""

    def send(self, message: FromServer) -> None:
        """Send a message."""


class _Detail(Struct, frozen=True, array_like=True):
    name: str
    race_id: str


class Leaderboards:
    """Leaderboards by time, score and moves of won games, for each game code.

    They are kept for `keep_s` seconds after the last win with the code. `broadcast` sends a message to all
    other nodes.
    """

    def __init__(
        self, store: Store, records: Records, broadcast: Callable[[bytes], None], keep_s: int
    ) -> None:
        self._store = store
        self._keep_s = keep_s
        self._records = records
        self._broadcast = broadcast
        self._subscribers: dict[str, set[LeaderboardSubscriber]] = {}

    def subscribe(self, code: str, subscriber: LeaderboardSubscriber) -> None:
        """Send a code's leaderboards to a subscriber after every change."""
        self._subscribers.setdefault(code, set()).add(subscriber)

    def unsubscribe(self, code: str, subscriber: LeaderboardSubscriber) -> None:
        """Stop sending a code's leaderboards to a subscriber."""
        subscribers = self._subscribers.get(code, set())
        subscribers.discard(subscriber)
        if not subscribers:
            self._subscribers.pop(code, None)

    async def expect(self, room: str, number: int) -> None:
        """Put a race that is about to end on the schedule of projections. Raises StoreError."""
        due = await self._store.now_ms() + _PROJECTED_BY_MS
        await self._store.schedule(keys.projections_schedule(), f"{room}/{number}", due)

    async def project(self, room: str, number: int) -> FinishedRace | None:
        """Put a finished race on the leaderboards and return it; repeating it changes nothing."""
        record = await self._records.read(room, number)
        if record is not None and await self._post(record):
            self._broadcast(to_bytes(LeaderboardChanged(record.code)))
            await self.send(record.code)
        due = await self._store.now_ms() + _PROJECTED_BY_MS
        await self._store.unschedule(keys.projections_schedule(), f"{room}/{number}", due)
        return record

    async def run(self) -> None:
        """Project, until cancelled, the finished races that their own nodes did not project."""
        await repeat_every(self.sweep, _SWEEP_S)

    async def sweep(self) -> None:
        """Project the races that are due. Raises StoreError."""
        for item in await self._store.due(keys.projections_schedule(), await self._store.now_ms(), 100):
            with report_exceptions():
                await self._project_or_postpone(item)

    async def _project_or_postpone(self, item: str) -> None:
        """Project a race, or postpone it if it cannot be read, so that it does not block others."""
        room, _, number = item.partition("/")
        try:
            await self.project(room, int(number))
        except StoreError:
            raise
        except Exception:
            later = await self._store.now_ms() + _UNREADABLE_MS
            await self._store.schedule(keys.projections_schedule(), item, later)
            raise

    async def send(self, code: str) -> None:
        """Send a code's leaderboards to the subscribers here. Raises StoreError."""
        subscribers = self._subscribers.get(code)
        if subscribers:
            leaderboards = await self.read(code)
            for subscriber in tuple(subscribers):
                subscriber.send(leaderboards)

    async def read(self, code: str, ref: int = 0) -> Leaderboard:
        """Return the leaderboards of a code. Raises StoreError."""
        ranked = {
            kind: await self._store.top(keys.leaderboard(code, kind), limits.LEADERBOARD_ROWS, keep)
            for kind, keep in _KEEP.items()
        }
        return Leaderboard(
            ref=ref,
            code=code,
            leaderboards=[LeaderboardTable(kind, _rows(rows)) for kind, rows in ranked.items()],
        )

    async def _post(self, record: FinishedRace) -> bool:
        improved = False
        race_id = f"{record.room}/{record.race}"
        for result in record.results:
            if result.state is not RacerState.WON:
                continue
            detail = msgpack.encode(_Detail(result.name, race_id))
            values = {
                LeaderboardKind.TIME: result.reached_ms,
                LeaderboardKind.SCORE: result.score,
                LeaderboardKind.MOVES: result.moves,
            }
            for kind, keep in _KEEP.items():
                leaderboard = keys.leaderboard(record.code, kind)
                improved |= await self._store.post(
                    leaderboard, result.player, values[kind], keep, detail, max_rows=KEPT, ttl_s=self._keep_s
                )
        return improved


def _rows(ranked: list[RankedMember]) -> list[LeaderboardRow]:
    rows: list[LeaderboardRow] = []
    for place, item in enumerate(ranked, start=1):
        detail = msgpack.decode(item.detail, type=_Detail)
        tied = bool(rows) and rows[-1].value == item.value
        rank = rows[-1].rank if tied else place
        rows.append(LeaderboardRow(rank, item.member, detail.name, item.value, detail.race_id))
    return rows
