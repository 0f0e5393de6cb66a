"""Integers written as whole floats, in both encodings."""

import json
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest
from msgspec import inspect

from protocol.codec import CODECS, JSON_CODEC, MSGPACK_CODEC, BadInputError, Codec
from protocol.docs.classes import CLIENT_CLASSES
from protocol.docs.vectors import Vector
from protocol.errors import ErrorCode
from protocol.from_client import FromClient, Undo
from protocol.parts import Settings

Pack = Callable[[object], bytes]
LITTLE_MEMORY = 256 * 1024
FLOAT32_INTEGER = 2**24
"""The largest integer up to which a float of 32 bits can be every integer."""

ENCODINGS: dict[str, tuple[Codec, Pack]] = {
    "json": (JSON_CODEC, lambda content: json.dumps(content).encode()),
    "float64": (MSGPACK_CODEC, msgpack.packb),
    "float32": (MSGPACK_CODEC, lambda content: bytes(msgpack.packb(content, use_single_float=True))),
}
EACH_ENCODING = pytest.mark.parametrize(("codec", "pack"), ENCODINGS.values(), ids=ENCODINGS)


def fault(codec: Codec, data: bytes) -> BadInputError:
    with pytest.raises(BadInputError) as caught:
        codec.from_client(data)
    return caught.value


def places(content: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield every integer of a message: the object that has it, and the name of its field."""
    for name, value in content.items():
        if isinstance(value, dict):
            yield from places(value)
        elif type(value) is int:
            yield content, name


def is_integer(kind: Any) -> bool:
    """Whether a field of a message is an integer."""
    match kind:
        case inspect.IntType():
            return True
        case inspect.Metadata():
            return is_integer(kind.type)
        case inspect.UnionType():
            return any(map(is_integer, kind.types))
    return False


def integer_fields(cls: type[msgspec.Struct]) -> set[str]:
    return {field.encode_name for field in inspect.type_info(cls).fields if is_integer(field.type)}  # type: ignore[attr-defined]


def complete(vector: Vector) -> tuple[FromClient, dict[str, Any]]:
    """Return an example of a message, with each of its integers written out, and its content."""
    message = JSON_CODEC.from_client(vector.json)
    content = json.loads(vector.json)
    for name in integer_fields(type(message)) - content.keys():
        content[name] = 1
    if "settings" in content:
        content["settings"] |= dict.fromkeys(integer_fields(Settings), 2)
    for parent, name in list(places(content)):
        parent[name] = min(parent[name], FLOAT32_INTEGER)
    return JSON_CODEC.from_client(json.dumps(content)), content


@EACH_ENCODING
def test_each_integer_of_a_message_can_be_a_whole_float(
    codec: Codec, pack: Pack, client_vector: Vector
) -> None:
    """One at a time, and all together."""
    expected, content = complete(client_vector)
    for parent, name in places(content):
        integer, parent[name] = parent[name], float(parent[name])
        assert fault(codec, pack(content)).message == expected
        parent[name] = integer
    for parent, name in list(places(content)):
        parent[name] = float(parent[name])
    error = fault(codec, pack(content))
    assert error.message == expected
    assert error.code is ErrorCode.BAD_MESSAGE


def test_the_examples_have_every_integer_field(client_vectors: list[Vector]) -> None:
    """So that the test above leaves none out."""
    seen = {(vector.type, name) for vector in client_vectors for _, name in places(complete(vector)[1])}
    wanted = {(type_, name) for type_, cls in CLIENT_CLASSES.items() for name in integer_fields(cls)}
    settings = {(type_, name) for type_ in ("create", "configure") for name in integer_fields(Settings)}
    assert seen == wanted | settings


@EACH_ENCODING
@pytest.mark.parametrize("wrong", [1.5, True, "1", "1.0", [1.0], {"n": 1.0}, -1.0, 2.0**31])
def test_another_value_is_an_error_that_names_the_field(
    codec: Codec, pack: Pack, wrong: Any, client_vector: Vector
) -> None:
    """Alone, and beside whole floats, which are not what the error is about."""
    _, content = complete(client_vector)
    for whole in (int, float):
        for parent, name in list(places(content)):
            parent[name] = whole(parent[name])
        objects = (content, content.get("settings", {}))
        for parent, name in [(each, name) for each in objects for name in each]:
            if type(parent[name]) is not whole:
                continue
            good, parent[name] = parent[name], wrong
            error = fault(codec, pack(content))
            assert (error.code, error.message) == (ErrorCode.BAD_MESSAGE, None)
            path = f"settings.{name}" if parent is not content else name
            assert f"`$.{path}" in error.text
            assert "int | float" not in error.text
            parent[name] = good


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("pack", [ENCODINGS["float32"][1], ENCODINGS["float64"][1]])
def test_nan_and_infinity_are_no_integers(pack: Pack, wrong: float) -> None:
    """JSON has neither."""
    error = fault(MSGPACK_CODEC, pack({"type": "undo", "race": 1.0, "n": wrong}))
    assert (error.code, error.message) == (ErrorCode.BAD_MESSAGE, None)
    assert "`$.n`" in error.text


@pytest.mark.parametrize(("codec", "pack"), [ENCODINGS["json"], ENCODINGS["float64"]])
def test_the_limits_of_an_integer_still_apply(codec: Codec, pack: Pack) -> None:
    largest = {"type": "undo", "race": 2.0**31 - 1, "n": 1.0}
    assert fault(codec, pack(largest)).message == Undo(race=2**31 - 1, n=1)
    for wrong in (2.0**31, 1e300, 0.0, -0.0):
        error = fault(codec, pack(largest | {"race": wrong}))
        assert (error.code, error.message) == (ErrorCode.BAD_MESSAGE, None)
        assert "`$.race`" in error.text


@EACH_ENCODING
def test_absent_and_null_stay_what_they_are(codec: Codec, pack: Pack) -> None:
    for fields in ({}, {"cards": None}, {"cards": 2}):
        strict = pack({"type": "auto_move", "race": 1, "n": 2, "from": 0, **fields})
        floats = pack({"type": "auto_move", "race": 1, "n": 2.0, "from": 0, **fields})
        assert fault(codec, floats).message == codec.from_client(strict)


@EACH_ENCODING
def test_a_float_in_another_field_or_an_unknown_one_changes_nothing(codec: Codec, pack: Pack) -> None:
    """A text, a flag or an object is not an integer, and what is unknown is ignored."""
    for bad in ({"text": 1.0}, {"text": "x", "ref": "1"}):
        assert fault(codec, pack({"type": "chat", **bad})).message is None
    assert fault(codec, pack({"type": "ready", "ready": 1.0})).message is None
    assert fault(codec, pack({"type": "create", "settings": 1.0})).message is None
    assert codec.from_client(pack({"type": "undo", "race": 1, "n": 1, "x": 1.0})) == Undo(race=1, n=1)
    extra = {"type": "undo", "race": 1.0, "n": 1, "x": 1.5, "y": {"n": 1.5}}
    assert fault(codec, pack(extra)).message == Undo(race=1, n=1)


@EACH_ENCODING
def test_an_error_echoes_numbers_that_are_whole_floats(codec: Codec, pack: Pack) -> None:
    """A program that writes every number as a float can match its errors, too."""
    unknown = fault(codec, pack({"type": "dance", "ref": 3.0}))
    assert (unknown.code, unknown.echo.request, unknown.echo.ref) == (ErrorCode.UNKNOWN_TYPE, "dance", 3)
    action = fault(codec, pack({"type": "move", "race": 2.0, "n": 7.0, "from": 0.5, "to": 1.0, "cards": 1.0}))
    assert (action.echo.race, action.echo.n, action.echo.ref) == (2, 7, None)
    assert "`$.from`" in action.text


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS.keys())
def test_the_second_decode_builds_nothing_of_unknown_fields(codec: Codec) -> None:
    """16 KiB of empty maps would become a megabyte of dicts."""
    if codec is MSGPACK_CODEC:
        undo = b"\x84\xa4type\xa4undo\xa4race\x01\xa1n\xca\x3f\x80\x00\x00\xa1x"
        data = undo + b"\xdc\x3f\x00" + b"\x80" * 0x3F00
    else:
        data = b'{"type":"undo","race":1,"n":1.0,"x":[' + b"{}," * 5000 + b"{}]}"
    tracemalloc.start()
    try:
        message = fault(codec, data).message
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert message == Undo(race=1, n=1)
    assert peak < LITTLE_MEMORY


def test_no_bad_input_of_the_file_is_accepted(bad_input: dict[str, str]) -> None:
    codec = JSON_CODEC if bad_input["encoding"] == "json" else MSGPACK_CODEC
    data = bytes.fromhex(bad_input["hex"]) if "hex" in bad_input else bad_input["text"].encode()
    assert fault(codec, data).message is None
