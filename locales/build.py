"""Build the catalogues: take every text for people out of the code, keep translations, write .po and .mo.

    python locales/build.py

English is written by itself; in `zh_Hant/LC_MESSAGES/simonrace.po` new texts are left empty for a person to
fill in, and texts that are gone are dropped. It needs Babel.
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
"""What texts for people are given to: functions that look them up, now or later."""

CLICK: Final = ("core", "decorators", "exceptions", "formatting", "parser", "termui", "types")
"""The modules of click that have texts for people; it looks them up by `_` and `ngettext`."""

_DAY: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""The same date in every build, so that only changed texts change a file."""


@cache
def texts() -> list[str | tuple[str, str]]:
    """Return every text for people in a fixed order; one with a plural is a pair."""
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
    """Return what the help of a command says, and that of its commands: found where it will be looked for."""
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
    """Return the catalogue that says everything as the code does."""
    catalogue = _empty("en")
    for text in texts():
        catalogue.add(text, text)
    return catalogue


def translated(language: str) -> Catalog:
    """Return a catalogue with what its file has of today's texts; the protocol knows its own."""
    with place(language, "po").open("rb") as file:
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
    """Return the texts that a catalogue has nothing for."""
    found = []
    for each in catalogue:
        strings = (each.string,) if isinstance(each.string, str) else each.string or ()
        if each.id and not (strings and all(strings)):
            found.append(str(each.id))
    return found


def place(language: str, ending: str) -> Path:
    """Return where a catalogue is."""
    return HERE / language / "LC_MESSAGES" / f"{DOMAIN}.{ending}"


def files(catalogue: Catalog) -> tuple[bytes, bytes]:
    """Return a catalogue as the bytes of its .po and its .mo."""
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
        header_comment=f"# Texts of Simon Race in {language}; build.py keeps them in step with the code.",
    )


def main() -> None:
    """Write both catalogues."""
    missing = 0
    for language, catalogue in (("en", english()), ("zh_Hant", translated("zh_Hant"))):
        po, mo = files(catalogue)
        place(language, "po").parent.mkdir(parents=True, exist_ok=True)
        place(language, "po").write_bytes(po)
        place(language, "mo").write_bytes(mo)
        missing += len(untranslated(catalogue))
    sys.stdout.write(f"{len(texts())} texts, {missing} of them not translated\n")


if __name__ == "__main__":
    main()
