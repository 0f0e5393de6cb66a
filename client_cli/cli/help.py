"""Commands, options and arguments whose help and error messages are translated, those of click included.

The texts in the code are English and the keys of the catalogues. `Group.main` chooses the language; a command
finds its translation with `translation_of`.
"""

import inspect
import os
import sys
from collections.abc import Sequence
from functools import partial
from gettext import gettext
from typing import Any

import click

from client_cli.cli.help_page import HelpPage
from client_cli.cli.language import activated, chosen_language
from client_cli.core.translatable import gettext_noop as _
from client_cli.files.catalogues import translation
from client_cli.text.server_texts import joined
from client_cli.text.translation import ENGLISH, Translation

_QUOTED = _("'{name}'")
_MISSING = _("Missing argument {name}.")
_NUMBER = _("whole number")
USAGE_PARTS = (_("[OPTIONS]"), _("COMMAND [ARGS]..."))
"""Parts of a usage line that click does not translate."""


def translation_of(context: click.Context) -> Translation:
    """Return the translation into the language of the command."""
    return context.find_object(Translation) or ENGLISH


def _looked_up(text: str | None) -> str | None:
    return gettext(text) if text else text


def _joined(fault: click.UsageError, ctx: click.Context) -> click.UsageError:
    """Return an error with click's suggestion after it, joined as the language joins sentences."""
    suggestion = fault.format_message().removeprefix(fault.message).lstrip()
    message = joined(translation_of(ctx), fault.message, suggestion) if suggestion else fault.message
    return click.UsageError(message, fault.ctx or ctx)


def _quoted(name: str) -> str:
    return gettext(_QUOTED).format(name=name)


class Context(click.Context):
    """Context of a command whose help is laid out by terminal cells."""

    formatter_class = HelpPage


class Option(click.Option):
    """Option whose help and metavar are translated."""

    english: str | None

    @property
    def help(self) -> str | None:
        """Help, translated."""
        return _looked_up(self.english)

    @help.setter  # noqa: A003  # it is click's name
    def help(self, text: str | None) -> None:
        self.english = text

    def make_metavar(self, ctx: click.Context) -> str:
        """Return the metavar, translated."""
        return gettext(super().make_metavar(ctx))

    def get_error_hint(self, ctx: click.Context | None) -> str:  # noqa: ARG002  # an option has one name everywhere
        """Return the name of the option in an error message."""
        return " / ".join(map(_quoted, self.opts))


class Argument(click.Argument):
    """Argument whose metavar is translated."""

    def make_metavar(self, ctx: click.Context) -> str:
        """Return the metavar, translated; in brackets if the argument is optional."""
        shown = super().make_metavar(ctx)
        name = shown.strip("[]")
        return shown.replace(name, gettext(name))

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """Return the name of the argument in an error message."""
        return _quoted(gettext(self.human_readable_name) if ctx is None else self.make_metavar(ctx))


class WholeNumber(click.IntRange):
    """Whole number in a range, with translated error messages."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Parse the number."""
        self.name = gettext(_NUMBER)
        return super().convert(value, param, ctx)


class FilePath(click.Path):
    """Path of a file, with translated error messages."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Parse the path."""
        self.name = gettext("file")
        return super().convert(value, param, ctx)


class Command(click.Command):
    """Command whose help is translated."""

    context_class = Context
    english: str | None

    @property
    def help(self) -> str | None:
        """Help, translated."""
        return _looked_up(self.english)

    @help.setter  # noqa: A003  # it is click's name
    def help(self, text: str | None) -> None:
        self.english = inspect.cleandoc(text) if text else text

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002  # the page wraps lines and cuts none
        """Return the first sentence without its full stop."""
        first = (self.help or "").partition("\n\n")[0]
        for stop in (". ", "。"):
            first = first.partition(stop)[0]
        return first.rstrip(".")

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option --help. click caches it with the first language, so its help is set again."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = gettext("Show this message and exit.")
        return option

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. A missing argument gets one translated sentence in place of click's parts."""
        try:
            return super().parse_args(ctx, args)
        except click.MissingParameter as missing:
            if not isinstance(missing.param, Argument):
                raise
            message = gettext(_MISSING).format(name=missing.param.get_error_hint(ctx))
            raise click.UsageError(message, ctx) from None
        except click.NoSuchOption as unknown:
            raise _joined(unknown, ctx) from None

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the parts of the usage line after the name of the command."""
        return [gettext(piece) for piece in super().collect_usage_pieces(ctx)]


class Group(Command, click.Group):
    """Group of commands; it chooses the language for all of them."""

    command_class = Command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command; an unknown one raises a translated UsageError."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as unknown:
            raise _joined(unknown, ctx) from None

    def main(self, args: Sequence[str] | None = None, *more: Any, **extra: Any) -> Any:
        """Choose the language, then run the command."""
        typed = sys.argv[1:] if args is None else list(args)
        tag = chosen_language(typed, os.environ)
        with activated(tag):
            return super().main(typed, *more, obj=translation(tag), **extra)


argument = partial(click.argument, cls=Argument)
option = partial(click.option, cls=Option)
