"""MessagePack with the widest integers and headers. It is valid, and other encoders than ours send it."""

import struct
from typing import Any


def encode(value: Any) -> bytes:
    """Encode a message of builtin values: integers take 8 bytes, lengths of maps, arrays and texts 4."""
    match value:
        case None | bool():
            return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
        case int():
            return struct.pack(">BQ", 0xCF, value) if value >= 0 else struct.pack(">Bq", 0xD3, value)
        case str():
            data = value.encode()
            return struct.pack(">BI", 0xDB, len(data)) + data
        case list() | tuple():
            return struct.pack(">BI", 0xDD, len(value)) + b"".join(map(encode, value))
        case dict():
            pairs = (encode(name) + encode(each) for name, each in value.items())
            return struct.pack(">BI", 0xDF, len(value)) + b"".join(pairs)
    raise TypeError(f"no message has a {type(value).__name__}")
