"""The frozen files have every message, every field and every value of an enum."""

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any

import msgspec
import pytest

from protocol.codec import JSON_CODEC
from protocol.docs import vectors
from protocol.docs.classes import CLIENT_CLASSES, SERVER_CLASSES

Visit = tuple[type, str]


def used(message: object) -> Iterator[Visit]:
    """Yield the (class, name) of each field that is on the wire, the (class, value) of each enum."""
    match message:
        case msgspec.Struct():
            for field in msgspec.structs.fields(message):
                value = getattr(message, field.name)
                if value != field.default or not message.__struct_config__.omit_defaults:
                    yield type(message), field.encode_name
                yield from used(value)
        case list():
            for each in message:
                yield from used(each)
        case Enum():
            yield type(message), message.value
        case _:
            return


def usable(kind: Any) -> Iterator[Visit]:
    """Yield all that `used` can find in messages of a type."""
    match kind:
        case msgspec.inspect.StructType():
            for field in kind.fields:
                yield kind.cls, field.encode_name
                yield from usable(field.type)
        case msgspec.inspect.EnumType():
            yield from ((kind.cls, value.value) for value in kind.cls)
        case msgspec.inspect.ListType():
            yield from usable(kind.item_type)
        case msgspec.inspect.Metadata():
            yield from usable(kind.type)
        case msgspec.inspect.UnionType():
            for each in kind.types:
                yield from usable(each)
        case _:
            return


def unused(classes: Iterable[type], messages: Iterable[object]) -> list[str]:
    everything = {visit for cls in classes for visit in usable(msgspec.inspect.type_info(cls))}
    heard = {visit for message in messages for visit in used(message)}
    return sorted(f"{cls.__name__}: {name}" for cls, name in everything - heard)


def test_every_message_of_a_client_has_a_vector(client_vectors: list[vectors.Vector]) -> None:
    """A new message needs an example in tests/data/wire/from_client.json before it is sent."""
    missing = CLIENT_CLASSES.keys() - {vector.type for vector in client_vectors}
    assert sorted(missing) == [], "add an example to tests/data/wire/from_client.json"


def test_every_message_of_a_server_has_a_vector(server_vectors: list[vectors.Vector]) -> None:
    """A new message needs an example in tests/data/wire/from_server.json before it is sent."""
    missing = SERVER_CLASSES.keys() - {vector.type for vector in server_vectors}
    assert sorted(missing) == [], "add an example to tests/data/wire/from_server.json"


def test_every_field_and_value_of_a_client_occurs_in_a_vector(client_vectors: list[vectors.Vector]) -> None:
    """A new field or setting needs an example in which it occurs."""
    messages = [JSON_CODEC.from_client(vector.json) for vector in client_vectors]
    assert unused(CLIENT_CLASSES.values(), messages) == [], "extend tests/data/wire/from_client.json"


def test_every_field_and_value_of_a_server_occurs_in_a_vector(server_vectors: list[vectors.Vector]) -> None:
    """A new field or value needs an example in which it occurs."""
    messages = [JSON_CODEC.from_server(vector.json) for vector in server_vectors]
    assert unused(SERVER_CLASSES.values(), messages) == [], "extend tests/data/wire/from_server.json"


def test_the_type_of_an_example_is_the_type_of_its_message(
    client_vectors: list[vectors.Vector], server_vectors: list[vectors.Vector]
) -> None:
    for vector in client_vectors + server_vectors:
        assert msgspec.json.decode(vector.json)["type"] == vector.type


def test_cases_of_one_type_have_different_names(
    client_vectors: list[vectors.Vector], server_vectors: list[vectors.Vector]
) -> None:
    names = [(vector.type, vector.case) for vector in client_vectors + server_vectors]
    assert len(set(names)) == len(names)


def test_reading_gives_the_bytes_of_each_example() -> None:
    text = (
        '{"ping": [{"case": "bare", "json": "{\\"type\\":\\"ping\\"}", "msgpack": "81a474797065a470696e67"}]}'
    )
    expected = vectors.Vector("ping", "bare", b'{"type":"ping"}', b"\x81\xa4type\xa4ping")
    assert vectors.read(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"ping": {}}',
        '{"ping": [{"case": "bare", "json": "{}"}]}',
        '{"ping": [{"case": "bare", "json": "{}", "msgpack": "8"}]}',
        '{"ping": [{"case": "bare", "json": "{}", "msgpack": "80", "mspack": "80"}]}',
    ],
)
def test_a_file_in_another_form_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the words are those of the decoder
        vectors.read(text)


def test_a_race_is_read_line_by_line() -> None:
    text = '[{"who": "Ann", "sends": "{}"}, {"who": "Bo", "receives": "{}", "omit": true}]'
    assert vectors.read_race(text) == [
        vectors.Line("Ann", sends="{}"),
        vectors.Line("Bo", receives="{}", omit=True),
    ]


@pytest.mark.parametrize("text", ["", "{}", '[{"sends": "{}"}]', '[{"who": "Ann", "shouts": "{}"}]'])
def test_a_race_in_another_form_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the words are those of the decoder
        vectors.read_race(text)
