"""Language of the user, found before the command line is parsed, so that parse errors are translated too.

click translates its own messages with the standard library's gettext, which takes the language from the
environment; while a command runs the language is therefore set there.
"""

import gettext
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from client_cli.core.translatable import Translatable
from client_cli.files.catalogues import DOMAIN, FOLDERS, LOCALES
from protocol.words import ENGLISH, LANGUAGES, language

OPTION = "--lang"
VARIABLE = "SIMONRACE_LANG"


class UnknownLanguageError(ValueError):
    """The language is not supported. The message lists the supported ones."""


def known(tag: str) -> str:
    """Return the language of `LANGUAGES` for a tag such as `zh_TW`. Raises UnknownLanguageError."""
    found = language(tag)
    primary = tag.replace("_", "-").partition("-")[0].partition(".")[0].lower()
    if found == ENGLISH and primary != ENGLISH:
        raise UnknownLanguageError(
            Translatable(
                "{tag!r} is not a language of Simon Race. Choose one of: {all}",
                tag=tag,
                all=", ".join(LANGUAGES),
            )
        )
    return found


def chosen_language(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the language of a command: from --lang anywhere, the environment, or the locale."""
    wanted = _from_arguments(arguments) or environment.get(VARIABLE)
    if wanted:
        try:
            return known(wanted)
        except UnknownLanguageError:
            pass  # reported when the option is parsed
    return _of_locale(environment)


def _from_arguments(arguments: Sequence[str]) -> str | None:
    found = None
    for at, word in enumerate(arguments):
        if word == "--":
            break
        name, equals, value = word.partition("=")
        if name == OPTION:
            found = value if equals else next(iter(arguments[at + 1 :]), None)
    return found


def _of_locale(environment: Mapping[str, str]) -> str:
    """Return the language of the locale as gettext does: LANGUAGE counts unless the locale is C."""
    set_to = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next((each for each in set_to if each), "")
    preferred = "" if locale in {"C", "POSIX"} else environment.get("LANGUAGE", "")
    for tag in [*preferred.split(":"), locale]:
        try:
            return known(tag)
        except UnknownLanguageError:
            continue
    return ENGLISH


@contextmanager
def activated(tag: str) -> Iterator[None]:
    """Make gettext, and with it click, use a language of `LANGUAGES`."""
    domain, before = gettext.textdomain(), os.environ.get("LANGUAGE")
    gettext.bindtextdomain(DOMAIN, str(LOCALES))
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = FOLDERS[tag]
    try:
        yield
    finally:
        gettext.textdomain(domain)
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before
