"""Listener: a port, the periodic checks of its connections, and their orderly shutdown."""

import asyncio
import contextlib
import logging
import ssl as tls
from collections.abc import Callable, Sequence

from server.transport.addresses import parse_networks
from server.transport.connection_registry import ConnectionRegistry
from server.transport.handshake import subprotocol_selector
from server.transport.limits import TransportLimits
from server.transport.opening import Opening
from server.transport.origin import OnRefusedOrigin, RefusedOrigins
from server.transport.ports import Accept, HttpHandler, OnError
from server.transport.settings import ListenerSettings
from server.transport.stats import TransportStats
from server.transport.sweep import Sweep
from server.transport.write_batch import WriteBatch

_logger = logging.getLogger("server.transport")
_BACKLOG = 2048
"""Length of the kernel's accept queue: holds clients that reconnect all at once after a restart."""
_ABORT_SECONDS = 1.0
"""Limit for the loss of aborted sockets, which the event loop usually reports in its next turn."""


class Listener:
    """One listening port and its connections."""

    def __init__(
        self, server: asyncio.Server, settings: ListenerSettings, registry: ConnectionRegistry
    ) -> None:
        self._server = server
        self._settings = settings
        self._registry = registry  # shared with every opening and connection of this port
        self._loop = asyncio.get_running_loop()
        host, port = server.sockets[0].getsockname()[:2]
        self.address: tuple[str, int] = (host, port)  # as bound: with the real port if 0 was asked for
        # `_check` calls `check_idle` of the connections that this sweep says are due.
        self._idle_sweep = Sweep(registry.connections, settings.limits.sweep_seconds, settings.clock())
        self._next_check = self._loop.call_later(settings.limits.check_interval_seconds, self._check)

    def stop_accepting(self) -> None:
        """Close the port; open connections stay open."""
        self._server.close()

    async def drain(self, code: int, reason: str, within: float) -> None:
        """Close the port and all connections with this code; abort those open after `within` seconds."""
        self.stop_accepting()
        self._registry.start_draining()
        for connection in tuple(self._registry.connections):
            connection.close(code, reason)
        for opening in tuple(self._registry.openings):
            opening.abort()
        try:
            async with asyncio.timeout(within):
                await self._registry.wait_empty()
        except TimeoutError:
            await self._abort_all()

    async def aclose(self) -> None:
        """Close the port and abort all connections."""
        self.stop_accepting()
        self._registry.start_draining()
        await self._abort_all()
        self._next_check.cancel()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_ABORT_SECONDS):
                await self._server.wait_closed()

    async def _abort_all(self) -> None:
        for connection in tuple(self._registry.connections):
            connection.abort()
        for opening in tuple(self._registry.openings):
            opening.abort()
        try:
            async with asyncio.timeout(_ABORT_SECONDS):
                await self._registry.wait_empty()
        except TimeoutError:
            _logger.warning(
                "%d connections still open %g s after abort", len(self._registry.connections), _ABORT_SECONDS
            )

    def _check(self) -> None:
        """Check the deadlines of openings and closes, and the idle connections whose turn it is."""
        self._next_check = self._loop.call_later(self._settings.limits.check_interval_seconds, self._check)
        now = self._settings.clock()
        for opening in tuple(self._registry.openings):
            opening.check_deadline(now)
        for connection in tuple(self._registry.closing):
            connection.check_close_deadline(now)
        for connection in self._idle_sweep.due(now):
            try:
                connection.check_idle(now)
            except Exception as error:  # one failing connection must not keep the others from being checked
                self._settings.on_error(error)
                connection.abort()


async def serve(
    accept: Accept,
    *,
    host: str | None,
    port: int,
    limits: TransportLimits,
    stats: TransportStats,
    http: HttpHandler,
    subprotocols: Sequence[str],
    origins: Sequence[str] | None,
    trusted_proxies: Sequence[str] = (),
    reuse_port: bool = False,
    ssl: tls.SSLContext | None = None,
    on_error: OnError | None = None,
    on_refused_origin: OnRefusedOrigin | None = None,
    clock: Callable[[], float] | None = None,
) -> Listener:
    """Listen for WebSocket connections and plain HTTP requests on one port.

    `origins` are the pages that may connect besides those of the server's own host, `*` for all; programs
    that send no Origin may always connect. `trusted_proxies` are the addresses or networks whose
    X-Forwarded-For is believed. `on_error` receives every exception raised by the application's callbacks;
    the default logs it with its traceback. `on_refused_origin` receives the origin and the Host of refused
    pages, once for each of the first hundred origins. Raises OSError if the port cannot be opened,
    ValueError for a malformed proxy address.
    """
    loop = asyncio.get_running_loop()
    settings = ListenerSettings(
        accept=accept,
        http=http,
        on_error=on_error or _log_error,
        on_refused_origin=RefusedOrigins(on_refused_origin or _log_refused_origin).add,
        limits=limits,
        stats=stats,
        select_subprotocol=subprotocol_selector(subprotocols),
        origins=tuple(origins or ()),
        trusted_proxies=parse_networks(trusted_proxies),
        clock=clock or loop.time,
    )
    registry = ConnectionRegistry(stats, limits)
    write_batch = WriteBatch(loop, settings.on_error)
    server = await loop.create_server(
        lambda: Opening(settings, registry, write_batch),
        host,
        port,
        backlog=_BACKLOG,
        reuse_port=reuse_port or None,
        ssl=ssl,
        ssl_handshake_timeout=limits.handshake_seconds if ssl else None,
        ssl_shutdown_timeout=limits.close_seconds if ssl else None,
    )
    return Listener(server, settings, registry)


def _log_error(error: Exception) -> None:
    _logger.error("an application callback failed", exc_info=error)


def _log_refused_origin(origin: str, host: str) -> None:
    _logger.info("refused a page of the origin %s; the request's Host is %s", origin, host)
