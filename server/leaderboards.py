"""The leaderboards of each game code: projections of finished races, told to those who follow them."""

from collections.abc import Callable
from typing import Final, Protocol

from msgspec import Struct, msgpack

from protocol import limits
from protocol.from_server import FromServer, Leaderboard
from protocol.parts import RacerState, Row
from protocol.record import FinishedRace
from server.records import Records
from server.rooms.news import BoardChanged, to_bytes
from server.store import keys
from server.store.port import Keep, Ranked, Store, StoreTrouble
from server.tasks import repeat_every, report_exceptions

TIME: Final = "time"
SCORE: Final = "score"
MOVES: Final = "moves"
_KEEP: Final[dict[str, Keep]] = {TIME: "lowest", SCORE: "highest", MOVES: "lowest"}

KEPT: Final = 5 * limits.LEADERBOARD_ROWS
"""Lines of each leaderboard that are kept. Nothing takes a line off, so those that are shown would do."""

_PROJECTED_BY_MS: Final = 10_000
"""A finished race that is not on the boards after this is anybody's to put there."""

_UNREADABLE_MS: Final = 60_000
"""Pause before a race that could not be read is tried again."""

_SWEEP_S: Final = 10.0


class Follower(Protocol):
    """Somebody who looks at a leaderboard."""

    def tell(self, message: FromServer) -> None:
        """Send a message."""


class _Detail(Struct, frozen=True, array_like=True):
    name: str
    race: str


class Leaderboards:
    """Best time, best score and fewest moves of won games, for each game code.

    They are kept for `keep_s` seconds after the last win with the code.
    """

    def __init__(
        self, store: Store, records: Records, tell_nodes: Callable[[bytes], None], keep_s: int
    ) -> None:
        self._store = store
        self._keep_s = keep_s
        self._records = records
        self._tell_nodes = tell_nodes
        self._followers: dict[str, set[Follower]] = {}

    def follow(self, code: str, follower: Follower) -> None:
        """Tell somebody of every change of a code's leaderboards."""
        self._followers.setdefault(code, set()).add(follower)

    def unfollow(self, code: str, follower: Follower) -> None:
        """Tell somebody no more."""
        followers = self._followers.get(code, set())
        followers.discard(follower)
        if not followers:
            self._followers.pop(code, None)

    async def expect(self, room: str, number: int) -> None:
        """Put a race that is about to end on the agenda, so that its results reach the boards for sure."""
        due = await self._store.now_ms() + _PROJECTED_BY_MS
        await self._store.schedule(keys.projections_agenda(), f"{room}/{number}", due)

    async def project(self, room: str, number: int) -> FinishedRace | None:
        """Put a finished race on the leaderboards and return it; doing it again changes nothing."""
        record = await self._records.read(room, number)
        if record is not None and await self._post(record):
            self._tell_nodes(to_bytes(BoardChanged(record.code)))
            await self.announce(record.code)
        due = await self._store.now_ms() + _PROJECTED_BY_MS
        await self._store.unschedule(keys.projections_agenda(), f"{room}/{number}", due)
        return record

    async def run(self) -> None:
        """Write what another node, or this one before it stopped, did not come to; for ever."""
        await repeat_every(self.sweep, _SWEEP_S)

    async def sweep(self) -> None:
        """Write what is due to be written. Raises StoreTrouble."""
        for item in await self._store.due(keys.projections_agenda(), await self._store.now_ms(), 100):
            with report_exceptions():
                await self._project_or_later(item)

    async def _project_or_later(self, item: str) -> None:
        """Put a race off that cannot be read: the others behind it on the agenda must have their turn."""
        room, _, number = item.partition("/")
        try:
            await self.project(room, int(number))
        except StoreTrouble:
            raise
        except Exception:
            later = await self._store.now_ms() + _UNREADABLE_MS
            await self._store.schedule(keys.projections_agenda(), item, later)
            raise

    async def announce(self, code: str) -> None:
        """Tell the followers here how a code's leaderboards stand."""
        followers = self._followers.get(code)
        if followers:
            boards = await self.read(code)
            for follower in tuple(followers):
                follower.tell(boards)

    async def read(self, code: str, ref: int = 0) -> Leaderboard:
        """Return the leaderboards of a code. Raises StoreTrouble."""
        boards = {
            kind: await self._store.top(keys.board(code, kind), limits.LEADERBOARD_ROWS, keep)
            for kind, keep in _KEEP.items()
        }
        return Leaderboard(
            ref=ref,
            code=code,
            by_time=_rows(boards[TIME]),
            by_score=_rows(boards[SCORE]),
            by_moves=_rows(boards[MOVES]),
        )

    async def _post(self, record: FinishedRace) -> bool:
        improved = False
        race = f"{record.room}/{record.race}"
        for result in record.results:
            if result.state is not RacerState.WON:
                continue
            detail = msgpack.encode(_Detail(result.name, race))
            values = {TIME: result.reached, SCORE: result.score, MOVES: result.moves}
            for kind, keep in _KEEP.items():
                board = keys.board(record.code, kind)
                improved |= await self._store.post(
                    board, result.player, values[kind], keep, detail, most=KEPT, keep_s=self._keep_s
                )
        return improved


def _rows(ranked: list[Ranked]) -> list[Row]:
    rows: list[Row] = []
    for place, line in enumerate(ranked, start=1):
        detail = msgpack.decode(line.detail, type=_Detail)
        tied = bool(rows) and rows[-1].value == line.value
        rank = rows[-1].rank if tied else place
        rows.append(Row(rank, line.member, detail.name, line.value, detail.race))
    return rows
