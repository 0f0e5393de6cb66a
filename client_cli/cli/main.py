"""The command `simonrace`. Commands import slow modules only when they run."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from client_cli.cli import options
from client_cli.cli.help import FilePath, Group, WholeNumber, argument, option, translation_of
from client_cli.core.addresses import InvalidAddressError, RoomAddress, Server
from protocol import from_client
from protocol.parts import Settings, StartMode

if TYPE_CHECKING:  # both are slow to import
    from client_cli.cli.run import Setup
    from engine import GameCode


class _Commands(Group):
    """Group whose commands fail with a sentence and exit code 1."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; `watch` is an alias of `spectate`."""
        return super().get_command(ctx, "spectate" if cmd_name == "watch" else cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a Failure becomes its error message."""
        from client_cli.core.errors import Failure  # noqa: PLC0415

        try:
            return super().invoke(ctx)
        except Failure as failure:
            raise click.ClickException(translation_of(ctx).sentence(failure.args[0])) from None


def _print_version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        from importlib.metadata import version  # noqa: PLC0415

        translate, number = translation_of(context), version("simon-race")
        click.echo(translate("{program}, version {version}", program="simonrace", version=number))
        context.exit()


@click.group(cls=_Commands, context_settings={"max_content_width": 110, "show_default": True})
@option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@options.lang
def cli() -> None:
    """Race your friends on the same deal of Simple Simon.

    Every option is also an environment variable: --time-limit is SIMONRACE_TIME_LIMIT. In a pipe each event
    is one line, and the client waits for the end of the race before it ends with its input.
    """


@cli.command()
@options.connection
@options.settings
@options.password
@option(
    "--code",
    metavar="CODE",
    callback=options.game_code,
    envvar="SIMONRACE_CODE",
    help="Game code of the first race.",
)
def create(setup: "Setup", settings: Settings, password: str | None, code: "GameCode | None") -> None:
    """Create a room and wait for friends."""
    from client_cli.cli.run import stay_in_room  # noqa: PLC0415

    named = None if code is None else str(code)
    stay_in_room(setup, from_client.Create(settings=settings, code=named, password=password))


@cli.command()
@options.connection
@options.password
@argument("room")
def join(setup: "Setup", room: str, password: str | None) -> None:
    """Join a room as a racer, by its code or its link."""
    _enter(setup, room, password, spectate=False)


@cli.command()
@options.connection
@options.password
@argument("room")
def spectate(setup: "Setup", room: str, password: str | None) -> None:
    """Join a room as a spectator, by its code or its link.

    A spectator has another identity than a racer of the same name, so a race at another terminal continues.
    """
    _enter(setup, room, password, spectate=True)


def _enter(setup: "Setup", room: str, password: str | None, *, spectate: bool) -> None:
    from client_cli.cli.run import stay_in_room  # noqa: PLC0415

    try:
        place = RoomAddress.parse(room, setup.server)
    except InvalidAddressError as fault:
        context = click.get_current_context()
        param = next(each for each in context.command.params if each.name == "room")
        raise click.BadParameter(setup.translate.sentence(fault.args[0]), context, param) from None
    there = replace(setup, server=place.server)
    stay_in_room(there, from_client.Join(room=place.room, password=password, spectate=spectate))


@cli.command()
@options.connection
@options.settings
@argument("code", callback=options.game_code, required=False)
def play(setup: "Setup", settings: Settings, code: "GameCode | None") -> None:
    """Play alone: create a room for one and start at once, on CODE or a random deal."""
    from client_cli.cli.run import stay_in_room  # noqa: PLC0415

    alone = msgspec.structs.replace(settings, max_members=1, countdown_s=0, start_mode=StartMode.HOST)
    goal = from_client.Create(settings=alone, code=None if code is None else str(code))
    stay_in_room(setup, goal, from_client.Ready(), from_client.StartCountdown())


@cli.command()
@options.connection
@argument("code", callback=options.game_code)
def leaderboard(setup: "Setup", code: "GameCode") -> None:
    """Print the best results on a deal."""
    from client_cli.cli.run import get_leaderboard  # noqa: PLC0415
    from client_cli.line.screen import print_lines, style_of  # noqa: PLC0415
    from client_cli.text import event_lines  # noqa: PLC0415
    from client_cli.text.tables import leaderboard as lines_of  # noqa: PLC0415

    board = get_leaderboard(setup, str(code))
    if setup.plain:
        click.echo("\n".join(event_lines.leaderboard(board)))
    else:
        print_lines(
            lines_of(board, style_of(sys.stdout, ascii_only=setup.ascii_only, translate=setup.translate))
        )


@cli.command()
@options.ascii_only
@option("--solve", is_flag=True, envvar="SIMONRACE_SOLVE", help="Print moves that win it as well.")
@options.lang
@argument("code", callback=options.game_code)
@click.pass_context
def deal(context: click.Context, code: "GameCode", *, solve: bool, ascii_only: bool) -> None:
    """Print the deal of a game code."""
    from client_cli.cli.offline import deal_lines, solution  # noqa: PLC0415
    from client_cli.line.screen import print_lines, style_of  # noqa: PLC0415

    translate = translation_of(context)
    print_lines(deal_lines(code, style_of(sys.stdout, ascii_only=ascii_only, translate=translate)))
    if solve:
        click.echo("\n".join(solution(code, translate)))


@cli.command()
@options.lang
@argument("file", type=FilePath(path_type=Path))
@click.pass_context
def verify(context: click.Context, file: Path) -> None:
    """Replay a saved race from its game code and check every result.

    FILE is what the command `save` writes in a room. Moves, scores and ranks follow from the code and are
    checked. A file is not signed, so the names and times in it are not proved.
    """
    from client_cli.cli.offline import verify_file  # noqa: PLC0415

    translate = translation_of(context)
    found = verify_file(file, translate)
    for fault in found.faults:
        click.echo(translate.sentence(fault))
    click.echo(translate.sentence(found.summary()))
    if found.faults:
        sys.exit(1)


@cli.command()
@option("--referee", is_flag=True, envvar="SIMONRACE_REFEREE", help="Check the client that connects.")
@option(
    "--host",
    default="localhost",
    metavar="HOST",
    envvar="SIMONRACE_REFEREE_HOST",  # SIMONRACE_HOST and SIMONRACE_PORT are the server's
    help="Host on which the referee listens; its variable is SIMONRACE_REFEREE_HOST.",
)
@option(
    "--port",
    metavar="PORT",
    type=WholeNumber(0, 65535),
    default=7467,
    envvar="SIMONRACE_REFEREE_PORT",
    help="Port of the referee, 0 for a free one; its variable is SIMONRACE_REFEREE_PORT.",
)
@option(
    "--long",
    "at_length",
    is_flag=True,
    envvar="SIMONRACE_LONG",
    help="Run the checks of a server that take minutes as well.",
)
@option("--json", "as_json", is_flag=True, envvar="SIMONRACE_JSON", help="Print the report as JSON.")
@options.lang
@argument("url", required=False, callback=options.parsed_with(Server.parse))
@click.pass_context
def conformance(
    context: click.Context,
    url: Server | None,
    *,
    referee: bool,
    host: str,
    port: int,
    at_length: bool,
    as_json: bool,
) -> None:
    """Check a server at URL, or with --referee a client, against PROTOCOL.md.

    Prints a numbered report, in English as PROTOCOL.md is. The exit code is 0 if nothing failed, otherwise 1.
    """
    from client_cli.cli import conformance as command  # noqa: PLC0415

    translate = translation_of(context)
    if referee == (url is not None):
        raise click.UsageError(translate("Give the URL of a server, or --referee to check a client."))
    if referee and at_length:
        raise click.UsageError(translate("--long is for checks of a server. Leave it out with --referee."))
    if url is not None:
        sys.exit(command.of_server(url, at_length=at_length, as_json=as_json))
    sys.exit(command.of_client(host, port, as_json=as_json))


def main() -> None:
    """Run the command."""
    cli()


if __name__ == "__main__":
    main()
