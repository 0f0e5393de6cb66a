"""Enums whose members carry their description, for the schema and the reference pages."""

from enum import StrEnum
from typing import Self


class Described(StrEnum):
    """Base of the enums on the wire: each member is written as its value and its description."""

    description: str

    def __new__(cls, value: str, description: str = "") -> Self:
        """Create a member. `description` has a default only because a lookup by value passes none."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.description = description
        return member
