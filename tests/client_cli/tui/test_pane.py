"""Only what has changed is drawn again."""

import pytest

from client_cli.text.style import Role
from client_cli.tui.pane import changes
from client_cli.tui.views.ink import Ink, Row, Tone


@pytest.mark.parametrize(
    ("before", "after", "spans"),
    [
        ((Ink("abc"),), (Ink("abc"),), []),
        ((Ink("abc"),), (Ink("ab"), Ink("c")), []),
        ((Ink("abcdef"),), (Ink("abXdef"),), [(2, 3)]),
        ((Ink("abcdefgh"),), (Ink("Xbcdefgh"),), [(0, 1)]),
        ((Ink("abcdefgh"),), (Ink("XbcdefgX"),), [(0, 1), (7, 8)]),
        ((Ink("abcdefgh"),), (Ink("XbXdefgh"),), [(0, 3)]),
        ((Ink("ab"),), (Ink("abc"),), [(2, 3)]),
        ((Ink("abc"),), (), [(0, 3)]),
        ((Ink("abc"),), (Ink("a"), Ink("b", Role.BAR), Ink("c")), [(1, 2)]),
        ((Ink("abc"),), (Ink("a"), Ink("b", tone=Tone.HELD), Ink("c")), [(1, 2)]),
        ((Ink("小明 ab"),), (Ink("小紅 ab"),), [(2, 4)]),
        ((Ink("ab小"),), (Ink("小ab"),), [(0, 4)]),
        ((Ink("e\u0301x"),), (Ink("ex"),), [(0, 1)]),
    ],
)
def test_the_cells_in_which_two_rows_differ(before: Row, after: Row, spans: list[tuple[int, int]]) -> None:
    """Wide signs are two cells, marks belong to their base, and what is near each other is one span."""
    assert changes(before, after) == spans
