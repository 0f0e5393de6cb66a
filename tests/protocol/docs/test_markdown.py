"""Markdown helpers: tables, paragraphs, examples and generated blocks."""

import pytest

from protocol.docs import markdown
from protocol.docs.vectors import Vector


def test_a_block_is_put_between_its_markers_and_the_rest_is_left_alone() -> None:
    text = "# Title\n<!-- generated: errors -->\nold\n\nolder\n<!-- end -->\nrest\n"
    assert markdown.fill(text, {"errors": "\nnew\n"}) == (
        "# Title\n<!-- generated: errors -->\n\nnew\n\n<!-- end -->\nrest\n"
    )


def test_filling_twice_changes_nothing() -> None:
    text = "<!-- generated: a -->\n<!-- end -->\n<!-- generated: b -->\n<!-- end -->\n"
    once = markdown.fill(text, {"a": "A\\1", "b": "B"})
    assert markdown.fill(once, {"a": "A\\1", "b": "B"}) == once


@pytest.mark.parametrize("blocks", [{}, {"errors": "", "limits": ""}, {"limits": ""}])
def test_a_document_with_other_blocks_is_a_value_error(blocks: dict[str, str]) -> None:
    """A block that is silently left out would be noticed by nobody."""
    with pytest.raises(ValueError, match="the document has the blocks"):
        markdown.fill("<!-- generated: errors -->\n<!-- end -->\n", blocks)


def test_a_bar_in_a_cell_of_a_table_is_escaped() -> None:
    assert markdown.table(("a", "b"), [("1|2", "3")]) == "| a | b |\n| --- | --- |\n| 1\\|2 | 3 |"


def test_a_paragraph_has_lines_of_at_most_100_characters_and_links_are_not_broken() -> None:
    text = "word " * 30 + "[link](objects.md#settings-of-a-room)"
    lines = markdown.paragraph(text).splitlines()
    assert max(map(len, lines)) <= 100
    assert " ".join(lines) == text


def test_the_shortest_example_is_shown_if_the_first_is_long() -> None:
    long = Vector("x", "long", b'{"a":"' + b"x" * 700 + b'"}', b"\x81")
    short = Vector("x", "short", b"{}", bytes(range(50)))
    expected = f"```json\n{{}}\n```\n```msgpack\n{bytes(range(48)).hex()}\n3031\n```"
    assert markdown.example("x", [long, short]) == expected
