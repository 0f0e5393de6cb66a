"""Pages that stand in place of the room."""

from fullscreen.scenes import Table

from client_cli.text.style import Style
from client_cli.tui.state import keys
from client_cli.tui.views.ink import text_of
from client_cli.tui.views.pages import page


def shown(table: Table, size: tuple[int, int] = (80, 200)) -> list[str]:
    return [text_of(each) for each in page(table.seat.desk, table.seat.scene, Style(), size)]


def test_the_help_page_lists_every_key(table: Table) -> None:
    table.press("?")
    text = "\n".join(shown(table))
    for where in keys.TITLES:
        for each in keys.table(where):
            assert f"  {each.shown}" in text
            assert " ".join(each.long.split()[:4]) in text


def test_a_page_is_never_scrolled_beyond_its_end(table: Table) -> None:
    table.press("?", *["down"] * 300)
    assert len(shown(table, (80, 10))) == 10
    assert table.seat.desk.line > 10


def test_help_begins_with_the_keys_for_where_one_is(table: Table) -> None:
    table.press("?")
    assert shown(table)[1] == "  In the lobby"
    table.press("?")
    table.race()
    table.press("?")
    text = shown(table)
    assert text[1] == "  In a race"
    assert "  In the lobby" in text


def test_help_that_is_too_long_stands_in_two_columns_where_they_fit(table: Table) -> None:
    """At 120x40 all of it is seen at once; at 100 cells it is scrolled."""
    table.press("?")
    wide, narrow = shown(table, (120, 36)), shown(table, (100, 36))
    assert "  In the lobby" in wide[1]
    assert wide[1].index("After a race") == 62
    assert not any("more" in line.split() for line in wide[-2:])
    assert narrow[-1] == "  ↓ more"
    assert shown(table, (120, 200))[1] == "  In the lobby"


def test_the_chosen_line_is_marked(table: Table) -> None:
    table.press("e", "down")
    marked = [line for line in shown(table) if line.startswith(">")]
    assert marked == [">  deals         ‹ can be won ›"]


def test_who_is_not_the_host_is_told_so() -> None:
    table = Table(me="ming")
    table.press("e")
    assert shown(table)[-1] == "  Only the host can change them."


def test_a_long_list_of_people_follows_the_chosen_one(table: Table) -> None:
    table.press("k", "down", "down", "down", "down")
    assert [line[:8] for line in shown(table, (80, 5))][3:] == ["  · Ben ", "> · 林美玲 "]


def test_before_the_first_race_there_is_no_leaderboard(table: Table) -> None:
    table.press("l")
    assert shown(table) == ["", "  There has been no race in this room yet."]
