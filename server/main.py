"""The command `simonrace-server`; its help and its logs are in English, which those who host read."""

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
    from server.transport.handshake import is_origin
except ModuleNotFoundError as missing:  # the command is there even if only the client was installed
    sys.exit(
        f"simonrace-server: the package {missing.name} is missing, for the client was installed alone; "
        "install the server too: pip install '.[server,embedded]' in the folder of Simon Race"
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
        raise click.BadParameter(f"{fault}; one looks like 10.0.0.1 or 10.0.0.0/8.", param=option) from None
    return given


def _checked_origins(_: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    for each in given:
        if not is_origin(each):
            raise click.BadParameter(
                f"No page can have the origin {each!r}; one looks like https://friends.example or "
                "http://localhost:8000, without a path.",
                param=option,
            )
    return given


@click.command(
    context_settings={"auto_envvar_prefix": "SIMONRACE", "max_content_width": 110, "show_default": True}
)
@click.option("--host", default=_DEFAULTS.host, help="Address to listen on; 0.0.0.0 for all.")
@click.option("--port", default=_DEFAULTS.port, type=click.IntRange(0, 65535), help="Port; 0 for a free one.")
@click.option(
    "--workers",
    default=_DEFAULTS.workers,
    type=click.IntRange(1, 64),
    help="Processes that share the port; more than one uses more than one core.",
)
@click.option("--worker-of", default=None, type=int, hidden=True, help="Set by a server for its workers.")
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
    callback=_checked_origins,
    metavar="ORIGIN",
    help="Web page that may connect, beside those of this host, * for all; may be repeated.",
)
@click.option(
    "--trusted-proxies",
    multiple=True,
    metavar="NETWORK",
    callback=_checked_proxies,
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
    "--forget-players-days",
    default=_DEFAULTS.forget_players_days,
    type=click.FloatRange(0.001),
    help="How long an identity is kept after its last hello (a day, if it never came into a room), and a "
    "leaderboard after the last win with its game code.",
)
@click.option(
    "--rooms-per-hour",
    default=_DEFAULTS.rooms_per_hour,
    type=click.FloatRange(0.01),
    help="Rooms that one address may open.",
)
@click.option(
    "--players-per-hour",
    default=_DEFAULTS.players_per_hour,
    type=click.FloatRange(0.01),
    help="New identities that one address may get.",
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
            runner.run(run(config))
    except (StartError, EmbeddedError, StoreUnavailable, StoreRefused) as fault:
        click.echo(f"simonrace-server: {fault}", err=True)
        sys.exit(1)


def main() -> None:
    """Run the command."""
    cli()


if __name__ == "__main__":
    main()
