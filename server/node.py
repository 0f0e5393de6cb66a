"""Composition root of one server process: it builds the parts, reports readiness, and drains."""

import asyncio
import contextlib
import secrets
import time
from dataclasses import asdict
from typing import Any, Final, assert_never

from protocol import from_server as say
from protocol.close_codes import CloseCode
from protocol.limits import PASSWORD_TRIES, PASSWORD_TRIES_PER_MINUTE, PLAYERS_BURST, ROOMS_BURST
from protocol.notices import NoticeCode
from protocol.version import SUBPROTOCOLS
from server.config import Config
from server.core.rules import Rules
from server.core.token_bucket import Quota
from server.http import HttpRoutes
from server.metrics import Metrics, Sources
from server.rooms.context import RoomContext
from server.rooms.counters import RoomCounters
from server.rooms.node_messages import LeaderboardChanged, RaceProgressed, RoomLogGrew, from_bytes
from server.rooms.registry import RoomRegistry
from server.services.cluster import Cluster
from server.services.deals.source import DealSource
from server.services.finished_races import FinishedRaces
from server.services.identity import Identities
from server.services.leaderboards import Leaderboards
from server.services.records import Records
from server.sessions.context import SessionContext, SessionLimits
from server.sessions.session import Session
from server.store import keys
from server.store.journal import Journal, JournalClosed
from server.store.port import Store, StoreError
from server.tasks import Tasks, repeat_every
from server.transport import Connection, Listener, TransportLimits, TransportStats, serve

VERSION: Final = "0.1.0"
PROGRAM: Final = f"simon-race/{VERSION}"

CLOCK_S: Final = 2.0
"""Interval in which the store's clock is read while there are no commits."""

INBOX_SILENCE_S: Final = 5.0
"""After this long without a message at the inbox, the node is not ready."""

BATCH_PAUSE_S: Final = 0.004
"""Least interval between two batches of commits. Nobody notices it; a move costs the store a third less."""

LONG_BATCH_PAUSE_S: Final = 0.02
"""The interval while few moves wait, when each further move in a batch makes all of them cheaper.

Nobody notices 20 ms, and a move costs the server a tenth less than with 10 ms.
"""

SPREAD_S: Final = 2.5
"""When the node drains, clients are asked to reconnect after a random delay of at most this.

With the connection and the join they are back within three seconds.
"""

_UNIDENTIFIED_S: Final = 1.0
_COMMITS_S: Final = 2.0
_LEAVE_S: Final = 1.0


class Node:
    """A running server process; create it with `start` and drain it with `stop`."""

    def __init__(self, config: Config, store: Store, log: Any, rules: Rules) -> None:
        self.id = secrets.token_hex(6)
        self.config = config
        self.store = store
        self.stats = TransportStats()
        self.counters = RoomCounters()
        self.metrics = Metrics()
        self._log = log
        self.journal = Journal(
            store,
            on_unavailable=self._on_store,
            on_batch=self.metrics.on_batch,
            pause=BATCH_PAUSE_S,
            long_pause=LONG_BATCH_PAUSE_S,
        )
        self.tasks = Tasks(self._on_fault)
        self.deals = DealSource()
        self._cluster = Cluster(store, self.journal, self.id)
        records = Records(store)
        forget_s = int(config.forget_players_days * 86_400)
        leaderboards = Leaderboards(store, records, self._cluster.broadcast, forget_s)
        context = RoomContext(
            self.id,
            store,
            self.journal,
            rules,
            self.counters,
            self.deals,
            self.journal.now_ms,
            self.tasks.spawn,
            FinishedRaces(leaderboards, log),
            self._cluster.dead,
            log,
        )
        keep_ms = int(config.keep_rooms_hours * 3_600_000)
        self.rooms = RoomRegistry(context, secrets.randbelow, max_rooms=config.max_rooms, keep_ms=keep_ms)
        session_limits = SessionLimits(
            config.messages_per_second,
            config.message_burst,
            rooms_per_hour=config.rooms_per_hour,
            # A third of an hour's rooms or players at once: the ratio of the protocol's limits.
            rooms_burst=max(ROOMS_BURST, config.rooms_per_hour / 3),
            players_per_hour=config.players_per_hour,
            # At least one player for each connection, because all may be new.
            players_burst=max(PLAYERS_BURST, config.players_per_hour / 3, config.connections_per_address),
        )
        self.sessions = SessionContext(
            self.id,
            PROGRAM,
            self.rooms,
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
        self._inbox = store.subscribe(keys.inbox(self.id), self._receive, self.rooms.read_again)

    @classmethod
    async def start(cls, config: Config, store: Store, log: Any, rules: Rules | None = None) -> "Node":
        """Create a node on a store and listen. Raises OSError or MetricsUnavailable for the ports."""
        node = cls(config, store, log, rules or Rules())
        try:
            await node._start()
        except BaseException:
            await node.aclose()
            raise
        return node

    @property
    def address(self) -> tuple[str, int]:
        """Host and port that the node listens on."""
        if self._listener is None:
            raise AssertionError("the node is not started")
        return self._listener.address

    def not_ready(self) -> str | None:
        """Return why the node takes no new connections, or None."""
        if self.sessions.draining:
            return "draining"
        if self.journal.unavailable_since is not None:
            return f"the store is unavailable: {self.journal.error}"
        if self._inbox.probe_age_s() > INBOX_SILENCE_S:
            return "no messages arrive at this node's inbox"
        return None

    async def stop(self) -> None:
        """Drain: finish commits, ask clients to reconnect, and close everything."""
        listener = self._listener
        self.sessions.stop_serving()
        if listener is not None:
            listener.stop_accepting()
            await self._finish_commits()
            for session in tuple(self.sessions.sessions):
                code = NoticeCode.RESTARTING
                pause_ms = secrets.randbelow(int(SPREAD_S * 1000))
                session.send(say.Notice(code=code, text=code.text(session.lang), retry_in_ms=pause_ms))
            reason = CloseCode.RESTART.sentence
            await listener.drain(CloseCode.RESTART, reason, self.config.drain_seconds)
            await self._finish_commits()
            with contextlib.suppress(StoreError, TimeoutError):
                async with asyncio.timeout(_LEAVE_S):
                    await self._cluster.leave()
        await self.aclose()

    async def aclose(self) -> None:
        """Close everything at once."""
        if self._listener is not None:
            await self._listener.aclose()
        self.rooms.close()
        await self.tasks.aclose()
        await self._inbox.aclose()
        await self.journal.aclose()
        await self.deals.aclose()
        await asyncio.to_thread(self.metrics.close)

    async def _start(self) -> None:
        config = self.config
        await self.journal.start()
        await self._cluster.beat()
        await self._inbox.subscribed()
        self._listener = await serve(
            self._accept,
            host=config.host,
            port=config.port,
            limits=TransportLimits(
                max_connections=config.max_connections,
                connections_per_address=config.connections_per_address,
            ),
            stats=self.stats,
            http=HttpRoutes(PROGRAM, self.not_ready, asdict(self.sessions.limits)),
            subprotocols=SUBPROTOCOLS,
            origins=config.origins,
            trusted_proxies=config.trusted_proxies,
            reuse_port=config.worker_of is not None,
            on_error=self._on_fault,
            on_refused_origin=self._on_refused_origin,
        )
        if config.metrics_port is not None:
            self.metrics.serve(config.metrics_host, config.metrics_port)
        self.metrics.read_from(
            Sources(
                VERSION,
                self.stats,
                self.counters,
                self.journal,
                self.sessions.programs.hellos,
                self._inbox.probe_age_s,
                lambda: len(self.sessions.sessions),
            )
        )
        for work in (
            self.rooms.run(),
            self.sessions.leaderboards.run(),
            self.metrics.watch_loop(),
            self._cluster.run(),
            repeat_every(self.journal.sync, CLOCK_S),  # follow the store's clock while there are no commits
            repeat_every(self._close_unidentified, _UNIDENTIFIED_S),
        ):
            self.tasks.spawn(work)

    def _accept(self, connection: Connection) -> Session:
        return Session(self.sessions, connection)

    def _receive(self, payload: bytes) -> None:
        """Handle a message of another node."""
        message = from_bytes(payload)
        match message:
            case LeaderboardChanged():
                self.tasks.spawn(self._send_leaderboards(message.code))
            case RoomLogGrew() | RaceProgressed():
                self.rooms.receive(message)
            case _:
                assert_never(message)

    async def _send_leaderboards(self, code: str) -> None:
        with contextlib.suppress(StoreError):  # subscribers get the next change
            await self.sessions.leaderboards.send(code)

    async def _close_unidentified(self) -> None:
        """Close connections that have not sent `hello` in time."""
        latest = time.monotonic() - self.sessions.limits.hello_seconds
        for session in tuple(self.sessions.unidentified):
            if session.opened_at < latest:
                session.close(CloseCode.HELLO_TIMEOUT)

    async def _finish_commits(self) -> None:
        # Commits that are not finished in time are lost with the connections; nobody got an answer to them.
        with contextlib.suppress(TimeoutError, JournalClosed):
            async with asyncio.timeout(_COMMITS_S):
                await self.journal.drain()

    def _on_store(self, unavailable: bool) -> None:
        code = NoticeCode.STORE_UNAVAILABLE if unavailable else NoticeCode.STORE_AVAILABLE
        error = self.journal.error
        self._log.warning("store unavailable" if unavailable else "store available", trouble=error)
        for session in tuple(self.sessions.sessions):
            session.send(say.Notice(code=code, text=code.text(session.lang)))

    def _on_refused_origin(self, origin: str, host: str) -> None:
        self._log.info(
            "refused a page of another origin: allow it with SIMONRACE_ORIGINS, or let the proxy keep Host",
            origin=origin,
            host=host,
        )

    def _on_fault(self, fault: BaseException) -> None:
        self._log.error("fault", exc_info=fault)
