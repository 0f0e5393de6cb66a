"""Readers of the frozen examples: of every message in both encodings, and of a whole race.

A file of examples is one JSON object: for each type of message a list of examples, each with its case, its
JSON text and its MessagePack in hexadecimal digits. The file of a race is a list of lines, each with a client
and the message that it `sends` or `receives`; `omit` marks those that a document leaves out.
"""

from dataclasses import dataclass

import msgspec


class _Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    case: str
    json: str
    msgpack: str


@dataclass(frozen=True, slots=True)
class Vector:
    """One example of a message, as the bytes on the wire."""

    type: str
    case: str
    json: bytes
    msgpack: bytes


def read(text: str) -> list[Vector]:
    """Return the examples of a file. Raises ValueError if it has another form."""
    examples = msgspec.json.decode(text, type=dict[str, list[_Example]])
    return [
        Vector(name, each.case, each.json.encode(), bytes.fromhex(each.msgpack))
        for name, cases in examples.items()
        for each in cases
    ]


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One message of a transcript as JSON text, sent or received by a client."""

    who: str
    sends: str = ""
    receives: str = ""
    omit: bool = False


def read_race(text: str) -> list[Line]:
    """Return the lines of a transcript. Raises ValueError if it has another form."""
    return msgspec.json.decode(text, type=list[Line])
