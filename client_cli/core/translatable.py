"""English texts that can be translated later."""

from typing import Self


def gettext_noop(text: str) -> str:
    """Mark a text that is looked up later, so that the catalogues have it."""
    return text


class Translatable(str):
    """A sentence in English that remembers how it was made, so that it can be said in another language."""

    __slots__ = ("pattern", "values")

    pattern: str
    values: dict[str, object]

    def __new__(cls, pattern: str, /, **values: object) -> Self:
        """Make a sentence; `{name}` in the pattern stands for a value."""
        told = super().__new__(cls, pattern.format(**values) if values else pattern)
        told.pattern, told.values = pattern, values
        return told
