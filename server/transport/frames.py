"""WebSocket frames from server to client: never masked, so one encoding serves every receiver."""

import struct
from typing import Final

_FINAL_TEXT: Final = 0x81
_FINAL_BINARY: Final = 0x82
_short = struct.Struct("!BB").pack
_medium = struct.Struct("!BBH").pack
_long = struct.Struct("!BBQ").pack


def text_frame(payload: bytes) -> bytes:
    """Frame one whole text message; the payload is UTF-8."""
    return _header(_FINAL_TEXT, len(payload)) + payload


def binary_frame(payload: bytes) -> bytes:
    """Frame one whole binary message."""
    return _header(_FINAL_BINARY, len(payload)) + payload


def _header(first: int, length: int) -> bytes:
    """Write the shortest header for the length, RFC 6455 section 5.2."""
    if length < 126:
        return _short(first, length)
    if length < 0x10000:
        return _medium(first, 126, length)
    return _long(first, 127, length)
