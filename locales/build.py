"""Build the catalogues: extract every text for people from the code, keep translations, write .po and .mo.

    python locales/build.py

The English catalogue is generated. In `zh_Hant/LC_MESSAGES/simonrace.po` new texts are empty until somebody
translates them, and texts that are no longer used are removed. Babel is required.
"""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

import click
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from client_cli.cli.help import Argument, Command, Option
from client_cli.cli.main import cli
from protocol.close_codes import CloseCode
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode
from protocol.refusals import RefusalCode

HERE: Final = Path(__file__).parent
CODE: Final = HERE.parent / "client_cli"
DOMAIN: Final = "simonrace"
KEYWORDS: Final[dict[str, tuple[int, ...] | None]] = {
    "_": None,
    "translate": None,
    "_translate": None,
    "Translatable": None,
    "InvalidAddressError": None,
    "InvalidCommandError": None,
    "plural": (1, 2),
    "Plural": (1, 2),
}
"""Functions and classes that take texts for people, with the numbers of these arguments."""

CLICK: Final = ("core", "decorators", "exceptions", "formatting", "parser", "termui", "types")
"""Modules of click with texts for people, which it translates by `_` and `ngettext`."""

_DAY: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""Date of every build, so that only changed texts change a file."""


@cache
def texts() -> list[str | tuple[str, str]]:
    """Return every text for people, sorted; a text with a plural is a pair."""
    found: set[str | tuple[str, str]] = set()
    for _, _, message, *_ in extract_from_dir(
        CODE,
        [("**.py", "python")],
        keywords=KEYWORDS,
    ):
        found.add(message if isinstance(message, str) else (message[0], message[1]))
    found |= set(_of_click()) | set(of_commands(cli))
    for codes in (CloseCode, ErrorCode):
        found |= {each.sentence for each in codes}
    for worded in (RefusalCode, NoticeCode):
        found |= {each.english for each in worded}
    found.discard("")
    return sorted(found, key=lambda text: text if isinstance(text, str) else text[0])


def of_commands(command: click.Command) -> Iterator[str]:
    """Yield the texts in the help of a command and its subcommands, as they are looked up."""
    if isinstance(command, Command):
        yield command.english or ""
    for each in command.params:
        if isinstance(each, Option):
            yield each.english or ""
        if isinstance(each, Option | Argument):
            yield each.metavar or (each.human_readable_name if isinstance(each, Argument) else "")
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from of_commands(inner)


def _of_click() -> Iterator[str | tuple[str, str]]:
    for module in CLICK:
        source = Path(click.__file__).parent / f"{module}.py"
        for _, message, *_ in extract_from_file("python", source, keywords={"_": None, "ngettext": (1, 2)}):
            yield message if isinstance(message, str) else (message[0], message[1])


def english() -> Catalog:
    """Return the English catalogue, in which each text is its own translation."""
    catalogue = _empty("en")
    for text in texts():
        catalogue.add(text, text)
    return catalogue


def translated(language: str) -> Catalog:
    """Return the catalogue of a language: current texts, translated by its file and by the protocol."""
    with path_of(language, "po").open("rb") as file:
        known = read_po(file, locale=language)
    given = {each.english: each.chinese for worded in (RefusalCode, NoticeCode) for each in worded}
    catalogue = _empty(language)
    for text in texts():
        key = text if isinstance(text, str) else text[0]
        message = known.get(key)
        plural = isinstance(text, tuple)
        string = given.get(key) or (message.string if message else "")
        if plural and isinstance(string, str):
            string = (string,)
        catalogue.add(text, string)
    return catalogue


def untranslated(catalogue: Catalog) -> list[str]:
    """Return the texts without a translation."""
    found = []
    for each in catalogue:
        strings = (each.string,) if isinstance(each.string, str) else each.string or ()
        if each.id and not (strings and all(strings)):
            found.append(str(each.id))
    return found


def path_of(language: str, ending: str) -> Path:
    """Return the path of a catalogue."""
    return HERE / language / "LC_MESSAGES" / f"{DOMAIN}.{ending}"


def files(catalogue: Catalog) -> tuple[bytes, bytes]:
    """Return the contents of the .po and the .mo file of a catalogue."""
    po, mo = BytesIO(), BytesIO()
    write_po(po, catalogue, width=110, no_location=True, omit_header=False)
    write_mo(mo, catalogue)
    return po.getvalue(), mo.getvalue()


def _empty(language: str) -> Catalog:
    return Catalog(
        locale=language,
        domain=DOMAIN,
        project="Simon Race",
        version="1",
        copyright_holder="Simon Race",
        msgid_bugs_address="",
        creation_date=_DAY,
        revision_date=_DAY,
        last_translator="Simon Race",
        language_team=language,
        fuzzy=False,
        header_comment=f"# Texts of Simon Race in {language}; build.py keeps them up to date with the code.",
    )


def main() -> None:
    """Write the catalogues of both languages."""
    missing = 0
    for language, catalogue in (("en", english()), ("zh_Hant", translated("zh_Hant"))):
        po, mo = files(catalogue)
        path_of(language, "po").parent.mkdir(parents=True, exist_ok=True)
        path_of(language, "po").write_bytes(po)
        path_of(language, "mo").write_bytes(mo)
        missing += len(untranslated(catalogue))
    sys.stdout.write(f"{len(texts())} texts, {missing} of them not translated\n")


if __name__ == "__main__":
    main()
