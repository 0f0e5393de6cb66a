"""Integers written as floats: some programs, game engines among them, send `1.0` for 1.

A strict decoder refuses such a message. `loose` returns types for a second decoder in which every integer may
also be a float, and `tightened` turns what that decoder returned into the strict message.
"""

from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec


def loose(kind: Any) -> Any:
    """Return a type that also accepts floats for integers, without bounds. Unknown fields stay unbuilt."""
    if kind is int:
        return int | float
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _loose_struct(kind)
    if get_origin(kind) is Annotated:
        inner, *details = get_args(kind)
        other = loose(inner)
        return kind if other is inner else other if inner is int else Annotated[other, *details]
    if get_origin(kind) in (Union, UnionType):
        return Union[tuple(loose(each) for each in get_args(kind))]  # noqa: UP007 - made at run time
    return kind


def _loose_struct(cls: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """Return a struct with the fields and the tag of another; absent optional fields stay absent."""
    hints = get_type_hints(cls, include_extras=True)
    config = cls.__struct_config__
    fields: list[Any] = []
    for field in msgspec.structs.fields(cls):
        kind = loose(hints[field.name])
        if field.required:
            fields.append((field.name, kind, msgspec.field(name=field.encode_name)))
        else:
            absent = msgspec.field(name=field.encode_name, default=msgspec.UNSET)
            fields.append((field.name, kind | msgspec.UnsetType, absent))
    return msgspec.defstruct(cls.__name__, fields, tag=config.tag, tag_field=config.tag_field, kw_only=True)


def tightened(message: msgspec.Struct, kind: Any) -> Any:
    """Return a message of loose types as one of the strict type. Raises msgspec.ValidationError."""
    return msgspec.convert(_with_integers(msgspec.to_builtins(message)), kind)


def _with_integers(value: Any) -> Any:
    """Return builtin values with every whole float as an integer: no field of a message is a float."""
    if isinstance(value, dict):
        return {name: _with_integers(each) for name, each in value.items()}
    return whole(value)


def whole(value: Any) -> Any:
    """Return a whole float as an integer, and anything else as it is: 1.5, infinities and NaN, too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
