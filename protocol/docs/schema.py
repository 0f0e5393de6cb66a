"""The JSON Schema of all messages, made from their types; `python -m protocol.docs.schema` prints it.

A message stands in it under its `type`, a shared object under the name of its class.
"""

import json
from enum import Enum
from typing import Any, Final

import msgspec

from protocol.described import Described
from protocol.docs.classes import CLASSES, CLIENT_CLASSES, OF_TYPE, SERVER_CLASSES, fields, shared
from protocol.version import VERSION

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
DEFS: Final = "#/$defs/"


def definitions(prefix: str = DEFS) -> dict[str, Schema]:
    """Return the schema of each message and each shared object; `prefix` begins the references to them."""
    mark = "\0"
    references, found = msgspec.json.schema_components(list(CLASSES.values()), ref_template=mark + "{name}")
    names = {name: name.rpartition(".")[2] for name in found}
    names |= {ref["$ref"].removeprefix(mark): tag for ref, tag in zip(references, CLASSES, strict=True)}
    # Code generators make `GetGame` of `get_game`, and files whose names may differ by more than their case.
    if len({name.replace("_", "").lower() for name in names.values()}) != len(names):
        raise ValueError(f"two classes of messages share a name: {sorted(names.values())}")

    def renamed(node: Any) -> Any:
        match node:
            case {"$ref": str(target), **rest}:
                return {"$ref": prefix + names[target.removeprefix(mark)], **rest}
            case dict():
                return {key: renamed(value) for key, value in node.items()}
            case list():
                return [renamed(each) for each in node]
            case _:
                return node

    classes: dict[str, type[msgspec.Struct | Enum]] = {**shared(), **CLASSES}
    return {
        names[name]: _described(names[name], classes[names[name]], renamed(schema))
        for name, schema in found.items()
    }


def _described(name: str, cls: type[msgspec.Struct | Enum], schema: Schema) -> Schema:
    """Put the descriptions where readers expect them: at each property, and for an enum at the whole."""
    schema["title"] = name
    schema["description"] = " ".join(schema["description"].split())
    if issubclass(cls, Described):
        values = [f"`{each.value}`: {each.description}" for each in cls]
        schema["description"] += " " + "; ".join(values)
    elif issubclass(cls, msgspec.Struct):
        properties = schema["properties"]
        if "type" in properties:
            properties["type"].setdefault("description", OF_TYPE)
        for field in fields(cls):
            property_ = properties[field.name]
            for each in property_.get("anyOf", ()):
                each.pop("description", None)
            property_["description"] = field.description
    if not schema.get("required", True):
        del schema["required"]
    return schema


def document() -> Schema:
    """Return the JSON Schema, draft 2020-12, of every message: any message of either side is valid."""
    return {
        "$schema": DIALECT,
        "$id": f"urn:simonrace:protocol:{VERSION}",
        "title": f"Simon Race protocol, version {VERSION}",
        "description": "Every message as JSON. MessagePack has the same content. Fields may be added later.",
        "anyOf": [{"$ref": DEFS + "FromClient"}, {"$ref": DEFS + "FromServer"}],
        "$defs": {
            "FromClient": {
                "title": "FromClient",
                "description": "What a client may send.",
                "oneOf": [{"$ref": DEFS + name} for name in CLIENT_CLASSES],
            },
            "FromServer": {
                "title": "FromServer",
                "description": "What a server may send.",
                "oneOf": [{"$ref": DEFS + name} for name in SERVER_CLASSES],
            },
            **definitions(),
        },
    }


def text(content: Schema) -> str:
    """Return a document as it is committed and served: the same text for the same content."""
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(text(document()), end="")  # noqa: T201 - printing is what this command does
