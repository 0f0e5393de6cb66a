"""The AsyncAPI 3.0 document, from the server's side; `python -m protocol.docs.asyncapi` prints it."""

import json
from collections.abc import Sequence
from typing import Any, Final

from protocol import limits
from protocol.base import COMMON_ERRORS
from protocol.close_codes import CloseCode
from protocol.docs.classes import CLASSES, CLIENT_CLASSES, SERVER_CLASSES, moment
from protocol.docs.schema import Schema, definitions, text
from protocol.docs.vectors import Vector
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode
from protocol.refusals import RefusalCode
from protocol.version import SUBPROTOCOLS, VERSION
from protocol.words import LANGUAGES, Worded

_CHANNEL: Final = "#/channels/connection"
_SCHEMAS: Final = "#/components/schemas/"

_DESCRIPTION: Final = """\
Friends race on the same deal of Simple Simon. One WebSocket carries everything; one message is one frame. The
subprotocol chooses the encoding: JSON in text frames or MessagePack in binary frames, with the same content.
PROTOCOL.md is normative; this document is generated from the same code."""


def document(examples: Sequence[Vector] = ()) -> Schema:
    """Return the document, with each of the examples at its message."""
    return {
        "asyncapi": "3.0.0",
        "id": f"urn:simonrace:protocol:{VERSION}",
        "info": {
            "title": "Simon Race",
            "version": f"{VERSION}.0.0",
            "description": _DESCRIPTION.replace("\n", " "),
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {"connection": _channel()},
        "operations": {
            "fromClient": {
                "action": "receive",
                "title": "Messages from a client",
                "channel": {"$ref": _CHANNEL},
                "messages": _references(f"{_CHANNEL}/messages/", CLIENT_CLASSES),
            },
            "fromServer": {
                "action": "send",
                "title": "Messages from the server",
                "channel": {"$ref": _CHANNEL},
                "messages": _references(f"{_CHANNEL}/messages/", SERVER_CLASSES),
            },
        },
        "components": {
            "messages": {name: _message(name, examples) for name in CLASSES},
            "schemas": definitions(_SCHEMAS),
        },
        "x-simonrace": facts(),
    }


def facts() -> Schema:
    """Return the versions, limits and codes of the protocol, for programs."""
    return {
        "protocol": VERSION,
        "subprotocols": list(SUBPROTOCOLS),
        "languages": list(LANGUAGES),
        "limits": {name.lower(): value for name, value in vars(limits).items() if name.isupper()},
        "errors": {code.value: {"text": code.sentence, "temporary": code.temporary} for code in ErrorCode},
        "refusals": _worded(RefusalCode),
        "notices": _worded(NoticeCode),
        "closes": {
            str(code.value): {"text": code.sentence, "reconnect": code.reconnect} for code in CloseCode
        },
    }


def _channel() -> Schema:
    return {
        "address": "/",
        "title": "The connection of one client",
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in CLASSES},
        "bindings": {
            "ws": {
                "method": "GET",
                "headers": {
                    "type": "object",
                    "properties": {
                        "Sec-WebSocket-Protocol": {
                            "type": "string",
                            "enum": list(SUBPROTOCOLS),
                            "description": "the encoding; without it, the first frame decides",
                        }
                    },
                },
                "bindingVersion": "0.1.0",
            }
        },
    }


def _message(name: str, examples: Sequence[Vector]) -> Schema:
    message: Schema = {
        "name": name,
        "title": name,
        "summary": (CLASSES[name].__doc__ or "").partition("\n")[0],
        "description": f"When: {moment(name)}.",
        "contentType": "application/json",
        "payload": {"$ref": _SCHEMAS + name},
    }
    if name in CLIENT_CLASSES:
        request = CLIENT_CLASSES[name]
        message["x-answers"] = [each.__struct_config__.tag for each in request.answers]
        message["x-errors"] = [code.value for code in (*COMMON_ERRORS, *request.errors)]
    mine = [vector for vector in examples if vector.type == name]
    if mine:
        message["examples"] = [{"name": each.case, "payload": json.loads(each.json)} for each in mine]
        # Beside the examples: the specification's own validator takes no extensions within them.
        message["x-msgpack"] = {each.case: each.msgpack.hex() for each in mine}
    return message


def _references(prefix: str, names: Any) -> list[Schema]:
    return [{"$ref": prefix + name} for name in names]


def _worded(codes: type[Worded]) -> Schema:
    return {code.value: {language: code.text(language) for language in LANGUAGES} for code in codes}


if __name__ == "__main__":
    print(text(document()), end="")  # noqa: T201 - printing is what this command does
