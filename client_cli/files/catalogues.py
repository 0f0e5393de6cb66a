"""Catalogues of translated texts, one for each language."""

from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Final

from client_cli.text.translation import ENGLISH, Translation
from protocol.words import TRADITIONAL_CHINESE

DOMAIN: Final = "simonrace"
LOCALES: Final = Path(__file__).parents[2] / "locales"
FOLDERS: Final = {"en": "en", TRADITIONAL_CHINESE: "zh_Hant"}


def translation(tag: str) -> Translation:
    """Return the translation into a language of `protocol.words.LANGUAGES`; English without a catalogue."""
    try:
        with (LOCALES / FOLDERS.get(tag, tag) / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
            catalogue: NullTranslations = GNUTranslations(file)
    except FileNotFoundError:
        return ENGLISH
    return Translation(catalogue, tag)
