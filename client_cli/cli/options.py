"""The options that several commands share; each is an environment variable too."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from client_cli.cli import language
from client_cli.cli.help import FilePath, WholeNumber, option, translation_of
from client_cli.core.addresses import DEFAULT_SERVER, Server
from client_cli.core.translatable import Translatable
from protocol import limits
from protocol.parts import Ranking, Settings, StartMode

if TYPE_CHECKING:
    from engine import GameCode

T = TypeVar("T")

_DEFAULTS: Final = Settings()


def read_with(parse: Callable[[str], T]) -> Callable[[click.Context, click.Parameter, str | None], T | None]:
    """Return a callback that reads a parameter; what `parse` raises as ValueError is what is told."""

    def callback(context: click.Context, _: click.Parameter, text: str | None) -> T | None:
        try:
            return None if text is None else parse(text)
        except ValueError as fault:
            raise click.BadParameter(translation_of(context).sentence(fault.args[0])) from None

    return callback


def _game_code(text: str) -> "GameCode":
    from engine import GameCode, InvalidGameCode  # noqa: PLC0415

    try:
        return GameCode.parse(text)
    except InvalidGameCode:
        raise ValueError(
            Translatable(
                "{text!r} is no game code: SS1, the number of suits (S1, S2 or S4) and seven letters, "
                "like SS1-S1-AAAAABD",
                text=text if len(text) <= 40 else text[:40] + "…",
            )
        ) from None


game_code: Final = read_with(_game_code)

lang: Final = option(
    language.OPTION,
    metavar="TAG",
    expose_value=False,
    callback=read_with(language.known),
    envvar=language.VARIABLE,
    help="Language of all texts, en or zh-Hant; without it that of your locale.",
)


def talks(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of everything that talks to a server; it gets them as `setup`."""

    @option(
        "--server",
        metavar="URL",
        default=DEFAULT_SERVER,
        callback=read_with(Server.parse),
        envvar="SIMONRACE_SERVER",
        help="Address of the server.",
    )
    @option(
        "--name",
        metavar="NAME",
        envvar="SIMONRACE_NAME",
        help="Your name; the one used last, else your login name.",
    )
    @lang
    @option("--json", is_flag=True, envvar="SIMONRACE_JSON", help="Talk in JSON, not MessagePack.")
    @option("--plain", is_flag=True, envvar="SIMONRACE_PLAIN", help="One event a line, as in a pipe.")
    @option(
        "--line", is_flag=True, envvar="SIMONRACE_LINE", help="Type commands below the board, without mouse."
    )
    @ascii_only
    @option(
        "--log",
        metavar="FILE",
        type=FilePath(path_type=Path, dir_okay=False),
        envvar="SIMONRACE_LOG",
        help="Write down in this file what the server says.",
    )
    @functools.wraps(command)
    def with_setup(server: Server, **options: Any) -> None:
        from client_cli.cli.run import Setup  # noqa: PLC0415

        names = ("name", "json", "plain", "line", "ascii_only", "log")
        translate = translation_of(click.get_current_context())
        setup = Setup(server, translate=translate, **{each: options.pop(each) for each in names})
        command(setup=setup, **options)

    return with_setup


def settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that are settings of a room; it gets them as `settings`."""

    @option(
        "--suits",
        type=click.Choice(["1", "2", "4"]),
        default=str(_DEFAULTS.suits),
        envvar="SIMONRACE_SUITS",
        help="How many suits a drawn deal has.",
    )
    @option(
        "--ranking",
        type=click.Choice([each.value for each in Ranking]),
        default=_DEFAULTS.ranking.value,
        envvar="SIMONRACE_RANKING",
        help="What a race is won by.",
    )
    @option(
        "--winnable/--no-winnable",
        default=_DEFAULTS.winnable,
        envvar="SIMONRACE_WINNABLE",
        help="Draw only deals that can be won.",
    )
    @option(
        "--start",
        type=click.Choice([each.value for each in StartMode]),
        default=_DEFAULTS.start_mode.value,
        envvar="SIMONRACE_START",
        help="Who starts a race: the host, or all by being ready.",
    )
    @option(
        "--countdown",
        metavar="SECONDS",
        type=WholeNumber(0, limits.COUNTDOWN_SECONDS),
        default=_DEFAULTS.countdown_s,
        envvar="SIMONRACE_COUNTDOWN",
        help="Length of the countdown, in seconds.",
    )
    @option(
        "--time-limit",
        metavar="SECONDS",
        type=WholeNumber(1, limits.TIME_LIMIT_SECONDS),
        default=_DEFAULTS.time_limit_s,
        envvar="SIMONRACE_TIME_LIMIT",
        help="Time limit of a race, in seconds.",
    )
    @option(
        "--max-members",
        metavar="COUNT",
        type=WholeNumber(1, limits.ROOM_MEMBERS),
        default=_DEFAULTS.max_members,
        envvar="SIMONRACE_MAX_MEMBERS",
        help="Most members of the room, spectators included.",
    )
    @option(
        "--live-boards/--no-live-boards",
        default=_DEFAULTS.live_boards,
        envvar="SIMONRACE_LIVE_BOARDS",
        help="Show boards to spectators during the race.",
    )
    @functools.wraps(command)
    def with_settings(
        suits: str, ranking: str, start: str, countdown: int, time_limit: int, **options: Any
    ) -> None:
        names = ("winnable", "max_members", "live_boards")
        chosen = Settings(
            suits=int(suits),
            ranking=Ranking(ranking),
            start_mode=StartMode(start),
            countdown_s=countdown,
            time_limit_s=time_limit,
            **{each: options.pop(each) for each in names},
        )
        command(settings=chosen, **options)

    return with_settings


password: Final = option(
    "--password",
    metavar="PASSWORD",
    envvar="SIMONRACE_PASSWORD",
    help=f"Password of the room, at most {limits.PASSWORD_LENGTH} characters.",
)
ascii_only: Final = option(
    "--ascii", "ascii_only", is_flag=True, envvar="SIMONRACE_ASCII", help="Letters for suits."
)
