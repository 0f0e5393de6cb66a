"""Options that several commands share; each is also an environment variable."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
import msgspec

from client_cli.cli import language
from client_cli.cli.help import FilePath, WholeNumber, option, translation_of
from client_cli.core import room_settings
from client_cli.core.addresses import DEFAULT_SERVER, Server
from client_cli.core.room_settings import Number, RoomSetting, YesOrNo
from client_cli.core.translatable import Translatable
from protocol import limits

if TYPE_CHECKING:  # slow to import
    from engine import GameCode

T = TypeVar("T")


def parsed_with(
    parse: Callable[[str], T],
) -> Callable[[click.Context, click.Parameter, str | None], T | None]:
    """Return a callback that parses a parameter; a ValueError of `parse` becomes the error message."""

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
                "{text!r} is not a game code: SS1, the number of suits (S1, S2 or S4) and seven letters, "
                "like SS1-S1-AAAAABD",
                text=text if len(text) <= 40 else text[:40] + "…",
            )
        ) from None


game_code: Final = parsed_with(_game_code)

lang: Final = option(
    language.OPTION,
    metavar="TAG",
    expose_value=False,
    callback=parsed_with(language.known),
    envvar=language.VARIABLE,
    help="Language of all texts, en or zh-Hant; by default that of your locale.",
)


def connection(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a connection to a server; it gets them as `setup`."""

    @option(
        "--server",
        metavar="URL",
        default=DEFAULT_SERVER,
        callback=parsed_with(Server.parse),
        envvar="SIMONRACE_SERVER",
        help="Address of the server.",
    )
    @option(
        "--name",
        metavar="NAME",
        envvar="SIMONRACE_NAME",
        help="Your name; by default the last one, or your login name.",
    )
    @lang
    @option("--json", is_flag=True, envvar="SIMONRACE_JSON", help="Use JSON in place of MessagePack.")
    @option("--plain", is_flag=True, envvar="SIMONRACE_PLAIN", help="Print one event per line, as in a pipe.")
    @option(
        "--line",
        is_flag=True,
        envvar="SIMONRACE_LINE",
        help="Show the board above a command line, without the full screen.",
    )
    @ascii_only
    @option(
        "--log",
        metavar="FILE",
        type=FilePath(path_type=Path, dir_okay=False),
        envvar="SIMONRACE_LOG",
        help="Log the messages of the server to this file.",
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
    """Give a command an option for each setting of a room; it gets them as `settings`."""
    table = room_settings.SETTINGS

    @functools.wraps(command)
    def with_settings(**options: Any) -> None:
        chosen = {each.field: _value(each, options.pop(each.field)) for each in table}
        command(settings=msgspec.structs.replace(room_settings.DEFAULTS, **chosen), **options)

    decorated: Callable[..., None] = with_settings
    for each in reversed(table):
        decorated = _setting(each)(decorated)
    return decorated


def _setting(setting: RoomSetting) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return the option of a setting."""
    name = setting.key.replace("_", "-")
    default = getattr(room_settings.DEFAULTS, setting.field)
    named = functools.partial(option, envvar=f"SIMONRACE_{setting.key.upper()}", help=setting.help)
    match setting.values:
        case Number(least, most, unit):
            number = WholeNumber(least, most)
            return named(f"--{name}", setting.field, metavar=unit, type=number, default=default)
        case YesOrNo():
            return named(f"--{name}/--no-{name}", setting.field, default=default)
        case values:
            texts = click.Choice([str(each) for each in values.choices])
            return named(f"--{name}", setting.field, type=texts, default=str(default))


def _value(setting: RoomSetting, given: Any) -> Any:
    """Return the value of an option; click gives those of a choice as text."""
    return setting.values.parse(given) if isinstance(given, str) else given


password: Final = option(
    "--password",
    metavar="PASSWORD",
    envvar="SIMONRACE_PASSWORD",
    help=f"Password of the room, at most {limits.PASSWORD_LENGTH} characters.",
)
ascii_only: Final = option(
    "--ascii", "ascii_only", is_flag=True, envvar="SIMONRACE_ASCII", help="Use letters for suits."
)
