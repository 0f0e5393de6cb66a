"""The AsyncAPI document: its structure by the specification of AsyncAPI 3.0.0, its content by our types.

No validator of AsyncAPI is among our packages, so the structure is checked here rule by rule.
"""

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from protocol import limits
from protocol.close_codes import CloseCode
from protocol.docs import asyncapi, schema
from protocol.docs.classes import CLASSES, CLIENT_CLASSES, SERVER_CLASSES
from protocol.docs.vectors import Vector
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode
from protocol.refusals import RefusalCode
from protocol.version import SUBPROTOCOLS, VERSION

COMMITTED = Path(__file__).parents[3] / "docs" / "protocol" / "asyncapi.json"

ALLOWED = {
    "root": "asyncapi id info servers defaultContentType channels operations components",
    "info": "title version description termsOfService contact license tags externalDocs",
    "channel": "address messages title summary description servers parameters tags externalDocs bindings",
    "operation": "action channel title summary description security tags externalDocs bindings traits "
    "messages reply",
    "message": "headers payload correlationId contentType name title summary description tags externalDocs "
    "bindings examples traits",
    "components": "schemas servers channels operations messages securitySchemes serverVariables parameters "
    "correlationIds replies replyAddresses externalDocs tags operationTraits messageTraits serverBindings "
    "channelBindings operationBindings messageBindings",
    "ws": "method query headers bindingVersion",
}
"""The fields of each object in the specification; others begin with x-."""


def only(kind: str, node: dict[str, Any]) -> None:
    unknown = {name for name in node if not name.startswith("x-")} - set(ALLOWED[kind].split())
    assert unknown == set()


@pytest.fixture(scope="module")
def document() -> Any:
    return asyncapi.document()


def resolve(document: Any, reference: dict[str, str]) -> Any:
    """Return what a reference leads to."""
    assert list(reference) == ["$ref"]
    node = document
    for step in reference["$ref"].removeprefix("#/").split("/"):
        node = node[step]
    return node


def test_the_root_has_every_required_field(document: Any) -> None:
    only("root", document)
    only("info", document["info"])
    only("components", document["components"])
    assert document["asyncapi"] == "3.0.0"
    assert document["info"]["title"]
    assert document["info"]["version"] == f"{VERSION}.0.0"


def test_one_channel_carries_every_message(document: Any) -> None:
    [channel] = document["channels"].values()
    only("channel", channel)
    only("ws", channel["bindings"]["ws"])
    assert {name: resolve(document, each)["name"] for name, each in channel["messages"].items()} == {
        name: name for name in CLASSES
    }


@pytest.mark.parametrize(
    ("operation", "action", "classes"),
    [("fromClient", "receive", CLIENT_CLASSES), ("fromServer", "send", SERVER_CLASSES)],
)
def test_an_operation_has_the_messages_of_one_side(
    document: Any, operation: str, action: str, classes: dict[str, type]
) -> None:
    """The document is the server's: it receives from clients. Messages are referenced through the channel."""
    node = document["operations"][operation]
    only("operation", node)
    assert node["action"] == action
    assert resolve(document, node["channel"]) is document["channels"]["connection"]
    assert [each["$ref"] for each in node["messages"]] == [
        f"#/channels/connection/messages/{name}" for name in classes
    ]


@pytest.mark.parametrize("name", CLASSES)
def test_a_message_has_its_payload(document: Any, name: str) -> None:
    message = document["components"]["messages"][name]
    only("message", message)
    assert re.fullmatch(r"[A-Za-z0-9._-]+", name)
    payload = resolve(document, message["payload"])
    assert payload["properties"]["type"]["enum"] == [name]
    assert message["summary"]
    assert message["description"]


def test_every_reference_leads_somewhere(document: Any) -> None:
    references = re.findall(r'"\$ref": "([^"]+)"', schema.text(document))
    assert len(references) > len(CLASSES)
    for reference in references:
        resolve(document, {"$ref": reference})


def test_the_examples_are_the_vectors(client_vectors: list[Vector], server_vectors: list[Vector]) -> None:
    vectors = client_vectors + server_vectors
    messages = asyncapi.document(vectors)["components"]["messages"]
    for vector in vectors:
        [example] = [each for each in messages[vector.type]["examples"] if each["name"] == vector.case]
        assert example.keys() == {"name", "payload"}
        assert example["payload"] == json.loads(vector.json)
        assert bytes.fromhex(messages[vector.type]["x-msgpack"][vector.case]) == vector.msgpack


def test_the_document_has_all_codes_and_limits(document: Any) -> None:
    """A client can read them instead of having a list of its own."""
    facts = document["x-simonrace"]
    assert facts["protocol"] == VERSION
    assert facts["subprotocols"] == list(SUBPROTOCOLS)
    assert facts["limits"]["message_bytes"] == limits.MESSAGE_BYTES
    assert {code: each["temporary"] for code, each in facts["errors"].items()} == {
        code.value: code.temporary for code in ErrorCode
    }
    assert {code: each["reconnect"] for code, each in facts["closes"].items()} == {
        str(code.value): code.reconnect for code in CloseCode
    }
    assert facts["refusals"].keys() == {code.value for code in RefusalCode}
    assert facts["notices"].keys() == {code.value for code in NoticeCode}


def test_the_committed_document_is_the_one_that_is_made(
    client_vectors: list[Vector], server_vectors: list[Vector]
) -> None:
    made = schema.text(asyncapi.document(client_vectors + server_vectors))
    assert COMMITTED.read_text(encoding="utf-8") == made, "run: python docs/protocol/build.py"


def test_the_command_prints_the_document(document: Any, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(asyncapi.__file__, run_name="__main__")
    assert capsys.readouterr().out == schema.text(document)
