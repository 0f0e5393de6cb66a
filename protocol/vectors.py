"""Frozen examples of every message in both encodings, and of a whole race: what their files look like.

A file of examples is one JSON object: for each type of message a list of examples, each with its case, its
JSON text and the hexadecimal digits of its MessagePack. The file of a race is a list of lines, each with who
says or hears a message; `omit` marks those that a document may leave out. A client in any language can be
tested against them.
"""

from dataclasses import dataclass

import msgspec


class _Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    case: str
    json: str
    msgpack: str


@dataclass(frozen=True, slots=True)
class Vector:
    """One example of a message, as its bytes go over the wire."""

    type: str
    case: str
    json: bytes
    msgpack: bytes


def read(text: str) -> list[Vector]:
    """Return the examples of a file. Raises ValueError when it is not in the form above."""
    examples = msgspec.json.decode(text, type=dict[str, list[_Example]])
    return [
        Vector(name, each.case, each.json.encode(), bytes.fromhex(each.msgpack))
        for name, cases in examples.items()
        for each in cases
    ]


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One message of a transcript, as JSON text, said by a client or heard by it."""

    who: str
    says: str = ""
    hears: str = ""
    omit: bool = False


def read_race(text: str) -> list[Line]:
    """Return the lines of a transcript. Raises ValueError when it is not in the form above."""
    return msgspec.json.decode(text, type=list[Line])
