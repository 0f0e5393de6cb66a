"""The reference pages of messages and objects."""

import re

import pytest

from protocol.docs import reference
from protocol.docs.classes import CLIENT_CLASSES, SERVER_CLASSES, shared
from protocol.docs.vectors import Vector


@pytest.fixture(scope="module")
def client_page(client_vectors: list[Vector]) -> str:
    return reference.from_client(client_vectors)


@pytest.fixture(scope="module")
def server_page(server_vectors: list[Vector]) -> str:
    return reference.from_server(server_vectors)


def sections(page: str) -> dict[str, str]:
    parts = re.split(r"^## ", page, flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0].strip("`"): part for part in parts}


def test_every_message_has_a_section_with_both_encodings(client_page: str, server_page: str) -> None:
    for page, classes in ((client_page, CLIENT_CLASSES), (server_page, SERVER_CLASSES)):
        assert list(sections(page)) == list(classes)
        for section in sections(page).values():
            assert "- When: " in section
            assert section.count("```json") == section.count("```msgpack") == 1


def test_an_action_looks_like_this(client_page: str) -> None:
    assert sections(client_page)["auto_move"] == (
        "`auto_move`\n\n"
        "Move the group at the end of a column to the best column, like a double click.\n\n"
        "- When: in a race that the client takes part in\n"
        "- Answer: [`accepted`](messages-server.md#accepted) or [`refused`](messages-server.md#refused)\n\n"
        "| field | type | required | meaning |\n"
        "| --- | --- | --- | --- |\n"
        "| `from` | integer, 0 to 99 | yes | column that the cards leave, 0 to 9 from the left |\n"
        "| `cards` | integer, 0 to 99 | no | how many cards; absent for the whole group |\n\n"
        '```json\n{"type":"auto_move","race":1,"n":2,"from":3}\n```\n'
        "```msgpack\n84a474797065a96175746f5f6d6f7665a47261636501a16e02a466726f6d03\n```\n\n"
    )


def test_a_request_names_the_errors_that_not_every_request_can_get(client_page: str) -> None:
    assert (
        "- Errors: `not_in_room`, `store_unavailable`, `no_record`\n" in sections(client_page)["get_record"]
    )
    assert "- Errors:" not in sections(client_page)["ping"]


def test_fields_that_many_messages_have_are_described_at_the_head_alone(
    client_page: str, server_page: str
) -> None:
    head = client_page.partition("## ")[0]
    assert re.findall(r"^\| (every \w+) \| `(\w+)` \|", head, re.MULTILINE) == [
        ("every message", "type"),
        ("every request", "ref"),
        ("every action", "race"),
        ("every action", "n"),
    ]
    for section in (*sections(client_page).values(), *sections(server_page).values()):
        assert not re.search(r"^\| `(type|ref)` \|", section, re.MULTILINE)
    assert "| `seq` |" in sections(server_page)["room"]
    assert "| `seq` |" not in sections(server_page)["race_ended"]


def test_every_object_and_enum_has_a_section(client_page: str, server_page: str) -> None:
    page = reference.objects()
    assert list(sections(page)) == list(shared())
    assert "| `all_ready` | the last member who gets ready" in sections(page)["StartMode"]
    anchors = {name.lower() for name in shared()}
    for each in (client_page, server_page, page):
        assert set(re.findall(r"objects\.md#([a-z]+)", each)) <= anchors
