"""The types of shared fields describe, and leave it to the messages to bound what a client sends."""

from typing import get_args

import pytest
from msgspec import Meta

from protocol import fields

TYPES = {name: kind for name, kind in vars(fields).items() if name[0].isupper() and get_args(kind)}


@pytest.mark.parametrize("name", TYPES)
def test_a_type_has_a_description_and_no_bounds(name: str) -> None:
    """A client that decodes with these types accepts what a server with other limits sends."""
    _, *metas = get_args(TYPES[name])
    assert [meta for meta in metas if meta != Meta(description=meta.description)] == []
    assert all(meta.description for meta in metas)


def test_no_two_types_are_described_alike() -> None:
    texts = [get_args(kind)[1].description for kind in TYPES.values()]
    assert len(set(texts)) == len(texts) > 15
