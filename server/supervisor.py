"""Supervisor of a server: starts the private store if needed, then one node or several workers."""

import asyncio
import contextlib
import errno
import os
import signal
from typing import Any, Final

import click

from server import logs
from server.config import Config
from server.metrics import MetricsUnavailable
from server.node import VERSION, Node
from server.open_files import prepare_open_files
from server.reach import report_reach
from server.store.embedded import EmbeddedRedis
from server.store.embedded.setup import EmbeddedError
from server.store.redis.cluster import open_store
from server.store.redis.store import RedisStore
from server.workers import Workers, shared_port

_REVIVE_S: Final = 0.2
"""Interval of checking that the private store runs."""

_NOT_YET_S: Final = 1.0
"""Further pause after the private store did not start."""

_ORPHAN_S: Final = 0.5
"""Interval in which a worker checks that its supervisor runs."""


class StartError(Exception):
    """The server cannot start. The message says why and what to do."""


async def run(config: Config) -> None:
    """Serve until SIGTERM or SIGINT.

    Raises StartError, EmbeddedError, StoreUnavailable or StoreRefused, each with a message for people.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stopped.set)
    log = logs.get()
    if config.worker_of is None:  # workers inherit the limit
        prepare_open_files(config.max_connections, log)
    if config.redis is not None:
        await _with_store(config, config.redis, stopped, log)
        return
    embedded = await asyncio.to_thread(EmbeddedRedis.start, config.data)
    folder = str(config.data.absolute())
    log.info("started a private store (append-only, synced at every write)", folder=folder)
    keeper = asyncio.create_task(keep_alive(embedded, log))
    try:
        await _with_store(config, embedded.url, stopped, log)
    finally:
        keeper.cancel()
        await asyncio.wait([keeper])
        await asyncio.to_thread(embedded.stop)


async def _with_store(config: Config, url: str, stopped: asyncio.Event, log: Any) -> None:
    store = await open_store(url, config.redis_prefix)
    try:
        if not store.durable:
            log.warning("the store has no append-only file: acknowledged moves are lost if it stops")
        try:
            if config.workers > 1:
                await _serve_by_workers(config, url, stopped, log)
            else:
                await _serve(config, store, stopped, log)
        except OSError as fault:
            raise _port_refused(fault, f"{config.host}:{config.port}", "--host and --port") from None
        except MetricsUnavailable as fault:
            where = f"{config.metrics_host}:{config.metrics_port}"
            raise _port_refused(fault.__cause__, where, "--metrics-host and --metrics-port") from None
    finally:
        await store.aclose()


def _port_refused(fault: BaseException | None, where: str, options: str) -> StartError:
    number = fault.errno if isinstance(fault, OSError) else None
    known = number in errno.errorcode  # errors of name resolution have other numbers
    reason = os.strerror(number) if number and known else getattr(fault, "strerror", None) or fault
    return StartError(f"Cannot listen on {where}: {reason}. Choose another address with {options}.")


async def _serve(config: Config, store: RedisStore, stopped: asyncio.Event, log: Any) -> None:
    node = await Node.start(config, store, log)
    if config.worker_of is not None:
        node.tasks.spawn(_stop_with(config.worker_of, stopped))
    _announce(*node.address)
    if config.worker_of is None:
        report_reach(config.host, log)
    log.info("ready", node=node.id, version=VERSION)
    await stopped.wait()
    log.info("draining", connections=node.stats.open)
    await node.stop()
    log.info("stopped")


async def _serve_by_workers(config: Config, url: str, stopped: asyncio.Event, log: Any) -> None:
    with shared_port(config.host, config.port) as port:
        workers = Workers(config, url, port, log)
        try:
            await workers.start()
            _announce(config.host, port)
            report_reach(config.host, log)
            log.info("ready", workers=config.workers, version=VERSION)
            await workers.watch(stopped)
        finally:
            await workers.stop()


def _announce(host: str, port: int) -> None:
    """Print the address. This line is part of the command's interface: tests and supervisors read it."""
    click.echo(f"Simon Race listens on ws://{f'[{host}]' if ':' in host else host}:{port}")


async def _stop_with(parent: int, stopped: asyncio.Event) -> None:
    """Stop when the supervisor is gone."""
    while os.getppid() == parent:  # noqa: ASYNC110 - no event reports a killed parent
        await asyncio.sleep(_ORPHAN_S)
    stopped.set()


async def keep_alive(embedded: EmbeddedRedis, log: Any) -> None:
    """Restart the private store whenever it dies, until cancelled; retry when it does not start.

    When cancelled during a restart, this returns after the restart: the store must not be stopped before.
    """
    while True:
        await asyncio.sleep(_REVIVE_S)
        if not embedded.running:
            log.error("the private store died; starting it again")
            reviving = asyncio.ensure_future(asyncio.to_thread(_revived, embedded))
            try:
                trouble = await asyncio.shield(reviving)
            finally:
                await asyncio.wait([reviving])
            if trouble is not None:
                log.error("the private store does not start", reason=trouble)
                await asyncio.sleep(_NOT_YET_S)


def _revived(embedded: EmbeddedRedis) -> str | None:
    """Restart the store. Return None, or the reason why that failed."""
    try:
        embedded.revive()
    except EmbeddedError as fault:
        return str(fault)
    return None
