"""Limits: each is enforced somewhere, and every field that a client sends is bounded."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.game import UNDO_LIMIT
from protocol import limits
from protocol.codec import JSON_CODEC, BadInputError
from protocol.docs.classes import CLIENT_CLASSES
from protocol.errors import ErrorCode
from server.rooms.registry import STANDINGS_S
from server.transport.limits import TransportLimits

ROOT = Path(__file__).parents[2]
BOUND_ELSEWHERE = {
    "UNDO_MOVES": UNDO_LIMIT,
    "MESSAGE_BYTES": TransportLimits().max_message_bytes,
    "STANDINGS_MS": STANDINGS_S * 1000,
}
LIMITS = {name: value for name, value in vars(limits).items() if name.isupper()}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_a_positive_number(name: str) -> None:
    assert type(LIMITS[name]) in (int, float)
    assert LIMITS[name] > 0


@pytest.mark.parametrize("name", sorted(LIMITS.keys() - BOUND_ELSEWHERE.keys()))
def test_a_limit_binds_somewhere(name: str) -> None:
    """A limit that no code reads is not enforced."""
    readers = [
        path
        for folder in ("protocol", "server")
        for path in (ROOT / folder).rglob("*.py")
        if path != ROOT / "protocol" / "limits.py"
        and re.search(rf"\b{name}\b", path.read_text(encoding="utf-8"))
    ]
    assert readers, f"neither protocol/ nor server/ reads protocol.limits.{name}"


@pytest.mark.parametrize("name", BOUND_ELSEWHERE)
def test_a_limit_that_the_engine_or_the_transport_enforces_is_the_same_there(name: str) -> None:
    """The engine and the transport do not import the protocol and have numbers of their own."""
    assert LIMITS[name] == BOUND_ELSEWHERE[name]


def unbounded(kind: Any, where: str) -> Iterator[str]:
    match kind:
        case msgspec.inspect.StructType():
            for field in kind.fields:
                yield from unbounded(field.type, f"{where}.{field.encode_name}")
        case msgspec.inspect.UnionType():
            for each in kind.types:
                yield from unbounded(each, where)
        case msgspec.inspect.Metadata():
            yield from unbounded(kind.type, where)
        case msgspec.inspect.IntType():
            if (kind.ge is None and kind.gt is None) or (kind.le is None and kind.lt is None):
                yield where
        case msgspec.inspect.StrType():
            if kind.max_length is None:
                yield where
        case msgspec.inspect.BoolType() | msgspec.inspect.EnumType() | msgspec.inspect.NoneType():
            return
        case _:
            yield f"{where}: {kind}"


@pytest.mark.parametrize("name", CLIENT_CLASSES)
def test_every_field_from_a_client_is_bounded(name: str) -> None:
    """Numbers have a least and a largest value, texts a length; no other kind occurs."""
    assert list(unbounded(msgspec.inspect.type_info(CLIENT_CLASSES[name]), name)) == []


@pytest.mark.parametrize(
    ("template", "length"),
    [
        ('{"type":"chat","text":"%s"}', limits.CHAT_LENGTH),
        ('{"type":"create","password":"%s"}', limits.PASSWORD_LENGTH),
        ('{"type":"join","room":"BKMRT","password":"%s"}', limits.PASSWORD_LENGTH),
        ('{"type":"hello","name":"Ann","client":"%s"}', limits.CLIENT_LENGTH),
    ],
)
def test_a_text_of_the_largest_length_passes_and_one_more_character_does_not(
    template: str, length: int
) -> None:
    """Lengths are counted in characters, however many bytes each of them takes."""
    JSON_CODEC.from_client(template % ("🂡" * length))
    with pytest.raises(BadInputError) as caught:
        JSON_CODEC.from_client(template % ("🂡" * (length + 1)))
    assert caught.value.code is ErrorCode.BAD_MESSAGE


@pytest.mark.parametrize(
    ("setting", "largest"),
    [
        ("countdown_s", limits.COUNTDOWN_SECONDS),
        ("time_limit_s", limits.TIME_LIMIT_SECONDS),
        ("max_members", limits.ROOM_MEMBERS),
    ],
)
def test_a_setting_of_the_largest_value_passes_and_one_more_does_not(setting: str, largest: int) -> None:
    template = '{"type":"configure","settings":{"%s":%d}}'
    JSON_CODEC.from_client(template % (setting, largest))
    with pytest.raises(BadInputError) as caught:
        JSON_CODEC.from_client(template % (setting, largest + 1))
    assert caught.value.code is ErrorCode.BAD_MESSAGE


def test_the_longest_name_fits_however_it_is_composed() -> None:
    """Its length is measured after normalization, so up to four times as many characters are accepted."""
    JSON_CODEC.from_client('{"type":"hello","name":"%s"}' % ("e" * 4 * limits.NAME_LENGTH))
