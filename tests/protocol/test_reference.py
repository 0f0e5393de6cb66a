"""The generated parts of PROTOCOL.md: how they are put into a document, and what they show."""

import pytest

from protocol import reference
from protocol.schema import CLASSES
from protocol.vectors import Line, Vector


def test_a_part_is_put_between_its_markers_and_the_rest_is_left_alone() -> None:
    text = "# Title\n<!-- generated: errors -->\nold\n\nolder\n<!-- end -->\nrest\n"
    assert reference.fill(text, {"errors": "\nnew\n"}) == (
        "# Title\n<!-- generated: errors -->\n\nnew\n\n<!-- end -->\nrest\n"
    )


def test_filling_twice_changes_nothing() -> None:
    text = "<!-- generated: a -->\n<!-- end -->\n<!-- generated: b -->\n<!-- end -->\n"
    once = reference.fill(text, {"a": "A\\1", "b": "B"})
    assert reference.fill(once, {"a": "A\\1", "b": "B"}) == once


@pytest.mark.parametrize("blocks", [{}, {"errors": "", "limits": ""}, {"limits": ""}])
def test_a_document_with_other_parts_is_a_value_error(blocks: dict[str, str]) -> None:
    """Nobody notices a part that is silently left out."""
    with pytest.raises(ValueError, match="the document has the parts"):
        reference.fill("<!-- generated: errors -->\n<!-- end -->\n", blocks)


def test_a_transcript_shows_who_says_and_hears_what_and_how_much_is_left_out() -> None:
    race = [
        Line("Ann", says='{"type":"ping"}'),
        *[Line("Ann", hears="{}", omit=True)] * 5,
        Line("Bo", hears='{"type":"pong","clock_ms":5}'),
        Line("Ann", hears="{}", omit=True),
    ]
    assert reference.transcript(race) == (
        '```\nAnn > {"type":"ping"}\n    ... 5 more messages ...\nBo  < {"type":"pong","clock_ms":5}\n```'
    )


@pytest.fixture(scope="module")
def blocks(client_vectors: list[Vector], server_vectors: list[Vector]) -> dict[str, str]:
    source = 'CHAT_LENGTH: Final = 300\n"""Characters of\na chat line."""\n'
    return reference.blocks(client_vectors, server_vectors, [], source)


def test_every_message_has_a_section_with_its_fields_and_both_encodings(blocks: dict[str, str]) -> None:
    sections = (blocks["requests"] + "\n\n" + blocks["answers"]).split("### ")[1:]
    assert [section.partition("\n")[0] for section in sections] == [f"`{name}`" for name in CLASSES]
    for section in sections:
        assert "- Direction: " in section
        assert "- When: " in section
        assert "| `type` |" in section
        assert section.count("```json") == section.count("```msgpack") == 1


def test_an_action_looks_like_this(blocks: dict[str, str]) -> None:
    section = blocks["requests"].split("### ")[-4]
    assert section == (
        "`auto_move`\n\n"
        "Move the group at the end of a column to the best column, like a double click.\n\n"
        "- Direction: client to server\n"
        "- When: in a race that the client takes part in\n"
        "- Answer: `accepted` or `refused`\n"
        "- Refusals: see [Refusals](#refusals)\n\n"
        "| field | type | required | meaning |\n"
        "| --- | --- | --- | --- |\n"
        '| `type` | "auto_move" | yes | type of the message |\n'
        "| `race` | integer, 1 to 2,147,483,647 | yes | number of the race in its room: 1, 2, 3... |\n"
        "| `n` | integer, 1 to 2,147,483,647 | yes "
        "| number of the action: 1, 2, 3... for each racer in each race |\n"
        "| `from` | integer, 0 to 99 | yes | column that the cards leave, 0 to 9 from the left |\n"
        "| `cards` | integer, 0 to 99 | no | how many cards; absent for the whole group that can move |\n\n"
        '```json\n{"type":"auto_move","race":1,"n":2,"from":3}\n```\n'
        "```msgpack\n84a474797065a96175746f5f6d6f7665a47261636501a16e02a466726f6d03\n```\n\n"
    )


def test_a_limit_is_shown_with_its_value_and_the_words_below_it(blocks: dict[str, str]) -> None:
    assert blocks["limits"] == (
        "| limit | value | what it binds |\n| --- | --- | --- |\n"
        "| `CHAT_LENGTH` | 300 | Characters of a chat line. |"
    )
