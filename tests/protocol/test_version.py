"""The version of the protocol and its subprotocols."""

import re

from protocol.version import JSON, MSGPACK, SUBPROTOCOLS, VERSION


def test_the_subprotocols_carry_the_major_version() -> None:
    """A client of another major version is refused in the handshake."""
    assert (VERSION, MSGPACK, JSON) == (1, "simonrace.v1.msgpack", "simonrace.v1.json")


def test_messagepack_is_preferred() -> None:
    assert SUBPROTOCOLS == (MSGPACK, JSON)


def test_a_subprotocol_is_a_valid_header_token() -> None:
    """RFC 6455 section 4.1: the characters of an HTTP token."""
    assert all(re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name) for name in SUBPROTOCOLS)
