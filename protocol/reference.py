"""The parts of PROTOCOL.md that are made from the code: every message, piece, code and limit.

They stand between `<!-- generated: NAME -->` and `<!-- end -->`. `docs/protocol/build.py` writes them.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from typing import Any, Final

import msgspec
from msgspec import inspect

from protocol import glossary, limits
from protocol.closes import CloseCode
from protocol.errors import ErrorCode
from protocol.exchanges import REQUESTS, moment
from protocol.notices import NoticeCode
from protocol.refusals import RefusalCode
from protocol.schema import CLASSES, CLIENT_CLASSES, SERVER_CLASSES
from protocol.vectors import Line, Vector

_BLOCK: Final = re.compile(r"(<!-- generated: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_LONG: Final = 700
"""Bytes of JSON beyond which a shorter example of the same message is shown, if there is one."""

_HEX_LINE: Final = 48
"""Bytes in a line of MessagePack."""


def fill(text: str, blocks: Mapping[str, str]) -> str:
    """Return a document with its generated parts made anew; ValueError if one is missing or unknown."""
    named = [match[2] for match in _BLOCK.finditer(text)]
    if sorted(named) != sorted(blocks):
        raise ValueError(f"the document has the parts {sorted(named)}, there are {sorted(blocks)}")
    return _BLOCK.sub(lambda match: f"{match[1]}\n{blocks[match[2]].strip()}\n\n{match[3]}", text)


def blocks(
    client: Sequence[Vector], server: Sequence[Vector], race: Sequence[Line], limits_source: str
) -> dict[str, str]:
    """Return the text of each generated part; `limits_source` is the text of `protocol/limits.py`."""
    return {
        "transcript": transcript(race),
        "encodings": _encodings([*client, *server]),
        "requests": "\n\n".join(_message(name, client) for name in CLIENT_CLASSES),
        "answers": "\n\n".join(_message(name, server) for name in SERVER_CLASSES),
        "pieces": pieces(),
        "errors": _table(
            ("code", "meaning", "temporary"),
            ((f"`{each}`", each.sentence, "yes" if each.temporary else "no") for each in ErrorCode),
        ),
        "refusals": _table(
            ("code", "in English", "in Traditional Chinese"),
            ((f"`{each}`", each.english, each.chinese) for each in RefusalCode),
        ),
        "notices": _table(
            ("code", "in English", "in Traditional Chinese"),
            ((f"`{each}`", each.english, each.chinese) for each in NoticeCode),
        ),
        "closes": _table(
            ("code", "meaning", "reconnect"),
            ((str(each.value), each.sentence, "yes" if each.reconnect else "no") for each in CloseCode),
        ),
        "limits": _table(("limit", "value", "what it binds"), _limits(limits_source)),
    }


def transcript(race: Iterable[Line]) -> str:
    """Return the lines of a race that a document shows: `>` what a client says, `<` what it hears."""
    shown, left_out = ["```"], 0
    for line in [*race, None]:
        if line is not None and line.omit:
            left_out += 1
            continue
        if left_out > 4:
            shown.append(f"    ... {left_out} more messages ...")
        left_out = 0
        if line is not None:
            shown.append(f"{line.who:<4}{'>' if line.says else '<'} {line.says or line.hears}")
    return "\n".join([*shown, "```"])


def _encodings(vectors: Sequence[Vector]) -> str:
    chosen = [_example(name, vectors) for name in ("move", "accepted", "refused")]
    return "\n\n".join(_bytes(vector) for vector in chosen)


def _message(name: str, vectors: Sequence[Vector]) -> str:
    cls = CLASSES[name]
    exchange = REQUESTS.get(name)
    lines = [f"### `{name}`", "", _prose(cls), ""]
    if exchange is None:
        lines += ["- Direction: server to client", f"- When: {moment(name)}"]
    else:
        lines += ["- Direction: client to server", f"- When: {moment(name)}"]
        lines.append("- Answer: " + " or ".join(f"`{each}`" for each in exchange.answers))
        if exchange.errors:
            lines.append("- Errors: " + ", ".join(f"`{each}`" for each in exchange.errors))
        elif "refused" in exchange.answers:
            lines.append("- Refusals: see [Refusals](#refusals)")
        else:
            lines.append("- Errors: only those that any request can meet")
    return "\n".join([*lines, "", _fields(name, cls), "", _bytes(_example(name, vectors))])


def _example(name: str, vectors: Sequence[Vector]) -> Vector:
    mine = [vector for vector in vectors if vector.type == name]
    return mine[0] if len(mine[0].json) <= _LONG else min(mine, key=lambda vector: len(vector.json))


def _bytes(vector: Vector) -> str:
    digits = [
        vector.msgpack[start : start + _HEX_LINE].hex() for start in range(0, len(vector.msgpack), _HEX_LINE)
    ]
    return "\n".join(["```json", vector.json.decode(), "```", "```msgpack", *digits, "```"])


def pieces() -> str:
    """Return a section for each piece that messages share, and for each enum."""
    found: dict[str, Any] = {}
    for cls in CLASSES.values():
        for field in inspect.type_info(cls).fields:  # type: ignore[attr-defined]
            _collect(field.type, found)
    return "\n\n".join(_piece(name, found[name]) for name in sorted(found))


def _collect(kind: Any, found: dict[str, Any]) -> None:
    match kind:
        case inspect.StructType():
            if kind.cls.__name__ not in found:
                found[kind.cls.__name__] = kind.cls
                for field in kind.fields:
                    _collect(field.type, found)
        case inspect.EnumType():
            found[kind.cls.__name__] = kind.cls
        case inspect.ListType():
            _collect(kind.item_type, found)
        case inspect.UnionType():
            for each in kind.types:
                _collect(each, found)
        case _:
            pass


def _piece(name: str, cls: Any) -> str:
    if issubclass(cls, Enum):
        rows = ((f"`{each.value}`", glossary.of_value(name, each.value)) for each in cls)
        body = _table(("value", "meaning"), rows)
    else:
        body = _fields(name, cls)
    return f"### {_heading(cls)}\n\n{_prose(cls)}\n\n{body}"


def _heading(cls: type) -> str:
    """Return a heading that no message has, so that links lead to the piece: `board`, but `Phase values`."""
    return f"{cls.__name__} {'values' if issubclass(cls, Enum) else 'object'}"


def _prose(cls: type) -> str:
    return "\n\n".join(" ".join(part.split()) for part in (cls.__doc__ or "").split("\n\n"))


def _fields(owner: str, cls: type[msgspec.Struct]) -> str:
    rows = []
    if cls.__struct_config__.tag is not None:
        rows.append(("`type`", f'"{owner}"', "yes", glossary.of_field(owner, "type")))
    for field in inspect.type_info(cls).fields:  # type: ignore[attr-defined]
        kind, required = _kind(field.type), "yes" if field.required else _default(field.default)
        meaning = glossary.of_field(owner, field.encode_name)
        rows.append((f"`{field.encode_name}`", kind, required, meaning))
    return _table(("field", "type", "required", "meaning"), rows)


def _default(value: Any) -> str:
    if value is None:
        return "no"
    if isinstance(value, msgspec.Struct):
        return "no: all defaults"
    return f"no: `{json.dumps(value)}`"


def _kind(kind: Any) -> str:
    match kind:
        case inspect.Metadata():
            return _kind(kind.type)
        case inspect.UnionType():
            return " or ".join(_kind(each) for each in kind.types if not isinstance(each, inspect.NoneType))
        case inspect.IntType():
            least = kind.ge
            most = kind.le if kind.lt is None else kind.lt - 1
            return "integer" if least is None else f"integer, {least} to {most:,}"
        case inspect.StrType():
            if kind.max_length is None:
                return "text"
            return f"text, {kind.min_length or 0} to {kind.max_length} characters"
        case inspect.FloatType():
            return "number"
        case inspect.BoolType():
            return "boolean"
        case inspect.ListType():
            return f"list of {_kind(kind.item_type)}"
        case inspect.StructType() | inspect.EnumType():
            anchor = _heading(kind.cls).lower().replace(" ", "-")
            return f"[{kind.cls.__name__}](#{anchor})"
        case _:
            raise TypeError(f"no words for a field of {kind}")


def _limits(source: str) -> Iterator[tuple[str, ...]]:
    """Yield each limit with the sentence that stands below it in the source."""
    body = ast.parse(source).body
    for statement, below in pairwise(body):
        match statement, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                yield f"`{name}`", f"{getattr(limits, name):,.10g}", " ".join(words.split())
            case _:
                pass


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
