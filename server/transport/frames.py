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
    length = len(payload)
    header = _TEXT_HEADERS[length] if length < _READY else _header(_FINAL_TEXT, length)
    return header + payload


def binary_frame(payload: bytes) -> bytes:
    """Frame one whole binary message."""
    length = len(payload)
    header = _BINARY_HEADERS[length] if length < _READY else _header(_FINAL_BINARY, length)
    return header + payload


def _header(first: int, length: int) -> bytes:
    """Write the shortest header for the length, RFC 6455 section 5.2."""
    if length < 126:
        return _short(first, length)
    if length < 0x10000:
        return _medium(first, 126, length)
    return _long(first, 127, length)


_READY: Final = 1024
"""Headers of shorter payloads, that is of nearly all, are made once: a look-up is a third of the price."""

_TEXT_HEADERS: Final = [_header(_FINAL_TEXT, length) for length in range(_READY)]
_BINARY_HEADERS: Final = [_header(_FINAL_BINARY, length) for length in range(_READY)]
