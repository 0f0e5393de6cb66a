"""The JSON Schema judges every example as the types do, and its committed copy is up to date."""

import json
import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from protocol.docs import schema
from protocol.docs.classes import CLASSES, CLIENT_CLASSES, SERVER_CLASSES
from protocol.docs.vectors import Vector

COMMITTED = Path(__file__).parents[3] / "docs" / "protocol" / "schema.json"

KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_a(value: object, kind: str) -> bool:
    match kind:
        case "integer":
            return type(value) is int
        case "number":
            return type(value) in (int, float)
        case _:
            return type(value) is KINDS[kind]


LEAVES: dict[str, Callable[[Any, Any], bool]] = {
    "type": is_a,
    "enum": lambda value, allowed: value in allowed,
    "required": lambda value, names: not isinstance(value, dict) or set(names) <= value.keys(),
    "minimum": lambda value, least: type(value) is not int or value >= least,
    "maximum": lambda value, most: type(value) is not int or value <= most,
    "exclusiveMaximum": lambda value, bound: type(value) is not int or value < bound,
    "minLength": lambda value, least: type(value) is not str or len(value) >= least,
    "maxLength": lambda value, most: type(value) is not str or len(value) <= most,
}
"""Keywords that look at one value; one of another kind passes, as the specification says."""

NOTES = {"title", "description", "default"}
"""Keywords that restrict nothing."""


class Validator:
    """Validator of the keywords that our schema uses, and of no others."""

    def __init__(self, document: Any) -> None:
        self.definitions = document["$defs"]

    def fits(self, value: Any, name: str) -> bool:
        """Return whether a value is valid by a definition."""
        return self._fits(value, self.definitions[name])

    def _fits(self, value: Any, rule: Any) -> bool:
        return all(self._obeys(value, keyword, operand) for keyword, operand in rule.items())

    def _obeys(self, value: Any, keyword: str, operand: Any) -> bool:
        match keyword:
            case "$ref":
                return self.fits(value, operand.removeprefix(schema.DEFS))
            case "anyOf":
                return any(self._fits(value, each) for each in operand)
            case "oneOf":
                return sum(self._fits(value, each) for each in operand) == 1
            case "properties":
                fields = operand.keys() & value.keys() if isinstance(value, dict) else ()
                return all(self._fits(value[name], operand[name]) for name in fields)
            case "items":
                return not isinstance(value, list) or all(self._fits(each, operand) for each in value)
            case _:
                return keyword in NOTES or LEAVES[keyword](value, operand)


@pytest.fixture(scope="module")
def document() -> Any:
    return schema.document()


@pytest.fixture(scope="module")
def validator(document: Any) -> Validator:
    return Validator(document)


def test_every_example_of_a_client_is_valid_in_the_schema(
    validator: Validator, client_vector: Vector
) -> None:
    content = json.loads(client_vector.json)
    assert validator.fits(content, "FromClient")
    assert validator.fits(content, client_vector.type)


def test_every_example_of_a_server_is_valid_in_the_schema(
    validator: Validator, server_vector: Vector
) -> None:
    content = json.loads(server_vector.json)
    assert validator.fits(content, "FromServer")
    assert validator.fits(content, server_vector.type)


def test_bad_messages_are_invalid_in_the_schema(validator: Validator, bad_input: dict[str, str]) -> None:
    """JSON that is a `bad_message` or an `unknown_type` for the server is invalid in the schema."""
    if bad_input["encoding"] == "json" and bad_input["code"] != "undecodable":
        try:
            content = json.loads(bad_input["text"])
        except ValueError:
            assert "digits" in bad_input["what"], "only a number too long for Python is no JSON here"
            return
        repeated = "twice" in bad_input["what"]  # which a schema cannot see
        assert validator.fits(content, "FromClient") is repeated


def test_unknown_fields_are_valid(validator: Validator) -> None:
    assert validator.fits({"type": "undo", "race": 1, "n": 1, "later": {"x": [None]}}, "FromClient")


def test_the_schema_has_every_message_and_nothing_twice(document: Any) -> None:
    definitions = document["$defs"]
    assert CLASSES.keys() <= definitions.keys()
    assert definitions["FromClient"]["oneOf"] == [{"$ref": f"#/$defs/{name}"} for name in CLIENT_CLASSES]
    assert definitions["FromServer"]["oneOf"] == [{"$ref": f"#/$defs/{name}"} for name in SERVER_CLASSES]


def test_every_reference_leads_somewhere(document: Any) -> None:
    references = set(re.findall(r'"\$ref": "([^"]+)"', schema.text(document)))
    assert references <= {f"#/$defs/{name}" for name in document["$defs"]}


def test_everything_has_a_description(document: Any) -> None:
    for name, definition in document["$defs"].items():
        assert definition["title"] == name
        assert definition["description"]
        assert all(field["description"] for field in definition.get("properties", {}).values())


def test_the_schema_is_made_the_same_each_time(document: Any) -> None:
    assert schema.text(schema.document()) == schema.text(document)


def test_the_committed_schema_is_the_one_that_is_made(document: Any) -> None:
    made = schema.text(document)
    assert COMMITTED.read_text(encoding="utf-8") == made, "run: python docs/protocol/build.py"


def test_the_command_prints_the_schema(document: Any, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(schema.__file__, run_name="__main__")
    assert capsys.readouterr().out == schema.text(document)


def test_no_two_definitions_have_names_that_a_code_generator_could_confuse() -> None:
    """`get_game` becomes `GetGame` in many languages, and a file `start.ts` is `Start.ts` on some disks."""
    names = [name.replace("_", "").lower() for name in schema.document()["$defs"]]
    assert sorted(set(names)) == sorted(names)
