"""The classes of all messages by their type, and what each says about itself."""

from collections.abc import Iterator
from enum import Enum
from typing import Any, Final, NamedTuple, get_args

import msgspec
from msgspec import inspect

from protocol.actions import Action
from protocol.base import Message, Request
from protocol.from_client import FromClient
from protocol.from_server import FromServer

CLIENT_CLASSES: Final[dict[str, type[Request | Action]]] = {
    str(cls.__struct_config__.tag): cls for cls in get_args(FromClient)
}
SERVER_CLASSES: Final[dict[str, type[Message]]] = {
    str(cls.__struct_config__.tag): cls for cls in get_args(FromServer)
}
CLASSES: Final[dict[str, type[msgspec.Struct]]] = {**CLIENT_CLASSES, **SERVER_CLASSES}

OF_TYPE: Final = "type of the message"
"""Description of the field `type`, which no class writes down."""


class Described(NamedTuple):
    """A field of a message or shared object; `kind` is its type as `msgspec.inspect` sees it."""

    name: str
    kind: Any
    required: bool
    default: Any
    description: str


def fields(cls: type[msgspec.Struct]) -> Iterator[Described]:
    """Yield the fields of a class. Raises ValueError if one has no description."""
    for field in inspect.type_info(cls).fields:  # type: ignore[attr-defined]
        text = description(field.type)
        if not text:
            where = f"{cls.__name__}.{field.name}"
            raise ValueError(f"{where} has no description: annotate it with Meta(description=...)")
        yield Described(field.encode_name, field.type, field.required, field.default, text)


def description(kind: Any) -> str:
    """Return the description that a type is annotated with, or an empty string."""
    match kind:
        case inspect.Metadata(extra_json_schema={"description": str(text)}):
            return text
        case inspect.Metadata():
            return description(kind.type)
        case inspect.UnionType():
            return next(filter(None, map(description, kind.types)), "")
        case _:
            return ""


def moment(name: str) -> str:
    """Return when a message is sent."""
    cls = CLIENT_CLASSES.get(name) or SERVER_CLASSES[name]
    if cls.when:
        return cls.when
    requests = [f"`{each}`" for each, request in CLIENT_CLASSES.items() if cls in request.answers]
    if not requests:
        raise ValueError(f"{cls.__name__} has no `when` and answers nothing")
    return "answer to " + " and ".join(requests)


def shared() -> dict[str, type[msgspec.Struct | Enum]]:
    """Return the objects and enums that messages contain, by name, in alphabetical order."""
    found: dict[str, type[msgspec.Struct | Enum]] = {}
    for cls in CLASSES.values():
        for field in inspect.type_info(cls).fields:  # type: ignore[attr-defined]
            _collect(field.type, found)
    return dict(sorted(found.items()))


def _collect(kind: Any, found: dict[str, type[msgspec.Struct | Enum]]) -> None:
    match kind:
        case inspect.Metadata():
            _collect(kind.type, found)
        case inspect.StructType() if kind.cls.__name__ not in found:
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
