"""The command `simonrace-server`."""

import asyncio
import contextlib
import signal
import sys
from pathlib import Path
from typing import Any, Final

import click

from server import logs
from server.config import Config
from server.node import VERSION, Node
from server.store.embedded import EmbeddedRedis
from server.store.embedded_setup import EmbeddedError
from server.store.port import StoreAway, StoreRefused
from server.store.redis_store import RedisStore

try:
    from uvloop import new_event_loop
except ImportError:  # no uvloop on Windows
    from asyncio import new_event_loop  # type: ignore[assignment]

_DEFAULTS: Final = Config()
_REVIVE_S: Final = 0.2


class StartError(Exception):
    """The server cannot start; the message says why and what to do."""


@click.command(
    context_settings={"auto_envvar_prefix": "SIMONRACE", "max_content_width": 110, "show_default": True}
)
@click.option("--host", default=_DEFAULTS.host, help="Address to listen on; 0.0.0.0 for all.")
@click.option("--port", default=_DEFAULTS.port, type=click.IntRange(0, 65535), help="Port; 0 for a free one.")
@click.option(
    "--redis",
    default=None,
    metavar="URL",
    help="redis://, rediss:// or unix:// address; without one a private server is started in --data.",
)
@click.option("--redis-prefix", default=_DEFAULTS.redis_prefix, help="What all keys begin with.")
@click.option(
    "--data",
    default=_DEFAULTS.data,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the private store.",
)
@click.option(
    "--origins",
    multiple=True,
    metavar="ORIGIN",
    help="Web page that may connect, beside those of this host; may be repeated.",
)
@click.option(
    "--trusted-proxies",
    multiple=True,
    metavar="NETWORK",
    help="Proxy whose X-Forwarded-For is believed; may be repeated.",
)
@click.option("--max-connections", default=_DEFAULTS.max_connections, type=click.IntRange(1))
@click.option("--connections-per-address", default=_DEFAULTS.connections_per_address, type=click.IntRange(1))
@click.option("--max-rooms", default=_DEFAULTS.max_rooms, type=click.IntRange(1))
@click.option(
    "--keep-rooms-hours",
    default=_DEFAULTS.keep_rooms_hours,
    type=click.FloatRange(0.01),
    help="How long a room outlives everybody's absence.",
)
@click.option(
    "--rooms-per-hour",
    default=_DEFAULTS.rooms_per_hour,
    type=click.FloatRange(0.01),
    help="Rooms that one address may open.",
)
@click.option(
    "--messages-per-second",
    default=_DEFAULTS.messages_per_second,
    type=click.FloatRange(0.01),
    help="What one connection may send in the long run.",
)
@click.option(
    "--message-burst",
    default=_DEFAULTS.message_burst,
    type=click.IntRange(1),
    help="What one connection may send at once.",
)
@click.option(
    "--drain-seconds",
    default=_DEFAULTS.drain_seconds,
    type=click.FloatRange(0),
    help="Time for clients to take leave when the server stops.",
)
@click.option(
    "--metrics-port",
    default=None,
    type=click.IntRange(0, 65535),
    help="Port for Prometheus; none without it.",
)
@click.option("--metrics-host", default=_DEFAULTS.metrics_host)
@click.option("--log-format", default=_DEFAULTS.log_format, type=click.Choice(["pretty", "json"]))
@click.option(
    "--log-level", default=_DEFAULTS.log_level, type=click.Choice(["debug", "info", "warning", "error"])
)
@click.version_option(VERSION, prog_name="simonrace-server")
def cli(**options: Any) -> None:
    """Serve races of Simple Simon over WebSocket.

    Every option is also an environment variable: --max-rooms is SIMONRACE_MAX_ROOMS.
    """
    config = Config(**options)
    logs.configure(config.log_format, config.log_level)
    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(_run(config))
    except (StartError, EmbeddedError, StoreAway, StoreRefused) as fault:
        click.echo(f"simonrace-server: {fault}", err=True)
        sys.exit(1)


async def _run(config: Config) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stopped.set)
    log = logs.get()
    embedded: EmbeddedRedis | None = None
    if config.redis is None:
        embedded = await asyncio.to_thread(EmbeddedRedis.start, config.data)
        log.info(
            "started a private store (append-only, synced at every write)", folder=str(config.data.absolute())
        )
    try:
        store = await RedisStore.open(config.redis or (embedded.url if embedded else ""), config.redis_prefix)
        try:
            if not store.durable:
                log.warning("this store keeps no append-only file: what is acknowledged may be lost with it")
            await _serve(config, store, embedded, stopped, log)
        finally:
            await store.aclose()
    finally:
        if embedded is not None:
            await asyncio.to_thread(embedded.stop)


async def _serve(
    config: Config, store: RedisStore, embedded: EmbeddedRedis | None, stopped: asyncio.Event, log: Any
) -> None:
    try:
        node = await Node.start(config, store, log)
    except OSError as fault:
        raise StartError(
            f"cannot listen on {config.host}:{config.port} ({fault.strerror or fault}); "
            "choose another with --host and --port"
        ) from None
    if embedded is not None:
        node.tasks.spawn(_keep_alive(embedded, log))
    host, port = node.address
    click.echo(f"Simon Race listens on ws://{f'[{host}]' if ':' in host else host}:{port}")
    log.info("ready", node=node.id, version=VERSION)
    await stopped.wait()
    log.info("draining", connections=node.stats.open)
    await node.stop()
    log.info("stopped")


async def _keep_alive(embedded: EmbeddedRedis, log: Any) -> None:
    """Start the private store again whenever it dies."""
    while True:
        await asyncio.sleep(_REVIVE_S)
        if not embedded.running:
            log.error("the private store died; starting it again")
            await asyncio.to_thread(embedded.revive)


def main() -> None:
    """Run the command."""
    cli()


if __name__ == "__main__":
    main()
