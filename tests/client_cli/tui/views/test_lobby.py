"""Lobby: invitation, members, settings, countdown."""

from dataclasses import replace

import msgspec
from fullscreen.harness import Harness

from client_cli.core.model import Model
from client_cli.text.style import Style, plain
from client_cli.tui.views.lobby import countdown, lobby, settings_lines
from protocol.parts import Member, Phase


def shown(model: Model, size: tuple[int, int] = (80, 16)) -> list[str]:
    return [plain(each) for each in lobby(model, Style(), 0, "ws://h:1/KTQMX", size)]


def test_the_invitation_is_whole(harness: Harness) -> None:
    assert "   simonrace join ws://h:1/KTQMX" in shown(harness.conversation.model)


def test_the_invitation_mentions_the_password(harness: Harness) -> None:
    model = harness.conversation.model
    assert "  Friends join with the password and this command (press c to copy it):" in shown(model)
    assert "  Friends join with this command (press c to copy it):" in shown(
        replace(model, has_password=False)
    )


def test_members_that_do_not_fit_are_counted(harness: Harness) -> None:
    members = tuple(Member(f"p{n}", f"Member {n}", False, False, False) for n in range(40))
    text = shown(replace(harness.conversation.model, members=members))
    assert len(text) == 16
    assert text[-1].startswith("  and 30 more")
    assert text[4].startswith("  40 members in the room")


def test_a_narrow_screen_has_the_settings_above_the_members(harness: Harness) -> None:
    text = shown(harness.conversation.model, (50, 30))
    assert text.index("This room") < next(n for n, line in enumerate(text) if line.startswith("  ✓ Ada"))


def test_a_named_deal_and_a_locked_room_are_shown(harness: Harness) -> None:
    model = replace(harness.conversation.model, named_code=True, locked=True)
    text = [plain(each) for each in settings_lines(model, Style())]
    assert "deals        named by the host" in text
    assert "access       locked, password" in text
    assert not any(line.startswith("suits") for line in text)


def test_the_countdown_in_big_digits() -> None:
    assert [plain(each) for each in countdown(12, Style(glyphs=False), 12)][:5] == [
        "   #   ####",
        "  ##      #",
        "   #   ####",
        "   #   #",
        "  ###  ####",
    ]


def test_a_member_who_is_not_ready_is_warned_during_the_countdown(harness: Harness) -> None:
    """The host too: a member who is not ready at the start watches the race."""
    warning = "You are not ready. Press r, or you will watch this race."
    me = harness.conversation.model.me
    members = tuple(
        msgspec.structs.replace(each, ready=each.player != me) for each in harness.conversation.model.members
    )
    waiting = replace(harness.conversation.model, members=members, phase=Phase.COUNTDOWN)
    assert warning in [line.strip() for line in shown(waiting)]
    assert warning not in "".join(shown(replace(harness.conversation.model, phase=Phase.COUNTDOWN)))


def test_a_disconnected_member_is_marked(harness: Harness) -> None:
    members = [
        msgspec.structs.replace(each, connected=False) for each in harness.conversation.model.members[:1]
    ]
    assert any(
        "not ready" not in line and "away" in line
        for line in shown(replace(harness.conversation.model, members=tuple(members)))
    )


def test_only_visible_members_of_a_large_room_are_looked_at(harness: Harness) -> None:
    """Hidden names do not count for the width of the column either."""
    members = tuple(
        Member(f"p{n}", f"Member {n}" if n < 20 else "x" * 200, False, False, False) for n in range(1000)
    )
    text = shown(replace(harness.conversation.model, members=members))
    assert text[5].startswith("  · Member 0 not ready")
    assert text[-1].startswith("  and 990 more")
