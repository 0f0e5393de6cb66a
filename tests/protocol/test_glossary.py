"""Every field and every value on the wire has words, and no word is left over."""

from collections.abc import Iterator
from typing import Any

import pytest

from protocol import glossary
from protocol.schema import CLASSES, undescribed


def owned(schemas: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for owner, schema in schemas.items():
        for field in schema.get("properties", {}):
            yield owner, field


FIELDS = sorted(owned(undescribed()))
VALUES = sorted((name, value) for name, schema in undescribed().items() for value in schema.get("enum", []))


@pytest.mark.parametrize(("owner", "field"), FIELDS)
def test_a_field_has_words(owner: str, field: str) -> None:
    """A new field needs a line in protocol/glossary.py."""
    assert glossary.of_field(owner, field)


@pytest.mark.parametrize(("enum", "value"), VALUES)
def test_a_value_has_words(enum: str, value: str) -> None:
    """A new value of an enum needs a line in protocol/glossary.py."""
    assert glossary.of_value(enum, value)


def test_no_words_are_left_over() -> None:
    """Words for what is no longer there would tell readers of something that they cannot have."""
    specific = {f"{owner}.{field}" for owner, field in FIELDS}
    general = {field for owner, field in FIELDS if f"{owner}.{field}" not in glossary.FIELDS}
    assert sorted(glossary.FIELDS.keys() - specific - general) == []
    assert sorted(glossary.VALUES.keys() - {f"{enum}.{value}" for enum, value in VALUES}) == []


def test_an_unknown_field_or_value_is_a_key_error() -> None:
    with pytest.raises(KeyError, match=r"has no words for move\.colour"):
        glossary.of_field("move", "colour")
    with pytest.raises(KeyError, match=r"has no words for Phase\.lunch"):
        glossary.of_value("Phase", "lunch")


def test_words_fit_into_a_cell_of_a_table() -> None:
    for words in (*glossary.FIELDS.values(), *glossary.VALUES.values()):
        assert "\n" not in words
        assert "|" not in words
        assert words.endswith("...") or not words.endswith(".")


def test_every_message_has_a_docstring_of_its_own() -> None:
    """It is the first thing that the reference says about a message."""
    docs = [cls.__doc__ for cls in CLASSES.values()]
    assert all(docs)
    assert len(set(docs)) == len(docs)
