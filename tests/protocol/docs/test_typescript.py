"""The TypeScript declarations: their structure, compared with the classes and the frozen examples.

No TypeScript compiler is among our packages, so the file is read here by its simple form.
"""

import json
import re
from pathlib import Path

import pytest

from protocol.docs import typescript
from protocol.docs.classes import CLASSES, CLIENT_CLASSES, SERVER_CLASSES, fields, shared
from protocol.docs.vectors import Vector
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode
from protocol.refusals import RefusalCode

COMMITTED = Path(__file__).parents[3] / "docs" / "protocol" / "protocol.d.ts"
TEXT = typescript.declarations()
CODE = re.sub(r"/\*\*.*?\*/\s*", "", TEXT, flags=re.DOTALL)
INTERFACES = {
    name: dict(re.findall(r"^  (\w+\??): (.*);$", body, re.MULTILINE))
    for name, body in re.findall(r"^export interface (\w+) \{\n(.*?)^\}", CODE, re.MULTILINE | re.DOTALL)
}
UNIONS = {
    name: [each.strip() for each in body.split("|") if each.strip()]
    for name, body in re.findall(r"^export type (\w+) =\n(.*?);$", CODE, re.MULTILINE | re.DOTALL)
}
BUILT_IN = {"string", "number", "boolean", "null"}


def test_the_committed_file_is_the_one_that_is_generated() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == TEXT, "run: python docs/protocol/build.py"


def test_nothing_is_declared_twice_and_nothing_else_is_in_the_file() -> None:
    names = re.findall(r"^export (?:type|interface) (\w+)", CODE, re.MULTILINE)
    assert len(set(names)) == len(names) == len(INTERFACES) + len(UNIONS)
    rest = re.sub(r"^export (?:type \w+ =\n.*?;|interface \w+ \{\n.*?^\})$", "", CODE, flags=re.M | re.S)
    assert all(line.startswith("//") for line in rest.splitlines() if line)


@pytest.mark.parametrize("name", CLASSES)
def test_a_message_has_its_fields_and_optional_ones_have_a_mark(name: str) -> None:
    cls = CLASSES[name]
    expected = ["type", *(field.name + ("" if field.required else "?") for field in fields(cls))]
    assert list(INTERFACES[cls.__name__]) == expected
    assert INTERFACES[cls.__name__]["type"] == f'"{name}"'


def test_every_shared_object_and_enum_is_declared() -> None:
    assert shared().keys() <= INTERFACES.keys() | UNIONS.keys()
    assert UNIONS["Phase"] == ['"lobby"', '"countdown"', '"racing"', '"results"']


def test_the_unions_have_every_message_and_every_code() -> None:
    assert UNIONS["FromClient"] == [cls.__name__ for cls in CLIENT_CLASSES.values()]
    assert UNIONS["FromServer"] == [cls.__name__ for cls in SERVER_CLASSES.values()]
    for codes in (ErrorCode, RefusalCode, NoticeCode):
        assert UNIONS[codes.__name__] == [f'"{each.value}"' for each in codes]


def test_every_type_that_is_used_is_declared() -> None:
    for interface in INTERFACES.values():
        for kind in list(interface.values()):
            words = set(re.findall(r"\w+", re.sub(r'"\w+"', "", kind))) - {"Partial"}
            assert words <= BUILT_IN | INTERFACES.keys() | UNIONS.keys()


def test_every_example_of_a_server_fits_its_interface(server_vectors: list[Vector]) -> None:
    """No field that is not declared, none missing that is not optional, and never null."""
    for vector in server_vectors:
        interface = INTERFACES[CLASSES[vector.type].__name__]
        content = json.loads(vector.json)
        assert content.keys() <= {name.rstrip("?") for name in interface}
        assert content.keys() >= {name for name in interface if not name.endswith("?")}
        assert None not in content.values()


def test_a_client_can_leave_out_settings_and_a_server_sends_all() -> None:
    assert INTERFACES["Configure"]["settings"] == "Partial<Settings>"
    assert INTERFACES["Room"]["settings"] == "Settings"
    assert INTERFACES["Join"]["seen?"] == "number | null"
    assert INTERFACES["StandingsRow"]["at_ms?"] == "number"
