"""The command `simonrace-server`. Its help and its logs are in English."""

import asyncio
import sys
from pathlib import Path
from typing import Any, Final

import click

try:
    from server import logs
    from server.config import Config
    from server.node import VERSION
    from server.store.embedded.setup import EmbeddedError
    from server.store.port import StoreRefused, StoreUnavailable
    from server.supervisor import StartError, run
    from server.transport.addresses import parse_networks
    from server.transport.origin import is_origin
except ModuleNotFoundError as missing:  # the command exists even if only the client is installed
    sys.exit(
        f"simonrace-server: The package {missing.name} is missing. If only the client was installed, install "
        "the server too: pip install '.[server,embedded]' in the folder of Simon Race."
    )

try:
    from uvloop import new_event_loop
except ImportError:  # no uvloop on Windows
    from asyncio import new_event_loop  # type: ignore[assignment]

_DEFAULTS: Final = Config()


def _checked_proxies(_: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    try:
        parse_networks(given)
    except ValueError as fault:
        raise click.BadParameter(
            f"{fault}. Write a network such as 10.0.0.0/8 or 10.0.0.1.", param=option
        ) from None
    return given


def _checked_origins(_: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    for each in given:
        if not is_origin(each):
            raise click.BadParameter(
                f"{each!r} is not an origin. Write one such as https://friends.example or "
                "http://localhost:8000, without a path.",
                param=option,
            )
    return given


@click.command(
    context_settings={"auto_envvar_prefix": "SIMONRACE", "max_content_width": 110, "show_default": True}
)
@click.option("--host", default=_DEFAULTS.host, help="Address to listen on; 0.0.0.0 for all addresses.")
@click.option(
    "--port",
    default=_DEFAULTS.port,
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 for a free one.",
)
@click.option(
    "--workers",
    default=_DEFAULTS.workers,
    type=click.IntRange(1, 64),
    help="Processes that share the port, to use more than one core.",
)
@click.option("--worker-of", default=None, type=int, hidden=True, help="Set by the server for its workers.")
@click.option(
    "--redis",
    default=None,
    metavar="URL",
    help="Address of the store: redis://, rediss:// or unix://; for a cluster, several hosts separated by "
    "commas. Without it, a private store runs in --data.",
)
@click.option("--redis-prefix", default=_DEFAULTS.redis_prefix, help="Prefix of all keys in the store.")
@click.option(
    "--data",
    default=_DEFAULTS.data,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the private store.",
)
@click.option(
    "--origins",
    multiple=True,
    callback=_checked_origins,
    metavar="ORIGIN",
    help="Origin of web pages that may connect besides those of this host; * for all. May be repeated.",
)
@click.option(
    "--trusted-proxies",
    multiple=True,
    metavar="NETWORK",
    callback=_checked_proxies,
    help="Network of proxies whose X-Forwarded-For is trusted. May be repeated.",
)
@click.option(
    "--max-connections",
    default=_DEFAULTS.max_connections,
    type=click.IntRange(1),
    help="Most open connections of one process.",
)
@click.option(
    "--connections-per-address",
    default=_DEFAULTS.connections_per_address,
    type=click.IntRange(1),
    help="Most open connections from one address.",
)
@click.option(
    "--max-rooms",
    default=_DEFAULTS.max_rooms,
    type=click.IntRange(1),
    help="Most rooms that one process loads.",
)
@click.option(
    "--keep-rooms-hours",
    default=_DEFAULTS.keep_rooms_hours,
    type=click.FloatRange(0.01),
    help="How long a room without connected members is kept.",
)
@click.option(
    "--forget-players-days",
    default=_DEFAULTS.forget_players_days,
    type=click.FloatRange(0.001),
    help="How long an identity is kept after its last hello (one day, if it never entered a room), and a "
    "leaderboard after the last win with its game code.",
)
@click.option(
    "--rooms-per-hour",
    default=_DEFAULTS.rooms_per_hour,
    type=click.FloatRange(0.01),
    help="Rooms that one address may open per hour.",
)
@click.option(
    "--players-per-hour",
    default=_DEFAULTS.players_per_hour,
    type=click.FloatRange(0.01),
    help="New identities that one address may get per hour.",
)
@click.option(
    "--messages-per-second",
    default=_DEFAULTS.messages_per_second,
    type=click.FloatRange(0.01),
    help="Messages per second that one connection may send on average.",
)
@click.option(
    "--message-burst",
    default=_DEFAULTS.message_burst,
    type=click.IntRange(1),
    help="Messages that one connection may send at once.",
)
@click.option(
    "--drain-seconds",
    default=_DEFAULTS.drain_seconds,
    type=click.FloatRange(0),
    help="Time in which clients reconnect elsewhere when the server stops.",
)
@click.option(
    "--metrics-port",
    default=None,
    type=click.IntRange(0, 65535),
    help="Port for Prometheus. Without it, there are no metrics.",
)
@click.option("--metrics-host", default=_DEFAULTS.metrics_host, help="Address to listen on for Prometheus.")
@click.option(
    "--log-format",
    default=_DEFAULTS.log_format,
    type=click.Choice(["pretty", "json"]),
    help="Form of the log lines.",
)
@click.option(
    "--log-level",
    default=_DEFAULTS.log_level,
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="Least severe level that is logged.",
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
            runner.run(run(config))
    except (StartError, EmbeddedError, StoreUnavailable, StoreRefused) as fault:
        click.echo(f"simonrace-server: {fault}", err=True)
        sys.exit(1)


def main() -> None:
    """Run the command."""
    cli()


if __name__ == "__main__":
    main()
