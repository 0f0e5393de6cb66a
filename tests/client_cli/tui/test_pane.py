"""Pane: only changed cells are drawn again."""

import pytest

from client_cli.text.style import Line, Role, Segment, Tone
from client_cli.tui.pane import changed_spans


@pytest.mark.parametrize(
    ("before", "after", "spans"),
    [
        ((Segment("abc"),), (Segment("abc"),), []),
        ((Segment("abc"),), (Segment("ab"), Segment("c")), []),
        ((Segment("abcdef"),), (Segment("abXdef"),), [(2, 3)]),
        ((Segment("abcdefgh"),), (Segment("Xbcdefgh"),), [(0, 1)]),
        ((Segment("abcdefgh"),), (Segment("XbcdefgX"),), [(0, 1), (7, 8)]),
        ((Segment("abcdefgh"),), (Segment("XbXdefgh"),), [(0, 3)]),
        ((Segment("ab"),), (Segment("abc"),), [(2, 3)]),
        ((Segment("abc"),), (), [(0, 3)]),
        ((Segment("abc"),), (Segment("a"), Segment("b", Role.BAR), Segment("c")), [(1, 2)]),
        ((Segment("abc"),), (Segment("a"), Segment("b", tone=Tone.HELD), Segment("c")), [(1, 2)]),
        ((Segment("小明 ab"),), (Segment("小紅 ab"),), [(2, 4)]),
        ((Segment("ab小"),), (Segment("小ab"),), [(0, 4)]),
        ((Segment("e\u0301x"),), (Segment("ex"),), [(0, 1)]),
    ],
)
def test_the_spans_in_which_two_lines_differ(before: Line, after: Line, spans: list[tuple[int, int]]) -> None:
    """A wide character is two cells, a combining mark belongs to its base, near changes are one span."""
    assert changed_spans(before, after) == spans
