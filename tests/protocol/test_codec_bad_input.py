"""Any input gives a message or a BadInputError with the right code, and costs little memory."""

import json
import tracemalloc
from collections.abc import Callable
from typing import Any, cast

import msgpack  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import limits
from protocol.codec import CODECS, JSON_CODEC, MSGPACK_CODEC, BadInputError, Codec
from protocol.docs.classes import CLIENT_CLASSES, SERVER_CLASSES
from protocol.docs.vectors import Vector
from protocol.errors import ErrorCode
from protocol.from_client import FromClient, Undo

BOTH = pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS.keys())
INPUT_CODES = {ErrorCode.UNDECODABLE, ErrorCode.BAD_MESSAGE, ErrorCode.UNKNOWN_TYPE}
LITTLE_MEMORY = 256 * 1024

UNDO = {
    MSGPACK_CODEC: b"\x84\xa4type\xa4undo\xa4race\x01\xa1n\x01\xa1x",
    JSON_CODEC: b'{"type":"undo","race":1,"n":1,"x":',
}
"""An action up to the value of an unknown field."""

SETTINGS = {
    MSGPACK_CODEC: b"\x82\xa4type\xa6create\xa8settings",
    JSON_CODEC: b'{"type":"create","settings":',
}
"""A request up to the value of a field that is an object."""

OPENERS = {
    MSGPACK_CODEC: {"arrays": b"\x91", "maps": b"\x81\xa1a", "32-bit arrays": b"\xdd\x00\x00\x00\x01"},
    JSON_CODEC: {"arrays": b"[", "maps": b'{"a":', "arrays in maps": b'{"a":['},
}
DEEP = [(codec, kind) for codec, openers in OPENERS.items() for kind in openers]
EMPTIES = {
    MSGPACK_CODEC: {"maps": b"\xdc\x3f\x00" + b"\x80" * 0x3F00, "arrays": b"\xdc\x3f\x00" + b"\x90" * 0x3F00},
    JSON_CODEC: {"maps": b"[" + b"{}," * 5000 + b"{}]", "arrays": b"[" + b"[]," * 5000 + b"[]]"},
}


def outcome(decode: Callable[[bytes | str], object], data: bytes | str) -> object:
    """Return the message that was decoded or the BadInputError that was raised; nothing else may be."""
    try:
        return decode(data)
    except BadInputError as caught:
        return caught


def fault(codec: Codec, data: bytes | str) -> ErrorCode | None:
    """Return the code of what is wrong with a client's message, or None if nothing is.

    Asserts what holds for every input: no other exception, a short text, little memory; what was taken
    for a message encodes to bytes that mean the same.
    """
    tracemalloc.start()
    try:
        result = outcome(codec.from_client, data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < LITTLE_MEMORY
    if not isinstance(result, BadInputError):
        assert codec.from_client(codec.encode(cast("FromClient", result))) == result
        return None
    assert result.code in INPUT_CODES
    assert result.text.startswith(result.code.sentence)
    assert len(result.text) < 300
    return result.code


def test_every_kind_of_bad_input_has_its_code(bad_input: dict[str, str]) -> None:
    """The file is for implementers in any language."""
    codec = JSON_CODEC if bad_input["encoding"] == "json" else MSGPACK_CODEC
    data = bytes.fromhex(bad_input["hex"]) if "hex" in bad_input else bad_input["text"].encode()
    assert fault(codec, data) == bad_input["code"]
    if "text" in bad_input:
        assert fault(codec, bad_input["text"]) == bad_input["code"]


def test_text_on_a_messagepack_connection_is_undecodable() -> None:
    assert fault(MSGPACK_CODEC, '{"type":"ping"}') is ErrorCode.UNDECODABLE


def test_a_lone_surrogate_in_a_decoded_text_is_undecodable() -> None:
    """No WebSocket library accepts one, but a str of Python can hold one."""
    assert fault(JSON_CODEC, '{"type":"chat","text":"\ud800"}') is ErrorCode.UNDECODABLE


@pytest.mark.parametrize(("codec", "kind"), DEEP)
@pytest.mark.parametrize("before", [UNDO, SETTINGS, dict.fromkeys(UNDO, b"")], ids=["extra", "field", "top"])
def test_16_kib_of_nested_containers_are_refused_cheaply(
    codec: Codec, kind: str, before: dict[Codec, bytes]
) -> None:
    """Deep nesting neither ends in another exception nor costs memory, wherever it stands."""
    opener = OPENERS[codec][kind]
    nested = before[codec] + opener * ((limits.MESSAGE_BYTES - len(before[codec])) // len(opener))
    assert fault(codec, nested) is ErrorCode.UNDECODABLE


@pytest.mark.parametrize("depth", [*range(1, 33), 100, 300, 700])
def test_an_unknown_field_can_have_nested_values(depth: int) -> None:
    """Unknown fields are skipped without building them."""
    assert fault(JSON_CODEC, UNDO[JSON_CODEC] + b"[" * depth + b"]" * depth + b"}") is None
    assert fault(MSGPACK_CODEC, UNDO[MSGPACK_CODEC] + b"\x91" * depth + b"\x90") is None


def test_deeper_nesting_is_read_to_its_end_or_refused() -> None:
    """Python 3.11 reads about a thousand levels, 3.13 ten thousand, 3.14 all that fit; each costs little."""
    for depth in (1_500, 5_000, 8_000, 16_000):
        either = {None, ErrorCode.UNDECODABLE}
        assert fault(JSON_CODEC, UNDO[JSON_CODEC] + b"[" * depth + b"]" * depth + b"}") in either
        assert fault(MSGPACK_CODEC, UNDO[MSGPACK_CODEC] + b"\x91" * depth + b"\x90") in either


@BOTH
@pytest.mark.parametrize("kind", ["maps", "arrays"])
def test_16_kib_of_empty_containers_cost_little(codec: Codec, kind: str) -> None:
    """A megabyte of memory for a message of 16 KiB would be a lever."""
    empties, end = EMPTIES[codec][kind], b"" if codec.binary else b"}"
    assert fault(codec, empties) is ErrorCode.BAD_MESSAGE
    assert fault(codec, SETTINGS[codec] + empties + end) is ErrorCode.BAD_MESSAGE
    assert fault(codec, UNDO[codec] + empties + end) is None


@BOTH
def test_an_unknown_field_can_have_a_value_of_any_kind(codec: Codec) -> None:
    """Newer clients can send what this server cannot represent."""
    if codec is MSGPACK_CODEC:
        extras = [
            msgpack.ExtType(5, b"x"),
            msgpack.Timestamp(1, 0),
            b"\xff",
            float("nan"),
            -(2**63),
            2**64 - 1,
        ]
        values = [msgpack.packb(each) for each in extras]
        ends = b""
    else:
        values = [b"1e400", b"9" * 5000, b"-0.0", b'"\\u0000"']
        ends = b"}"
    for value in values:
        assert codec.from_client(UNDO[codec] + value + ends) == Undo(race=1, n=1)


@pytest.mark.parametrize("length", range(1, 200))
def test_a_fault_that_quotes_what_came_stays_short(length: int) -> None:
    """A message of 16 KiB is not echoed; nor does its content decide what the fault is taken for."""
    quoted = "Invalid value - at `$.type`" * length
    data = json.dumps({"type": "create", "settings": {"ranking": quoted}})
    assert fault(JSON_CODEC, data) is ErrorCode.BAD_MESSAGE


@BOTH
@given(data=st.binary(max_size=200))
def test_random_bytes_are_answered(codec: Codec, data: bytes) -> None:
    assert fault(codec, data) in INPUT_CODES


@given(text=st.text(alphabet=st.characters(), max_size=200))
def test_random_text_is_answered(text: str) -> None:
    assert fault(JSON_CODEC, text) in INPUT_CODES


@BOTH
@given(data=st.data())
def test_a_message_with_a_few_bytes_changed_is_answered(
    codec: Codec, data: st.DataObject, client_vectors: list[Vector]
) -> None:
    """A mutated message is another message or a fault, never anything else."""
    vector = data.draw(st.sampled_from(client_vectors))
    mutant = bytearray(vector.msgpack if codec is MSGPACK_CODEC else vector.json)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(mutant)))
        end = data.draw(st.integers(start, min(len(mutant), start + 3)))
        mutant[start:end] = data.draw(st.binary(max_size=6))
    fault(codec, bytes(mutant))


@BOTH
@given(data=st.data())
def test_a_server_s_message_with_a_few_bytes_changed_is_answered(
    codec: Codec, data: st.DataObject, server_vectors: list[Vector]
) -> None:
    """A client gets BadInputError and no other exception, too."""
    vector = data.draw(st.sampled_from(server_vectors))
    mutant = bytearray(vector.msgpack if codec is MSGPACK_CODEC else vector.json)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(mutant)))
        mutant[start : start + 2] = data.draw(st.binary(max_size=4))
    result = outcome(codec.from_server, bytes(mutant))
    assert type(result) in SERVER_CLASSES.values() or getattr(result, "code", None) in INPUT_CODES


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@BOTH
@given(data=st.data())
def test_a_message_with_other_values_in_its_fields_is_answered(
    codec: Codec, data: st.DataObject, client_vectors: list[Vector]
) -> None:
    """Any value in any field is taken or is a wrong field; the encoding as such is right."""
    vector = data.draw(st.sampled_from(client_vectors))
    content = json.loads(vector.json)
    names = st.sampled_from([name for name in content if name != "type"] or ["ref"])
    for name in data.draw(st.lists(names, min_size=1, max_size=3)):
        content[name] = data.draw(VALUES)
    encoded = msgpack.packb(content) if codec is MSGPACK_CODEC else json.dumps(content).encode()
    assert fault(codec, encoded) in {None, ErrorCode.BAD_MESSAGE}


def test_the_fuzz_starts_from_every_message(client_vectors: list[Vector]) -> None:
    assert {vector.type for vector in client_vectors} == CLIENT_CLASSES.keys()
