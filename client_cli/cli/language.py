"""The language of the person at the keyboard, known before the command line is read.

What goes wrong while it is read is told in this language too. click looks its own sentences up with the
standard library's gettext, which reads the language from the environment; so it is named there, for as long
as a command runs.
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
    """A language that there are no texts in; the message says which there are."""


def known(tag: str) -> str:
    """Return which of `LANGUAGES` a tag such as `zh_TW` asks for; may raise UnknownLanguageError."""
    found = language(tag)
    primary = tag.replace("_", "-").partition("-")[0].partition(".")[0].lower()
    if found == ENGLISH and primary != ENGLISH:
        raise UnknownLanguageError(
            Translatable(
                "{tag!r} is no language of Simon Race; there are: {all}", tag=tag, all=", ".join(LANGUAGES)
            )
        )
    return found


def asked(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the language for a command to speak: that of --lang wherever it stands, else the locale's."""
    wanted = _named(arguments) or environment.get(VARIABLE)
    if wanted:
        try:
            return known(wanted)
        except UnknownLanguageError:
            pass  # told when the option is read, in the language of the locale
    return _of_locale(environment)


def _named(arguments: Sequence[str]) -> str | None:
    found = None
    for at, word in enumerate(arguments):
        if word == "--":
            break
        name, equals, value = word.partition("=")
        if name == OPTION:
            found = value if equals else next(iter(arguments[at + 1 :]), None)
    return found


def _of_locale(environment: Mapping[str, str]) -> str:
    """Return the language of the locale, as gettext finds it: LANGUAGE counts unless the locale is C."""
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
def speaking(tag: str) -> Iterator[None]:
    """Let gettext, and with it click, speak a language of `LANGUAGES`."""
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
