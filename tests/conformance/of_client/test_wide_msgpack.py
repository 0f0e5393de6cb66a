"""MessagePack with the widest integers and headers."""

from typing import Any

import msgpack  # type: ignore[import-untyped]  # it brings no types
import msgspec
import pytest

from conformance.of_client.wide_msgpack import encode


@pytest.mark.parametrize(
    "value", [None, True, False, 0, 1, -1, 2**31, -(2**63), 2**64 - 1, "", "é 🂡", [], [1, ["x"]], {}]
)
def test_decoders_read_it_as_the_same_value(value: Any) -> None:
    message = {"type": "accepted", "value": value}
    assert msgpack.unpackb(encode(message)) == msgspec.msgpack.decode(encode(message)) == message


def test_integers_and_headers_have_the_widest_form() -> None:
    assert (
        encode({"n": 1}) == b"\xdf\x00\x00\x00\x01\xdb\x00\x00\x00\x01n\xcf\x00\x00\x00\x00\x00\x00\x00\x01"
    )


def test_a_value_that_no_message_has_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="no message has a float"):
        encode(1.5)
