"""The JSON Schema says of every example what the types say; the committed copy is the one that is made."""

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from protocol import schema
from protocol.schema import CLASSES, CLIENT_CLASSES, SERVER_CLASSES
from protocol.vectors import Vector

COMMITTED = Path(__file__).parents[2] / "docs" / "protocol" / "schema.json"
DOCUMENT = schema.document()
OTHER = {"title", "description", "default", "properties", "items"} | {
    "minimum",
    "maximum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
}
"""Keywords that bind nothing, or nothing in a value of another kind."""

KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def faults(value: Any, rule: Any, where: str = "$") -> list[str]:
    """Return what of a value is against a schema: a validator of the keywords that ours are made of."""
    found: list[str] = []
    for keyword, operand in rule.items():
        match keyword:
            case "$ref":
                found += faults(value, DOCUMENT["$defs"][operand.removeprefix("#/$defs/")], where)
            case "anyOf":
                found += [] if any(not faults(value, each) for each in operand) else [f"{where}: {keyword}"]
            case "oneOf":
                fitting = sum(not faults(value, each) for each in operand)
                found += [] if fitting == 1 else [f"{where}: {keyword} {fitting}"]
            case "type":
                found += [] if is_a(operand, value) else [f"{where}: no {operand}"]
            case "enum":
                found += [] if value in operand else [f"{where}: {value!r} is none of {operand}"]
            case "required":
                found += [
                    f"{where}: no {name}" for name in operand if isinstance(value, dict) and name not in value
                ]
            case "properties" if isinstance(value, dict):
                for name in operand.keys() & value.keys():
                    found += faults(value[name], operand[name], f"{where}.{name}")
            case "items" if isinstance(value, list):
                for index, each in enumerate(value):
                    found += faults(each, operand, f"{where}[{index}]")
            case "minimum" if type(value) is int:
                found += [] if value >= operand else [f"{where}: {value} < {operand}"]
            case "maximum" if type(value) is int:
                found += [] if value <= operand else [f"{where}: {value} > {operand}"]
            case "exclusiveMaximum" if type(value) is int:
                found += [] if value < operand else [f"{where}: {value} >= {operand}"]
            case "minLength" if isinstance(value, str):
                found += [] if len(value) >= operand else [f"{where}: too short"]
            case "maxLength" if isinstance(value, str):
                found += [] if len(value) <= operand else [f"{where}: too long"]
            case (
                "properties"
                | "items"
                | "minimum"
                | "maximum"
                | "exclusiveMaximum"
                | "minLength"
                | "maxLength"
            ):
                pass  # binds values of another kind
            case "title" | "description" | "default" | "$schema" | "$id" | "$defs":
                pass  # binds nothing
            case _:
                raise AssertionError(f"this validator does not know {keyword!r} at {where}")
    return found


def is_a(kind: str, value: object) -> bool:
    match kind:
        case "integer":
            return type(value) is int
        case "number":
            return type(value) in (int, float)
        case _:
            return type(value) is KINDS[kind]


def test_every_example_of_a_client_is_valid_in_the_schema(client_vector: Vector) -> None:
    content = json.loads(client_vector.json)
    assert faults(content, DOCUMENT["$defs"]["FromClient"]) == []
    assert faults(content, DOCUMENT["$defs"][client_vector.type]) == []


def test_every_example_of_a_server_is_valid_in_the_schema(server_vector: Vector) -> None:
    content = json.loads(server_vector.json)
    assert faults(content, DOCUMENT["$defs"]["FromServer"]) == []
    assert faults(content, DOCUMENT["$defs"][server_vector.type]) == []


def test_bad_messages_are_invalid_in_the_schema(bad_input: dict[str, str]) -> None:
    """Where the server says `bad_message` or `unknown_type` to JSON, the schema says no."""
    if bad_input["encoding"] == "json" and bad_input["code"] != "undecodable":
        try:
            content = json.loads(bad_input["text"])
        except ValueError:
            assert "digits" in bad_input["what"], "only a number too long for Python is no JSON here"
            return
        twice = "twice" in bad_input["what"]
        assert bool(faults(content, DOCUMENT["$defs"]["FromClient"])) is not twice


def test_unknown_fields_are_valid() -> None:
    assert faults({"type": "undo", "n": 1, "later": {"x": [None]}}, DOCUMENT["$defs"]["FromClient"]) == []


def test_the_schema_has_every_message_and_nothing_twice() -> None:
    definitions = DOCUMENT["$defs"]
    assert CLASSES.keys() <= definitions.keys()
    assert definitions["FromClient"]["oneOf"] == [{"$ref": f"#/$defs/{name}"} for name in CLIENT_CLASSES]
    assert definitions["FromServer"]["oneOf"] == [{"$ref": f"#/$defs/{name}"} for name in SERVER_CLASSES]


def test_every_reference_leads_somewhere() -> None:
    references = set(re.findall(r'"\$ref": "([^"]+)"', schema.text(DOCUMENT)))
    assert references <= {f"#/$defs/{name}" for name in DOCUMENT["$defs"]}


@pytest.mark.parametrize("name", schema.definitions())
def test_everything_is_described(name: str) -> None:
    definition = DOCUMENT["$defs"][name]
    assert definition["title"] == name
    assert definition["description"]
    assert all(field["description"] for field in definition.get("properties", {}).values())


def test_the_schema_is_made_the_same_each_time() -> None:
    assert schema.text(schema.document()) == schema.text(DOCUMENT)


def test_the_committed_schema_is_the_one_that_is_made() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == schema.text(DOCUMENT), (
        "run: python docs/protocol/build.py"
    )


def test_the_command_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(schema.__file__, run_name="__main__")
    assert capsys.readouterr().out == schema.text(DOCUMENT)
