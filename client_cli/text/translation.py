"""Texts for people in their language: the English text is the key of a gettext catalogue."""

from gettext import NullTranslations
from typing import Final

from client_cli.core.translatable import Plural, Translatable
from protocol.words import ENGLISH as ENGLISH_TAG


class Translation:
    """Translation into one language. The English text itself is the key; `{name}` stands for a value."""

    def __init__(self, catalogue: NullTranslations, tag: str = ENGLISH_TAG) -> None:
        self._catalogue = catalogue
        self.tag = tag

    def __call__(self, text: str, /, **values: object) -> str:
        """Return a text in this language; a text that is not in the catalogue stays English."""
        translated = self._catalogue.gettext(text) if text else ""
        return translated.format(**values) if values else translated

    def plural(self, one: str, several: str, count: int, /, **values: object) -> str:
        """Return the text for one thing or for several; `{count}` stands for the number."""
        return self._catalogue.ngettext(one, several, count).format(count=count, **values)

    def sentence(self, text: str) -> str:
        """Return a text that was made in English, with its values, in this language."""
        if isinstance(text, Plural):
            return self.plural(text.pattern, text.several, text.number)
        if isinstance(text, Translatable):
            return self(text.pattern, **{name: self._value(value) for name, value in text.values.items()})
        return self(text)

    def _value(self, value: object) -> object:
        return self.sentence(value) if isinstance(value, Translatable) else value


ENGLISH: Final = Translation(NullTranslations())
