"""A listening port, with the sweep over its connections and their orderly end."""

import asyncio
import contextlib
import logging
import ssl as tls
from collections.abc import Callable, Sequence

from server.transport.addresses import networks
from server.transport.api import Accept, AnswerHttp, OnError
from server.transport.cork import Cork
from server.transport.handshake import subprotocol_selector
from server.transport.limits import TransportLimits
from server.transport.opening import Opening
from server.transport.roster import Roster
from server.transport.rounds import Rounds
from server.transport.settings import Settings
from server.transport.stats import TransportStats

_logger = logging.getLogger("server.transport")
_BACKLOG = 2048
"""Clients that reconnect all at once, after a restart, wait in the kernel and not in a retry."""
_ABORT_SECONDS = 1.0
"""An aborted socket is reported lost in the next tick; past this something is badly wrong, and we go on."""


class Listener:
    """One port and everybody behind it."""

    def __init__(self, server: asyncio.Server, settings: Settings, roster: Roster) -> None:
        self._server = server
        self._settings = settings
        self._roster = roster
        self._loop = asyncio.get_running_loop()
        host, port = server.sockets[0].getsockname()[:2]
        self.address: tuple[str, int] = (host, port)
        self._rounds = Rounds(roster.connections, settings.limits.round_seconds, settings.clock())
        self._next_sweep = self._loop.call_later(settings.limits.sweep_seconds, self._sweep)

    def stop_accepting(self) -> None:
        """Close the port; who is connected stays."""
        self._server.close()

    async def drain(self, code: int, reason: str, within: float) -> None:
        """Close every connection with this code; abort those that have not answered in time."""
        self.stop_accepting()
        self._roster.draining = True
        for connection in tuple(self._roster.connections):
            connection.close(code, reason)
        for opening in tuple(self._roster.openings):
            opening.abort()
        try:
            async with asyncio.timeout(within):
                await self._roster.nobody.wait()
        except TimeoutError:
            await self._abort_all()

    async def aclose(self) -> None:
        """Close the port and abort whoever is left."""
        self.stop_accepting()
        self._roster.draining = True
        await self._abort_all()
        self._next_sweep.cancel()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_ABORT_SECONDS):
                await self._server.wait_closed()

    async def _abort_all(self) -> None:
        for connection in tuple(self._roster.connections):
            connection.abort()
        for opening in tuple(self._roster.openings):
            opening.abort()
        try:
            async with asyncio.timeout(_ABORT_SECONDS):
                await self._roster.nobody.wait()
        except TimeoutError:
            _logger.warning("%d connections survived their abort", len(self._roster.connections))

    def _sweep(self) -> None:
        self._next_sweep = self._loop.call_later(self._settings.limits.sweep_seconds, self._sweep)
        now = self._settings.clock()
        for opening in tuple(self._roster.openings):
            opening.look(now)
        for connection in tuple(self._roster.closing):
            connection.look_at_close(now)
        for connection in self._rounds.due(now):
            try:
                connection.look(now)
            except Exception as error:  # one that cannot be looked at must not hide the others
                self._settings.on_error(error)
                connection.abort()


async def serve(
    accept: Accept,
    *,
    host: str | None,
    port: int,
    limits: TransportLimits,
    stats: TransportStats,
    http: AnswerHttp,
    subprotocols: Sequence[str],
    origins: Sequence[str] | None,
    trusted_proxies: Sequence[str] = (),
    reuse_port: bool = False,
    ssl: tls.SSLContext | None = None,
    on_error: OnError | None = None,
    clock: Callable[[], float] | None = None,
) -> Listener:
    """Listen for WebSocket connections and plain HTTP requests on one port.

    `origins` are the pages that may connect beside those of our own host, `*` for all; programs that
    send no Origin always may. `trusted_proxies` are the addresses or networks whose X-Forwarded-For is
    believed. `on_error` gets every exception that the application's callbacks raise; the default logs it
    with its traceback. Raises OSError if the port cannot be had, ValueError for a bad proxy address.
    """
    loop = asyncio.get_running_loop()
    settings = Settings(
        accept=accept,
        http=http,
        on_error=on_error or _log_error,
        limits=limits,
        stats=stats,
        select_subprotocol=subprotocol_selector(subprotocols),
        origins=tuple(origins or ()),
        trusted_proxies=networks(trusted_proxies),
        clock=clock or loop.time,
    )
    roster = Roster(stats, limits)
    cork = Cork(loop, settings.on_error)
    server = await loop.create_server(
        lambda: Opening(settings, roster, cork),
        host,
        port,
        backlog=_BACKLOG,
        reuse_port=reuse_port or None,
        ssl=ssl,
        ssl_handshake_timeout=limits.handshake_seconds if ssl else None,
        ssl_shutdown_timeout=limits.close_seconds if ssl else None,
    )
    return Listener(server, settings, roster)


def _log_error(error: Exception) -> None:
    _logger.error("the application failed", exc_info=error)
