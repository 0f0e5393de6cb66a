"""The lobby: people with their marks, and the countdown."""

from dataclasses import replace

import msgspec
from fullscreen.scenes import Table

from client_cli.core.model import Model
from client_cli.text.style import Style
from client_cli.tui.views.ink import text_of
from client_cli.tui.views.lobby import countdown, lobby, settings_rows
from protocol.parts import Member, Phase


def shown(model: Model, size: tuple[int, int] = (80, 16)) -> list[str]:
    return [text_of(each) for each in lobby(model, Style(), 0, "ws://h:1/KTQMX", size)]


def test_the_share_line_is_whole(table: Table) -> None:
    assert "   simonrace join ws://h:1/KTQMX" in shown(table.conversation.model)


def test_friends_are_told_that_they_need_the_password(table: Table) -> None:
    model = table.conversation.model
    assert "  Friends come in with the password and this line (c copies it):" in shown(model)
    assert "  Friends come in with this line (c copies it):" in shown(replace(model, has_password=False))


def test_more_people_than_there_is_room_for_are_counted(table: Table) -> None:
    crowd = tuple(Member(f"p{n}", f"Member {n}", False, False, False) for n in range(40))
    text = shown(replace(table.conversation.model, members=crowd))
    assert len(text) == 16
    assert text[-1].startswith("  and 30 more")
    assert text[4].startswith("  40 members in the room")


def test_a_narrow_screen_has_the_settings_above_the_people(table: Table) -> None:
    text = shown(table.conversation.model, (50, 30))
    assert text.index("This room") < next(n for n, line in enumerate(text) if line.startswith("  ✓ Ada"))


def test_a_named_deal_and_a_locked_door_are_told(table: Table) -> None:
    model = replace(table.conversation.model, named_code=True, locked=True)
    text = [text_of(each) for each in settings_rows(model, Style())]
    assert "deals        named by the host" in text
    assert "door         locked, with a password" in text
    assert not any(line.startswith("suits") for line in text)


def test_the_countdown_in_big_figures() -> None:
    assert [text_of(each) for each in countdown(12, Style(glyphs=False), 12)][:5] == [
        "   #   ####",
        "  ##      #",
        "   #   ####",
        "   #   #",
        "  ###  ####",
    ]


def test_who_forgets_to_be_ready_is_told_during_the_countdown(table: Table) -> None:
    """The host too: whoever is not ready at the start watches, which nobody wants who came to race."""
    warning = "You are not ready: press r to race, or you watch this one."
    me = table.conversation.model.me
    people = tuple(
        msgspec.structs.replace(each, ready=each.player != me) for each in table.conversation.model.members
    )
    lost = replace(table.conversation.model, members=people, phase=Phase.COUNTDOWN)
    assert warning in [line.strip() for line in shown(lost)]
    assert warning not in "".join(shown(replace(table.conversation.model, phase=Phase.COUNTDOWN)))


def test_who_is_away_is_told(table: Table) -> None:
    people = [msgspec.structs.replace(each, connected=False) for each in table.conversation.model.members[:1]]
    assert any(
        "not ready" not in line and "away" in line
        for line in shown(replace(table.conversation.model, members=tuple(people)))
    )


def test_a_room_of_a_thousand_is_drawn_by_what_is_in_sight(table: Table) -> None:
    """Names that are out of sight are not looked at: not for the width of their column either."""
    crowd = tuple(
        Member(f"p{n}", f"Member {n}" if n < 20 else "x" * 200, False, False, False) for n in range(1000)
    )
    text = shown(replace(table.conversation.model, members=crowd))
    assert text[5].startswith("  · Member 0 not ready")
    assert text[-1].startswith("  and 990 more")
