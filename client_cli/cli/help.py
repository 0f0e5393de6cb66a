"""Commands whose help, and click's own words about them, are read in the language of whoever reads them.

The code says everything in English; the catalogues have it in other languages, what click says included.
`Group.main` finds out the language, and every command finds the texts in it by `words_of`.
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
from client_cli.cli.language import asked, speaking
from client_cli.core.translatable import gettext_noop as _
from client_cli.files.catalogues import translation
from client_cli.text.server_texts import joined
from client_cli.text.translation import ENGLISH, Translation

_QUOTED = _("'{name}'")
_MISSING = _("Missing argument {name}.")
_NUMBER = _("whole number")
PIECES = (_("[OPTIONS]"), _("COMMAND [ARGS]..."))
"""What click writes into a line of usage without looking it up."""


def translation_of(context: click.Context) -> Translation:
    """Return the texts in the language of whoever typed the command."""
    return context.find_object(Translation) or ENGLISH


def _looked_up(text: str | None) -> str | None:
    return gettext(text) if text else text


def _joined(fault: click.UsageError, ctx: click.Context) -> click.UsageError:
    """Return a fault with what might have been meant behind it, as the language joins sentences."""
    meant = fault.format_message().removeprefix(fault.message).lstrip()
    told = joined(translation_of(ctx), fault.message, meant) if meant else fault.message
    return click.UsageError(told, fault.ctx or ctx)


def _quoted(name: str) -> str:
    return gettext(_QUOTED).format(name=name)


class Context(click.Context):
    """A command that is being read; its help is laid out by cells."""

    formatter_class = HelpPage


class Option(click.Option):
    """An option whose help and value's name are looked up."""

    english: str | None

    @property
    def help(self) -> str | None:
        """What it is for."""
        return _looked_up(self.english)

    @help.setter  # noqa: A003  # it is click's name
    def help(self, text: str | None) -> None:
        self.english = text

    def make_metavar(self, ctx: click.Context) -> str:
        """Return what stands for the value."""
        return gettext(super().make_metavar(ctx))

    def get_error_hint(self, ctx: click.Context | None) -> str:  # noqa: ARG002  # an option has one name everywhere
        """Return the option as it is named when its value is wrong."""
        return " / ".join(map(_quoted, self.opts))


class Argument(click.Argument):
    """An argument whose name is looked up."""

    def make_metavar(self, ctx: click.Context) -> str:
        """Return what stands for the value, in brackets where it may be left out."""
        shown = super().make_metavar(ctx)
        name = shown.strip("[]")
        return shown.replace(name, gettext(name))

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """Return the argument as it is named when its value is wrong."""
        return _quoted(gettext(self.human_readable_name) if ctx is None else self.make_metavar(ctx))


class WholeNumber(click.IntRange):
    """A number within bounds; what is none is told in the language that is spoken."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the number."""
        self.name = gettext(_NUMBER)
        return super().convert(value, param, ctx)


class FilePath(click.Path):
    """The place of a file; what cannot be one is told in the language that is spoken."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the place."""
        self.name = gettext("file")
        return super().convert(value, param, ctx)


class Command(click.Command):
    """A command whose help is looked up."""

    context_class = Context
    english: str | None

    @property
    def help(self) -> str | None:
        """What it does."""
        return _looked_up(self.english)

    @help.setter  # noqa: A003  # it is click's name
    def help(self, text: str | None) -> None:
        self.english = inspect.cleandoc(text) if text else text

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002  # the page breaks lines, and cuts none
        """Return the first sentence, without its full stop."""
        first = (self.help or "").partition("\n\n")[0]
        for stop in (". ", "。"):
            first = first.partition(stop)[0]
        return first.rstrip(".")

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option --help; click makes it once, in the language that it is first asked in."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = gettext("Show this message and exit.")
        return option

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read what was typed; a missing argument is told in one sentence, not in click's pieces of one."""
        try:
            return super().parse_args(ctx, args)
        except click.MissingParameter as missing:
            if not isinstance(missing.param, Argument):
                raise
            told = gettext(_MISSING).format(name=missing.param.get_error_hint(ctx))
            raise click.UsageError(told, ctx) from None
        except click.NoSuchOption as unknown:
            raise _joined(unknown, ctx) from None

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return what follows the command's name in the line of its usage."""
        return [gettext(piece) for piece in super().collect_usage_pieces(ctx)]


class Group(Command, click.Group):
    """A command with commands, all of which speak the language of whoever types them."""

    command_class = Command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was typed."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as unknown:
            raise _joined(unknown, ctx) from None

    def main(self, args: Sequence[str] | None = None, *more: Any, **extra: Any) -> Any:
        """Find out the language, then run what was typed."""
        typed = sys.argv[1:] if args is None else list(args)
        tag = asked(typed, os.environ)
        with speaking(tag):
            return super().main(typed, *more, obj=translation(tag), **extra)


argument = partial(click.argument, cls=Argument)
option = partial(click.option, cls=Option)
