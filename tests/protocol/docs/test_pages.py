"""The committed reference pages and the code say the same; nothing is in one and not in the other."""

import json
import re
import runpy
from collections.abc import Iterator
from dataclasses import fields as dataclass_fields
from pathlib import Path
from typing import Any

import pytest

from protocol import limits
from protocol.close_codes import CloseCode
from protocol.codec import JSON_CODEC, MSGPACK_CODEC
from protocol.docs.classes import CLASSES, CLIENT_CLASSES, shared
from protocol.docs.schema import definitions
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode
from protocol.refusals import RefusalCode
from server.core.rules import Rules
from server.sessions.session import MAX_UNANSWERED
from server.transport.limits import TransportLimits

ROOT = Path(__file__).parents[3]
HERE = ROOT / "docs" / "protocol"
GUIDE = ROOT / "PROTOCOL.md"
GENERATED = (
    *("messages-client.md", "messages-server.md", "objects.md", "errors.md", "limits.md"),
    *("schema.json", "asyncapi.json", "protocol.d.ts"),
)


def read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def sections(name: str) -> dict[str, str]:
    """Return what stands under each heading of the second rank of a page."""
    parts = re.split(r"^## ", read(name), flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0].strip("`"): part for part in parts}


def cells(text: str, column: int = 0) -> list[str]:
    """Return a cell of each row of the tables in a text, without their heads."""
    rows = [line.strip("|").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    found = [row[column].strip(" `") for row in rows]
    below = [*found[1:], ""]
    return [cell for cell, next_cell in zip(found, below, strict=False) if "---" not in (cell, next_cell)]


MESSAGES = sections("messages-client.md") | sections("messages-server.md")
DEFINITIONS = definitions()


def test_everything_that_is_generated_is_committed() -> None:
    outputs: dict[Path, str] = runpy.run_path(str(HERE / "build.py"))["outputs"]()
    assert set(outputs) == {GUIDE, *(HERE / name for name in GENERATED)}
    for path, text in outputs.items():
        assert path.read_text(encoding="utf-8") == text, "run: python docs/protocol/build.py"


def test_every_message_has_a_section_and_nothing_else_has() -> None:
    assert list(MESSAGES) == list(CLASSES)


@pytest.mark.parametrize("name", CLASSES)
def test_every_field_of_a_message_is_in_its_section_or_at_the_head_of_the_page(name: str) -> None:
    page = "messages-client.md" if name in CLIENT_CLASSES else "messages-server.md"
    at_the_head = set(cells(read(page).partition("\n## ")[0], 1))
    own, fields = cells(MESSAGES[name]), DEFINITIONS[name]["properties"].keys()
    assert len(set(own)) == len(own)
    assert set(own) <= fields
    assert fields - set(own) <= at_the_head


def test_every_shared_object_is_there_with_its_fields_or_values() -> None:
    page = sections("objects.md")
    assert page.keys() == shared().keys() == DEFINITIONS.keys() - CLASSES.keys()
    for name in page:
        expected = DEFINITIONS[name].get("properties") or DEFINITIONS[name]["enum"]
        assert sorted(cells(page[name])) == sorted(expected)


@pytest.mark.parametrize(
    ("title", "codes"),
    [
        ("Errors", [code.value for code in ErrorCode]),
        ("Refusals", [code.value for code in RefusalCode]),
        ("Notices", [code.value for code in NoticeCode]),
        ("Close codes", [*(str(code.value) for code in CloseCode), "none"]),
    ],
)
def test_every_code_is_in_its_table_and_no_other(title: str, codes: list[str]) -> None:
    assert cells(sections("errors.md")[title]) == codes


def test_the_verdicts_are_those_of_the_code() -> None:
    verdicts = {True: "yes", False: "no"}
    for error in ErrorCode:
        row = f"| `{error}` | {error.sentence} | {verdicts[error.temporary]} |"
        assert row in sections("errors.md")["Errors"]
    for close in CloseCode:
        row = f"| {close.value} | {close.sentence} | {verdicts[close.reconnect]} |"
        assert row in sections("errors.md")["Close codes"]


def test_every_limit_is_there_with_its_value() -> None:
    table = read("limits.md").partition("<!-- end -->")[0]
    expected = [(name, f"{value:,.10g}") for name, value in vars(limits).items() if name.isupper()]
    assert re.findall(r"^\| `([A-Z_]+)` \| ([0-9,.]+) \|", table, re.MULTILINE) == expected


def test_the_limits_of_the_transport_are_there() -> None:
    table = sections("limits.md")["Connections"]
    for field in dataclass_fields(TransportLimits):
        if field.name == "write_buffer_bytes":
            continue  # a matter between us and the event loop
        assert re.search(rf"\| {field.default:,.10g}\b", table), field.name


def test_the_waiting_times_of_rooms_are_there() -> None:
    rules, table = Rules(), sections("limits.md")["Waiting times of rooms"]
    assert f"hands over | {rules.host_grace_ms // 1000} seconds |" in table
    assert f"except while racing | {rules.seat_ms // 60_000} minutes |" in table
    assert f"for a disconnected racer | {rules.absent_ms // 1000} seconds |" in table
    assert f"for an idle racer | {rules.idle_ms // 60_000} minutes |" in table
    assert f"undoes a forfeit | {rules.forfeit_undo_ms // 1000} seconds |" in table


def test_every_number_of_the_bucket_is_explained() -> None:
    text = " ".join(sections("limits.md")["How messages are counted"].split())
    size, rate = limits.MESSAGE_BURST, limits.MESSAGES_PER_SECOND
    assert f"a bucket of {size} tokens that refills with {rate:g} a second" in text
    assert limits.REFUSED_COST == 3
    assert "takes three in all" in text
    assert limits.ROOM_EVENT_COST == 2
    assert "whose event goes to everybody in the room, take two" in text
    assert f"one more for every {limits.REREAD_PER_TOKEN} actions" in text
    assert limits.WHOLE_FLOATS_COST == 1
    assert "integers are written as floats (`1.0` for 1) takes one more" in text
    assert f"{MAX_UNANSWERED:,} requests without an answer is closed with 4005" in text


def examples() -> Iterator[Any]:
    for name, text in MESSAGES.items():
        for shown, digits in re.findall(r"```json\n(.*?)\n```\n```msgpack\n(.*?)\n```", text, re.DOTALL):
            yield pytest.param(name, shown, "".join(digits.split()), id=name)


@pytest.mark.parametrize(("name", "shown", "digits"), list(examples()))
def test_every_example_decodes_to_the_same_in_both_encodings(name: str, shown: str, digits: str) -> None:
    client = name in CLIENT_CLASSES
    read_json = JSON_CODEC.from_client if client else JSON_CODEC.from_server
    read_msgpack = MSGPACK_CODEC.from_client if client else MSGPACK_CODEC.from_server
    message: object = read_json(shown)
    assert type(message) is CLASSES[name]
    assert message == read_msgpack(bytes.fromhex(digits))


def test_every_message_has_an_example() -> None:
    assert sum(1 for _ in examples()) == len(CLASSES)


def anchors(path: Path) -> set[str]:
    """Return the anchors that a document has for links, as GitHub makes them of its headings."""
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#{1,3} (.*)$", text, re.MULTILINE)
    found = [re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-") for heading in headings]
    assert len(set(found)) == len(found)
    return set(found)


@pytest.mark.parametrize(
    "path", [ROOT / "PROTOCOL.md", *sorted(HERE.glob("*.md"))], ids=lambda path: path.name
)
def test_every_link_leads_to_a_file_and_a_heading_in_it(path: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", path.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        where = (path.parent / file).resolve() if file else path
        assert where.is_file(), target
        if anchor:
            assert anchor in anchors(where), target


def test_the_pages_say_nothing_twice() -> None:
    """A row that every message would have is at the head of the page alone."""
    for section in MESSAGES.values():
        assert not {"type", "ref"} & set(cells(section))


def test_the_examples_are_valid_json() -> None:
    for name, text in MESSAGES.items():
        [shown] = re.findall(r"```json\n(.*?)\n```", text, re.DOTALL)
        assert json.loads(shown)["type"] == name
