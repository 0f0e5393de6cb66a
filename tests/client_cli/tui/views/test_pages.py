"""Pages shown in place of the room."""

from fullscreen.harness import Harness

from client_cli.text.style import Style, plain
from client_cli.tui.state import keys
from client_cli.tui.views.pages import page


def shown(harness: Harness, size: tuple[int, int] = (80, 200)) -> list[str]:
    return [plain(each) for each in page(harness.state, harness.controller.context, Style(), size)]


def test_the_help_page_lists_every_key(harness: Harness) -> None:
    harness.press("?")
    text = "\n".join(shown(harness))
    for mode in keys.MODE_TITLES:
        for each in keys.bindings(mode):
            assert f"  {each.label}" in text
            assert " ".join(each.help.split()[:4]) in text


def test_a_text_page_scrolls_no_further_than_its_end(harness: Harness) -> None:
    harness.press("?", *["down"] * 300)
    assert len(shown(harness, (80, 10))) == 10
    assert shown(harness, (80, 10)) == shown(harness)[-10:]


def test_help_starts_with_the_keys_of_the_current_mode(harness: Harness) -> None:
    harness.press("?")
    assert shown(harness)[1] == "  In the lobby"
    harness.press("?")
    harness.start_race()
    harness.press("?")
    text = shown(harness)
    assert text[1] == "  In a race"
    assert "  In the lobby" in text


def test_long_help_has_two_columns_where_they_fit(harness: Harness) -> None:
    """At 120x40 the whole help fits on the screen; at 100 cells it scrolls."""
    harness.press("?")
    wide, narrow = shown(harness, (120, 36)), shown(harness, (100, 36))
    assert "  In the lobby" in wide[1]
    assert wide[1].index("After a race") == 62
    assert not any("more" in line.split() for line in wide[-2:])
    assert narrow[-1] == "  ↓ more"
    assert shown(harness, (120, 200))[1] == "  In the lobby"


def test_the_chosen_line_is_marked(harness: Harness) -> None:
    harness.press("e", "down")
    marked = [line for line in shown(harness) if line.startswith(">")]
    assert marked == [">  deals         ‹ can be won ›"]


def test_a_member_who_is_not_the_host_cannot_change_settings() -> None:
    harness = Harness(me="ming")
    harness.press("e")
    assert shown(harness)[-1] == "  Only the host can change the settings."


def test_a_long_list_of_members_scrolls_to_the_chosen_one(harness: Harness) -> None:
    harness.press("k", "down", "down", "down", "down")
    assert [line[:8] for line in shown(harness, (80, 5))][3:] == ["  · Ben ", "> · 林美玲 "]


def test_there_is_no_leaderboard_before_the_first_race(harness: Harness) -> None:
    harness.press("l")
    assert shown(harness) == ["", "  This room has had no race yet."]
