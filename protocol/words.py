"""Codes with their sentences for people, in each language."""

from enum import StrEnum
from typing import Final, Self

ENGLISH: Final = "en"
TRADITIONAL_CHINESE: Final = "zh-Hant"
LANGUAGES: Final = (ENGLISH, TRADITIONAL_CHINESE)


def language(asked: str) -> str:
    """Return the language of `LANGUAGES` that fits a tag such as `zh_TW.UTF-8`; English if none does."""
    tag = asked.replace("_", "-").lower()
    return TRADITIONAL_CHINESE if tag.startswith(("zh-hant", "zh-tw", "zh-hk", "zh-mo")) else ENGLISH


class Worded(StrEnum):
    """A code on the wire with its sentence in each language."""

    english: str
    chinese: str

    def __new__(cls, code: str, english: str, chinese: str) -> Self:
        """Create a member from its code and its sentences."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.english = english
        member.chinese = chinese
        return member

    @classmethod
    def of(cls, code: str) -> Self:
        """Return the member with a code. Raises KeyError if there is none."""
        return cls.__members__[code.upper()]

    def text(self, asked: str = ENGLISH) -> str:
        """Return the sentence for people in a language of `LANGUAGES`."""
        return self.chinese if asked == TRADITIONAL_CHINESE else self.english
