"""The JSON Schema of all messages, made from their types; `python -m protocol.schema` prints it.

Messages stand in it under their `type`, the pieces that they share under the names of their classes.
"""

import json
from typing import Any, Final, get_args

import msgspec

from protocol import glossary
from protocol.from_client import FromClient
from protocol.from_server import FromServer
from protocol.version import VERSION

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
DEFS: Final = "#/$defs/"


def classes(union: object) -> dict[str, type[msgspec.Struct]]:
    """Return the class of each message of `FromClient` or `FromServer` by its type, in their order."""
    return {str(cls.__struct_config__.tag): cls for cls in get_args(union)}


CLIENT_CLASSES: Final = classes(FromClient)
SERVER_CLASSES: Final = classes(FromServer)
CLASSES: Final = CLIENT_CLASSES | SERVER_CLASSES


def definitions(prefix: str = DEFS) -> dict[str, Schema]:
    """Return the schema of each message and each shared piece; `prefix` begins the references to them."""
    return {name: _described(name, schema) for name, schema in undescribed(prefix).items()}


def undescribed(prefix: str = DEFS) -> dict[str, Schema]:
    """Return the same as `definitions`, but only what the types say: without the words of the glossary."""
    types = list(CLASSES.values())
    mark = "\0"
    references, found = msgspec.json.schema_components(types, ref_template=mark + "{name}")
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

    return {names[name]: renamed(schema) for name, schema in found.items()}


def _described(name: str, schema: Schema) -> Schema:
    """Add what the types cannot say: the meaning of each field and each value."""
    schema["title"] = name
    schema["description"] = " ".join(schema["description"].split())
    for field, kind in schema.get("properties", {}).items():
        kind.setdefault("description", glossary.of_field(name, field))
    if "enum" in schema:
        lines = [f"`{value}`: {glossary.of_value(name, value)}" for value in schema["enum"]]
        schema["description"] += " " + "; ".join(lines)
    if not schema.get("required", True):
        del schema["required"]
    return schema


def document() -> Schema:
    """Return the JSON Schema, draft 2020-12, of every message: any message of either side is valid."""
    return {
        "$schema": DIALECT,
        "$id": f"urn:simonrace:protocol:{VERSION}",
        "title": f"Simon Race protocol, version {VERSION}",
        "description": "Every message as JSON; MessagePack carries the same content. More fields may come.",
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
