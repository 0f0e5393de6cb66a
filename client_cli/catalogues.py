"""The catalogues of texts that come with the client, one for each language."""

from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from typing import Final

from client_cli.words import ENGLISH, Words
from protocol.words import TRADITIONAL_CHINESE

DOMAIN: Final = "simonrace"
FOLDERS: Final = {"en": "en", TRADITIONAL_CHINESE: "zh_Hant"}


def words(tag: str) -> Words:
    """Return the texts of a language of `protocol.words.LANGUAGES`; English where there is no catalogue."""
    place = files("client_cli") / "locales" / FOLDERS.get(tag, tag) / "LC_MESSAGES" / f"{DOMAIN}.mo"
    try:
        with place.open("rb") as file:
            catalogue: NullTranslations = GNUTranslations(file)
    except FileNotFoundError:
        return ENGLISH
    return Words(catalogue, tag)
