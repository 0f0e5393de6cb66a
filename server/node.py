"""One server process, put together: the composition root, its readiness, and how it stops."""

import asyncio
import contextlib
import secrets
import time
from dataclasses import asdict
from typing import Any, Final, assert_never

from protocol import from_server as say
from protocol.closes import CloseCode
from protocol.limits import PASSWORD_TRIES, PASSWORD_TRIES_PER_MINUTE, PLAYERS_BURST, ROOMS_BURST
from protocol.notices import NoticeCode
from protocol.version import SUBPROTOCOLS
from server.aftermath import Aftermath
from server.config import Config
from server.core.limits import Quota
from server.core.rules import Rules
from server.deals import Dealer
from server.identity import Identities
from server.leaderboards import Leaderboards
from server.metrics import Metrics, Sources
from server.peers import Peers
from server.records import Records
from server.rooms.context import Context
from server.rooms.counts import Counts
from server.rooms.hall import Hall
from server.rooms.news import BoardChanged, RacersWent, RoomGrew, from_bytes
from server.sessions.lounge import Lounge, SessionLimits
from server.sessions.session import Session
from server.store import keys
from server.store.journal import Journal, JournalClosed
from server.store.port import Store, StoreTrouble
from server.tasks import Tasks, repeat_every
from server.transport import Connection, Listener, TransportLimits, TransportStats, serve
from server.web import Web

VERSION: Final = "0.1.0"
PROGRAM: Final = f"simon-race/{VERSION}"

CLOCK_S: Final = 2.0
DEAF_S: Final = 5.0
BATCH_PAUSE_S: Final = 0.004
"""Least time between two batches of commits: nobody sees it, and a move costs the store a third less."""

LONG_BATCH_PAUSE_S: Final = 0.02
"""The same while some moves wait, but not many: then a move more in the batch makes all of them cheaper.

Nobody sees a fiftieth of a second, and a move costs the server a tenth less than with half of it.
"""

SPREAD_S: Final = 3.0
"""Clients are asked to come back after a random time up to this, so that they do not come all at once."""

_SILENT_S: Final = 1.0
_COMMITS_S: Final = 2.0
_LEAVE_S: Final = 1.0


class Node:
    """A running server. Made by `start`; `stop` drains it."""

    def __init__(self, config: Config, store: Store, log: Any, rules: Rules) -> None:
        self.id = secrets.token_hex(6)
        self.config = config
        self.store = store
        self.stats = TransportStats()
        self.counts = Counts()
        self.metrics = Metrics()
        self._log = log
        self.journal = Journal(
            store,
            on_state=self._on_store,
            on_batch=self.metrics.on_batch,
            pause=BATCH_PAUSE_S,
            long_pause=LONG_BATCH_PAUSE_S,
        )
        self.tasks = Tasks(self._on_fault)
        self.dealer = Dealer()
        self._peers = Peers(store, self.journal, self.id)
        records = Records(store)
        forget_s = int(config.forget_players_days * 86_400)
        leaderboards = Leaderboards(store, records, self._peers.tell, forget_s)
        context = Context(
            self.id,
            store,
            self.journal,
            rules,
            self.counts,
            self.dealer,
            self.journal.now_ms,
            self.tasks.spawn,
            Aftermath(leaderboards, log),
            self._peers.dead,
            log,
        )
        keep_ms = int(config.keep_rooms_hours * 3_600_000)
        self.hall = Hall(context, secrets.randbelow, most_rooms=config.max_rooms, keep_ms=keep_ms)
        session_limits = SessionLimits(
            config.messages_per_second,
            config.message_burst,
            rooms_per_hour=config.rooms_per_hour,
            # A third of an hour's rooms and players at once, as the protocol's numbers have it.
            rooms_burst=max(ROOMS_BURST, config.rooms_per_hour / 3),
            players_per_hour=config.players_per_hour,
            # And no fewer players than connections: they may all be new.
            players_burst=max(PLAYERS_BURST, config.players_per_hour / 3, config.connections_per_address),
        )
        self.lounge = Lounge(
            self.id,
            PROGRAM,
            self.hall,
            Identities(store, self.journal, forget_s),
            leaderboards,
            records,
            session_limits,
            self.journal.now_ms,
            time.monotonic,
            self.tasks.spawn,
            Quota(session_limits.rooms_per_hour / 3600, session_limits.rooms_burst),
            Quota(session_limits.players_per_hour / 3600, session_limits.players_burst),
            Quota(PASSWORD_TRIES_PER_MINUTE / 60, PASSWORD_TRIES),
            log,
        )
        self._listener: Listener | None = None
        self._inbox = store.listen(keys.inbox(self.id), self._heard, self.hall.missed)

    @classmethod
    async def start(cls, config: Config, store: Store, log: Any, rules: Rules | None = None) -> "Node":
        """Make a node on a store and let it listen. Raises OSError or MetricsUnavailable for the ports."""
        node = cls(config, store, log, rules or Rules())
        try:
            await node._start()
        except BaseException:
            await node.aclose()
            raise
        return node

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens."""
        if self._listener is None:
            raise AssertionError("a node listens once it is started")
        return self._listener.address

    def not_ready(self) -> str | None:
        """Say why no new connections should come here, or None."""
        if self.lounge.draining:
            return "draining"
        if self.journal.away_since is not None:
            return f"the store is away: {self.journal.trouble}"
        if self._inbox.silence() > DEAF_S:
            return "the own inbox is not heard"
        return None

    async def stop(self) -> None:
        """Drain: finish commits, ask everybody to come back elsewhere, and let go of everything."""
        listener, self.lounge.draining = self._listener, True
        if listener is not None:
            listener.stop_accepting()
            await self._finish_commits()
            for session in tuple(self.lounge.sessions):
                code = NoticeCode.RESTARTING
                pause = secrets.randbelow(int(SPREAD_S * 1000)) / 1000
                session.tell(say.Notice(code=code, text=code.text(session.lang), seconds=pause))
            reason = CloseCode.RESTART.sentence
            await listener.drain(CloseCode.RESTART, reason, self.config.drain_seconds)
            await self._finish_commits()
            with contextlib.suppress(StoreTrouble, TimeoutError):
                async with asyncio.timeout(_LEAVE_S):
                    await self._peers.leave()
        await self.aclose()

    async def aclose(self) -> None:
        """Let go of everything at once."""
        if self._listener is not None:
            await self._listener.aclose()
        self.hall.close()
        await self.tasks.aclose()
        await self._inbox.aclose()
        await self.journal.aclose()
        await self.dealer.aclose()
        await asyncio.to_thread(self.metrics.close)

    async def _start(self) -> None:
        config = self.config
        await self.journal.start()
        await self._peers.beat()
        await self._inbox.opened()
        self._listener = await serve(
            self._accept,
            host=config.host,
            port=config.port,
            limits=TransportLimits(
                max_connections=config.max_connections,
                connections_per_address=config.connections_per_address,
            ),
            stats=self.stats,
            http=Web(PROGRAM, self.not_ready, asdict(self.lounge.limits)),
            subprotocols=SUBPROTOCOLS,
            origins=config.origins,
            trusted_proxies=config.trusted_proxies,
            reuse_port=config.worker_of is not None,
            on_error=self._on_fault,
        )
        if config.metrics_port is not None:
            self.metrics.serve(config.metrics_host, config.metrics_port)
        self.metrics.read_from(
            Sources(
                VERSION,
                self.stats,
                self.counts,
                self.journal,
                self.lounge.programs.hellos,
                self._inbox.silence,
                lambda: len(self.lounge.sessions),
            )
        )
        for work in (
            self.hall.run(),
            self.lounge.leaderboards.run(),
            self.metrics.watch_loop(),
            self._peers.run(),
            repeat_every(self.journal.sync, CLOCK_S),  # near the store's clock when there are no commits
            repeat_every(self._close_silent, _SILENT_S),
        ):
            self.tasks.spawn(work)

    def _accept(self, connection: Connection) -> Session:
        return Session(self.lounge, connection)

    def _heard(self, payload: bytes) -> None:
        """Take what another node says."""
        news = from_bytes(payload)
        match news:
            case BoardChanged():
                self.tasks.spawn(self._announce(news.code))
            case RoomGrew() | RacersWent():
                self.hall.heard(news)
            case _:
                assert_never(news)

    async def _announce(self, code: str) -> None:
        with contextlib.suppress(StoreTrouble):  # whoever follows will be told of the next change
            await self.lounge.leaderboards.announce(code)

    async def _close_silent(self) -> None:
        """Close connections that have not said hello in time."""
        latest = time.monotonic() - self.lounge.limits.hello_seconds
        for session in tuple(self.lounge.strangers):
            if session.opened_at < latest:
                session.close(CloseCode.HELLO_TIMEOUT)

    async def _finish_commits(self) -> None:
        with contextlib.suppress(TimeoutError, JournalClosed):  # there is no more to finish than that
            async with asyncio.timeout(_COMMITS_S):
                await self.journal.drain()

    def _on_store(self, away: bool) -> None:
        code = NoticeCode.STORE_AWAY if away else NoticeCode.STORE_BACK
        self._log.warning("store away" if away else "store back", trouble=self.journal.trouble)
        for session in tuple(self.lounge.sessions):
            session.tell(say.Notice(code=code, text=code.text(session.lang)))

    def _on_fault(self, fault: BaseException) -> None:
        self._log.error("fault", exc_info=fault)
