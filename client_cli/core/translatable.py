"""English texts that can be translated later."""

from typing import Self


def gettext_noop(text: str) -> str:
    """Mark a text for the catalogues and return it as it is; it is translated where it is shown."""
    return text


class Translatable(str):
    """An English text that keeps its pattern and values, so that it can be translated later."""

    __slots__ = ("pattern", "values")

    pattern: str
    values: dict[str, object]

    def __new__(cls, pattern: str, /, **values: object) -> Self:
        """Format `pattern` with the values; without values, braces stay as they are."""
        text = super().__new__(cls, pattern.format(**values) if values else pattern)
        text.pattern, text.values = pattern, values
        return text


class Plural(Translatable):
    """A translatable text about a number of things, `{count}` in the pattern; English has two forms."""

    __slots__ = ("number", "several")

    several: str
    number: int

    def __new__(cls, one: str, several: str, /, count: int) -> Self:
        """Format the form for `count`. `pattern` is the form for one thing."""
        text = str.__new__(cls, (one if count == 1 else several).format(count=count))
        text.pattern, text.values = one, {"count": count}
        text.several, text.number = several, count
        return text
