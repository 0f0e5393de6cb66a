"""What a BadInputError repeats of the input, so that the sender can match it."""

import json
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pytest

from protocol.codec import CODECS, MSGPACK_CODEC, BadInputError, Codec, Echo

BOTH = pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS.keys())


def echo(codec: Codec, content: Any) -> Echo:
    """Return the echo of content that is no message."""
    data = msgpack.packb(content) if codec is MSGPACK_CODEC else json.dumps(content).encode()
    with pytest.raises(BadInputError) as caught:
        codec.from_client(data)
    return caught.value.echo


@BOTH
def test_a_bad_action_is_identified_by_its_type_race_and_number(codec: Codec) -> None:
    bad = {"type": "move", "race": 2, "n": 7, "from": 100, "to": 0, "cards": 1}
    assert echo(codec, bad) == Echo("move", race=2, n=7)


@BOTH
def test_a_bad_request_is_identified_by_its_type_and_reference(codec: Codec) -> None:
    assert echo(codec, {"ref": 5, "type": "chat"}) == Echo("chat", ref=5)


@BOTH
def test_an_unknown_type_is_repeated(codec: Codec) -> None:
    assert echo(codec, {"type": "fly", "ref": 9}) == Echo("fly", ref=9)


@BOTH
@pytest.mark.parametrize("wrong", [-1, 2**31, 1.5, "1", True, None, [1], {"n": 1}])
def test_a_field_that_cannot_be_read_is_left_out_and_the_others_are_repeated(
    codec: Codec, wrong: Any
) -> None:
    assert echo(codec, {"type": "undo", "race": 3, "n": wrong}) == Echo("undo", race=3)
    assert echo(codec, {"type": "undo", "race": wrong, "n": 4}) == Echo("undo", n=4)
    assert echo(codec, {"type": wrong, "ref": 6}).ref == 6


@BOTH
def test_a_long_type_is_not_repeated(codec: Codec) -> None:
    """An answer stays short, whatever the input is."""
    assert echo(codec, {"type": "x" * 64, "ref": 1}) == Echo("x" * 64, ref=1)
    assert echo(codec, {"type": "x" * 65, "ref": 1}) == Echo(None, ref=1)


@BOTH
@pytest.mark.parametrize("content", [1, "undo", None, [], ["undo", 1], {}])
def test_input_without_the_fields_has_an_empty_echo(codec: Codec, content: Any) -> None:
    assert echo(codec, content) == Echo()


@BOTH
def test_undecodable_input_has_an_empty_echo(codec: Codec) -> None:
    data = b"\xc1" if codec is MSGPACK_CODEC else b'{"type":"undo","race":1,'
    with pytest.raises(BadInputError) as caught:
        codec.from_client(data)
    assert caught.value.echo == Echo()
