"""Encoding and decoding: the bytes are frozen, and an independent MessagePack package agrees."""

import json
from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest

from protocol.codec import CODECS, JSON_CODEC, MSGPACK_CODEC, BadInputError, Codec
from protocol.docs.classes import CLASSES, CLIENT_CLASSES
from protocol.docs.vectors import Vector
from protocol.errors import ErrorCode
from protocol.from_client import Join, Move, Undo
from protocol.from_server import Accepted
from protocol.version import SUBPROTOCOLS

BOTH = pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS.keys())


def pack(codec: Codec, content: object) -> bytes:
    """Encode plain content with packages that do not know our messages."""
    if codec is MSGPACK_CODEC:
        data: bytes = msgpack.packb(content)
        return data
    return json.dumps(content).encode()


def with_extras(content: Any) -> Any:
    """Return plain content with an unknown field of every kind in each of its objects."""
    if isinstance(content, dict):
        known = {name: with_extras(value) for name, value in content.items()}
        return {"future": None, **known, "later": [1, -2.5, {"deep": [True, "x"]}], "": 2**40}
    if isinstance(content, list):
        return [with_extras(each) for each in content]
    return content


def test_a_clients_message_has_these_bytes_in_json(client_vector: Vector) -> None:
    """What we encode never changes silently: the text of each example is frozen."""
    assert JSON_CODEC.encode(JSON_CODEC.from_client(client_vector.json)) == client_vector.json


def test_a_clients_message_has_these_bytes_in_messagepack(client_vector: Vector) -> None:
    """What we encode never changes silently: the bytes of each example are frozen."""
    message = JSON_CODEC.from_client(client_vector.json)
    assert MSGPACK_CODEC.encode(message).hex() == client_vector.msgpack.hex()
    assert MSGPACK_CODEC.from_client(client_vector.msgpack) == message


def test_a_servers_message_has_these_bytes_in_json(server_vector: Vector) -> None:
    """What we encode never changes silently: the text of each example is frozen."""
    assert JSON_CODEC.encode(JSON_CODEC.from_server(server_vector.json)) == server_vector.json


def test_a_servers_message_has_these_bytes_in_messagepack(server_vector: Vector) -> None:
    """What we encode never changes silently: the bytes of each example are frozen."""
    message = JSON_CODEC.from_server(server_vector.json)
    assert MSGPACK_CODEC.encode(message).hex() == server_vector.msgpack.hex()
    assert MSGPACK_CODEC.from_server(server_vector.msgpack) == message


def test_the_msgpack_package_and_we_read_each_other_for_clients(client_vector: Vector) -> None:
    """Two implementations meet; only the width of a map's header may differ between them."""
    content = json.loads(client_vector.json)
    assert msgpack.unpackb(client_vector.msgpack) == content
    assert MSGPACK_CODEC.from_client(msgpack.packb(content)) == JSON_CODEC.from_client(client_vector.json)


def test_the_msgpack_package_and_we_read_each_other_for_servers(server_vector: Vector) -> None:
    """Two implementations meet; only the width of a map's header may differ between them."""
    content = json.loads(server_vector.json)
    assert msgpack.unpackb(server_vector.msgpack) == content
    assert MSGPACK_CODEC.from_server(msgpack.packb(content)) == JSON_CODEC.from_server(server_vector.json)


@BOTH
def test_unknown_fields_of_a_client_are_ignored(codec: Codec, client_vector: Vector) -> None:
    """A newer client can send fields that this server does not know."""
    content = json.loads(client_vector.json)
    expected = JSON_CODEC.from_client(client_vector.json)
    assert codec.from_client(pack(codec, with_extras(content))) == expected


@BOTH
def test_unknown_fields_of_a_server_are_ignored(codec: Codec, server_vector: Vector) -> None:
    """A newer server can send fields that this client does not know."""
    content = json.loads(server_vector.json)
    expected = JSON_CODEC.from_server(server_vector.json)
    assert codec.from_server(pack(codec, with_extras(content))) == expected


@BOTH
def test_the_order_of_fields_does_not_matter(codec: Codec, client_vector: Vector) -> None:
    """Not even `type` has to come first."""
    content = json.loads(client_vector.json)
    backwards = dict(reversed(content.items()))
    assert codec.from_client(pack(codec, backwards)) == JSON_CODEC.from_client(client_vector.json)


@BOTH
@pytest.mark.parametrize("name", CLASSES)
def test_an_optional_field_that_is_absent_has_its_default(
    codec: Codec, name: str, client_vectors: list[Vector], server_vectors: list[Vector]
) -> None:
    """Each optional field, taken out of each example of its message, is as its definition says."""
    cls = CLASSES[name]
    decode = codec.from_client if name in CLIENT_CLASSES else codec.from_server
    for vector in client_vectors + server_vectors:
        if vector.type != name:
            continue
        content = json.loads(vector.json)
        for field in msgspec.structs.fields(cls):
            if field.required:
                continue
            rest = {key: value for key, value in content.items() if key != field.encode_name}
            assert getattr(decode(pack(codec, rest)), field.name) == field.default


@BOTH
@pytest.mark.parametrize("name", CLASSES)
def test_a_required_field_that_is_absent_is_a_bad_message(
    codec: Codec, name: str, client_vectors: list[Vector], server_vectors: list[Vector]
) -> None:
    cls = CLASSES[name]
    decode = codec.from_client if name in CLIENT_CLASSES else codec.from_server
    for vector in client_vectors + server_vectors:
        if vector.type != name:
            continue
        content = json.loads(vector.json)
        for field in msgspec.structs.fields(cls):
            if not field.required:
                continue
            rest = {key: value for key, value in content.items() if key != field.encode_name}
            with pytest.raises(BadInputError) as caught:
                decode(pack(codec, rest))
            assert caught.value.code is ErrorCode.BAD_MESSAGE
            assert field.encode_name in caught.value.text


@BOTH
def test_an_optional_field_may_be_null_where_absence_means_nothing(codec: Codec) -> None:
    data = pack(codec, {"type": "join", "room": "BKMRT", "password": None, "seen": None})
    assert codec.from_client(data) == Join(room="BKMRT")


@BOTH
def test_of_a_repeated_field_the_last_one_counts(codec: Codec) -> None:
    repeated = {
        MSGPACK_CODEC: b"\x84\xa4type\xa4undo\xa4race\x01\xa1n\x01\xa1n\x02",
        JSON_CODEC: b'{"type":"undo","race":1,"n":1,"n":2}',
    }
    assert codec.from_client(repeated[codec]) == Undo(race=1, n=2)


@BOTH
def test_a_message_of_the_other_side_is_of_unknown_type(codec: Codec) -> None:
    """A client cannot pretend to be the server, nor the other way round."""
    accepted = codec.encode(Accepted(race=1, n=1, at_ms=5, score=499, moves=1, runs=0, undoable=1))
    move = codec.encode(Move(race=1, n=1, source=0, target=1, cards=1))
    for decode, data in ((codec.from_client, accepted), (codec.from_server, move)):
        with pytest.raises(BadInputError) as caught:
            decode(data)
        assert caught.value.code is ErrorCode.UNKNOWN_TYPE


def test_json_may_come_as_text_or_as_bytes_with_blanks_around_it() -> None:
    text = ' {"type": "undo",\n\t"race": 1, "n": 7}\r\n'
    assert JSON_CODEC.from_client(text) == JSON_CODEC.from_client(text.encode()) == Undo(race=1, n=7)


def test_each_subprotocol_has_its_codec_and_kind_of_frame() -> None:
    assert list(CODECS) == list(SUBPROTOCOLS)
    assert [(codec.subprotocol, codec.binary) for codec in CODECS.values()] == [
        ("simonrace.v1.msgpack", True),
        ("simonrace.v1.json", False),
    ]


def test_no_type_means_two_messages() -> None:
    """Client and server share one name space of types, so that a log of both is unambiguous."""
    assert len(CLASSES) == len({cls.__struct_config__.tag for cls in CLASSES.values()})
