"""The reference pages of messages and shared objects, made from their classes and the frozen examples."""

import json
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any, Final

import msgspec
from msgspec import inspect

from protocol.actions import Action
from protocol.base import COMMON_ERRORS, Event, Request
from protocol.described import Described
from protocol.docs import classes
from protocol.docs.classes import CLASSES, CLIENT_CLASSES, SERVER_CLASSES, moment, shared
from protocol.docs.markdown import GENERATED, example, paragraph, prose, table
from protocol.docs.vectors import Vector
from protocol.fields import Ref

_HEAD: Final = ("field", "type", "required", "meaning")

COMMON_FIELDS: Final = frozenset({"type", "ref"})
"""Fields that the head of a page describes for all messages that have them."""

BASES: Final = (Request, Action, Event)
"""Classes whose fields the head of a page describes, for all messages that inherit them."""


def from_client(vectors: Sequence[Vector]) -> str:
    """Return the page of the messages that a client sends."""
    common = ", ".join(f"`{code}`" for code in COMMON_ERRORS)
    intro = f"""
        A message is a request or an action of a racer. The answer to a request repeats its `ref`, the
        answer to an action its `race` and `n`. Any request can be answered by an `error` with one of
        {common}; each section lists the others. An action gets an `error` if it cannot be read or comes
        before `hello`; for any other reason it is `refused`. The codes are on [errors.md](errors.md)."""
    common_fields = table(
        ("in", *_HEAD),
        [
            ("every message", "`type`", "text", "yes", classes.OF_TYPE),
            *(("every request", *row) for row in _rows(Request)),
            *(("every action", *row) for row in _rows(Action)),
        ],
    )
    sections = (_client_section(name, vectors) for name in CLIENT_CLASSES)
    return _page("Messages from a client", intro, common_fields, sections)


def from_server(vectors: Sequence[Vector]) -> str:
    """Return the page of the messages that a server sends."""
    intro = """
        An optional field that has its default is absent: the server never sends `null`. A message with a
        `seq` is an event of the room, except `room` and `resumed`."""
    ref = classes.description(inspect.type_info(Ref))
    common_fields = table(
        ("in", *_HEAD),
        [
            ("every message", "`type`", "text", "yes", classes.OF_TYPE),
            ("every answer to a request", "`ref`", "integer", _default(0), ref),
            *(("every event", *row) for row in _rows(Event)),
        ],
    )
    sections = (_server_section(name, vectors) for name in SERVER_CLASSES)
    return _page("Messages from the server", intro, common_fields, sections)


def objects() -> str:
    """Return the page of the objects and enums that messages contain."""
    intro = """
        Objects and lists of values that several messages contain. Values can be added: a client treats an
        unknown one like an unknown field, not like an error."""
    sections = (f"## {name}\n\n{prose(cls)}\n\n{_body(cls)}" for name, cls in shared().items())
    return _page("Objects and values", intro, "", sections)


def _page(title: str, intro: str, head: str, sections: Iterable[str]) -> str:
    parts = [f"{GENERATED}# {title}", paragraph(intro), head, *sections]
    return "\n\n".join(part for part in parts if part) + "\n"


def _client_section(name: str, vectors: Sequence[Vector]) -> str:
    cls = CLIENT_CLASSES[name]
    answers = (f"[`{tag}`](messages-server.md#{tag})" for tag in map(_tag, cls.answers))
    lines = [f"- When: {moment(name)}", "- Answer: " + " or ".join(answers)]
    if cls.errors:
        lines.append("- Errors: " + ", ".join(f"`{code}`" for code in cls.errors))
    return _section(name, lines, vectors)


def _server_section(name: str, vectors: Sequence[Vector]) -> str:
    return _section(name, [f"- When: {moment(name)}"], vectors)


def _section(name: str, lines: Sequence[str], vectors: Sequence[Vector]) -> str:
    cls = CLASSES[name]
    inherited = {field for base in BASES if issubclass(cls, base) for field in base.__struct_encode_fields__}
    rows = [row for row in _rows(cls) if row[0].strip("`") not in inherited | COMMON_FIELDS]
    parts = [f"## `{name}`", prose(cls), "\n".join(lines)]
    if rows:
        parts.append(table(_HEAD, rows))
    return "\n\n".join([*parts, example(name, vectors)])


def _body(cls: type[msgspec.Struct | Enum]) -> str:
    if issubclass(cls, msgspec.Struct):
        return table(_HEAD, _rows(cls))
    if issubclass(cls, Described):
        return table(("value", "meaning"), ((f"`{each.value}`", each.description) for each in cls))
    raise TypeError(f"the values of {cls.__name__} have no descriptions: derive it from Described")


def _rows(cls: type[msgspec.Struct]) -> list[tuple[str, str, str, str]]:
    return [
        (f"`{name}`", _kind(kind), "yes" if required else _default(default), text)
        for name, kind, required, default, text in classes.fields(cls)
    ]


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
        case inspect.BoolType():
            return "boolean"
        case inspect.ListType():
            return f"list of {_kind(kind.item_type)}"
        case inspect.StructType() | inspect.EnumType():
            return f"[{kind.cls.__name__}](objects.md#{kind.cls.__name__.lower()})"
        case _:
            raise TypeError(f"the reference cannot describe a field of {kind}")


def _tag(cls: type[msgspec.Struct]) -> str:
    return str(cls.__struct_config__.tag)
