"""The screen of the line front end."""

from dataclasses import replace

import pytest

from client_cli.core.model import Model, fold
from client_cli.text.frame import FrameContext, frame
from client_cli.text.style import Role, Style, line, plain, width_of
from protocol import from_server
from protocol.parts import RacerState, Result

LINK = "ws://localhost:7466/KTQMX"
EXTRA = FrameContext(LINK, ("Ada has joined.", "陳小明 is ready."))


def text(model: Model, style: Style, now: int = 0, extra: FrameContext = EXTRA) -> str:
    return "\n".join(plain(each) for each in frame(model, style, now, extra))


def test_the_lobby_shows_how_friends_join(lobby: Model) -> None:
    assert text(lobby, Style()) == (
        "Simon Race · room KTQMX\n"
        "Friends join with: simonrace join ws://localhost:7466/KTQMX\n"
        "4 suits, can be won · fastest wins · the host starts · 30:00 at most\n"
        "\n"
        "  Ada                      ready, host, you\n"
        "  陳小明                   not ready\n"
        "\n"
        "ready: take part    start: begin the race    help: all commands\n"
        "\n"
        "Ada has joined.\n"
        "陳小明 is ready."
    )


def test_the_lobby_mentions_the_password(lobby: Model) -> None:
    locked = text(replace(lobby, has_password=True), Style())
    assert locked.splitlines()[1] == (
        "Friends join with the password and: simonrace join ws://localhost:7466/KTQMX"
    )


def test_the_countdown_rounds_seconds_up(lobby: Model) -> None:
    """With 4.2 seconds left it shows 5, with 0 the race has started."""
    counting = fold(
        lobby, from_server.CountdownStarted(seq=4, race=1, starts_in_ms=5000, clock_ms=100_000), 0
    )
    assert "The race starts in 5 s" in text(counting, Style(), 800)
    assert "The race starts in 1 s" in text(counting, Style(), 4500)


def test_a_member_who_is_not_ready_is_warned_during_the_countdown(lobby: Model) -> None:
    """Ada is ready, 陳小明 is not and would be a spectator."""
    warning = "You are not ready: type ready to race, or you watch this one."
    counting = fold(
        lobby, from_server.CountdownStarted(seq=4, race=1, starts_in_ms=5000, clock_ms=100_000), 0
    )
    assert warning in text(replace(counting, me="ming"), Style()).splitlines()
    assert warning not in text(counting, Style())
    assert warning not in text(replace(lobby, me="ming"), Style())


def test_long_settings_are_wrapped(lobby: Model) -> None:
    shown = text(replace(lobby, has_password=True), Style(width=70)).splitlines()
    assert shown[2:4] == [
        "4 suits, can be won · fastest wins · the host starts · 30:00 at most ·",
        "password",
    ]


def test_a_race_at_80_columns_has_the_standings_beside_the_board(racing: Model) -> None:
    assert text(racing, Style(), 66_000) == (
        "Simon Race · room KTQMX · race 1 · SS1-S4-AAAAABD · 1:01 of 30:00\n"
        "score 500 · moves 0 · runs 0 of 4 · undo 0\n"
        "\n"
        " 1    2    3    4    5    6    7    8    9   10    1 陳小明    ███░░░░░░ 1 run\n"
        " A♣   2♣   9♥   8♥   9♠   Q♦   Q♥  10♥   5♠   A♥   2>Ada       ░░░░░░░░░ 0 runs\n"
        " 3♦   K♣   8♦   6♥   4♥   2♦   A♦   5♥   J♣\n"
        " K♦   5♣   2♠   3♥   7♥   7♠  10♠   K♥\n"
        " J♠   J♦   9♦  10♦   4♠   6♣   5♦\n"
        " 7♦   K♠   Q♣   Q♠  10♣   4♦\n"
        " 6♠   8♣   2♥   4♣   J♥\n"
        " 6♦   A♠   3♣   9♣\n"
        " 7♣   3♠   8♠\n"
        "\n"
        "Ada has joined.\n"
        "陳小明 is ready."
    )


def test_a_race_in_letters_is_ascii_except_names(racing: Model) -> None:
    shown = text(
        replace(racing, names={"ada": "Ada", "ming": "Ming"}), Style(glyphs=False), extra=FrameContext(LINK)
    )
    assert shown.isascii()
    assert shown.splitlines()[3] == (
        " 1    2    3    4    5    6    7    8    9   10    1 Ming      ###...... 1 run"
    )


def test_a_wide_terminal_has_room_for_names(racing: Model) -> None:
    assert text(racing, Style(width=130)).splitlines()[3:5] == [
        " 1    2    3    4    5    6    7    8    9   10    1 陳小明             ███████░░░░░░░░░░░ 1 run",
        " A♣   2♣   9♥   8♥   9♠   Q♦   Q♥  10♥   5♠   A♥   2>Ada                █░░░░░░░░░░░░░░░░░ 0 runs",
    ]


def test_a_narrow_terminal_has_the_standings_below_the_board(racing: Model) -> None:
    shown = text(racing, Style(width=44)).splitlines()
    assert shown[0] == "Simon Race · room KTQMX · race 1 · SS1-S4-A…"
    assert shown[2:4] == [
        " 1   2   3   4   5   6   7   8   9  10",
        " A♣  2♣  9♥  8♥  9♠  Q♦  Q♥ 10♥  5♠  A♥",
    ]
    assert shown[11:13] == [
        " 1 陳小明           ██████░░░░░░░░░░ 1 run",
        " 2>Ada              █░░░░░░░░░░░░░░░ 0 runs",
    ]


def test_a_spectator_sees_only_the_standings(racing: Model) -> None:
    shown = text(replace(racing, game=None, me="ben"), Style(), extra=FrameContext(LINK))
    assert shown.splitlines()[1:] == [
        "",
        " 1 陳小明                   ██████████░░░░░░░░░░░░░░ 1 run     599    49",
        " 2 Ada                      ██░░░░░░░░░░░░░░░░░░░░░░ 0 runs    500     0",
    ]


def test_results_are_shown_after_a_race(racing: Model) -> None:
    over = from_server.RaceEnded(
        seq=9,
        race=1,
        code="SS1-S4-AAAAABD",
        results=[Result("ada", "Ada", 1, RacerState.WON, 851, 49, 4, 61_234)],
    )
    assert text(fold(racing, over, 0), Style(), extra=FrameContext(LINK)) == (
        "Simon Race · room KTQMX · race 1 · SS1-S4-AAAAABD\n"
        "\n"
        "  # name         time  score  moves  runs\n"
        "  1 Ada      1:01.234    851     49     4\n"
        "\n"
        "ready: race again    save FILE: keep the race    quit: leave"
    )


def test_a_spectator_is_not_asked_to_race_again(racing: Model) -> None:
    """Only members in the results have raced; others can take part in the next race."""
    over = from_server.RaceEnded(
        seq=9,
        race=1,
        code="SS1-S4-AAAAABD",
        results=[Result("ben", "Ben", 1, RacerState.WON, 851, 49, 4, 61_234)],
    )
    watching = replace(racing, game=None)
    assert text(fold(watching, over, 0), Style(), extra=FrameContext(LINK)).splitlines()[-1] == (
        "ready: take part    save FILE: keep the race    quit: leave"
    )


def test_a_page_replaces_the_room(racing: Model) -> None:
    page = FrameContext(LINK, ("something",), (line("one"), line("two")))
    assert text(racing, Style(), extra=page).splitlines()[2:] == ["one", "two", "Enter: back"]


@pytest.mark.parametrize("width", [20, 40, 50, 79, 80, 200])
@pytest.mark.parametrize("height", [6, 10, 24, 60])
def test_no_screen_is_larger_than_the_terminal(racing: Model, lobby: Model, width: int, height: int) -> None:
    """Two lines are free: the input line and the status."""
    crowd = FrameContext(LINK, tuple(f"line {number}" for number in range(100)))
    for model in (racing, lobby):
        lines = frame(model, Style(width, height), 0, crowd)
        assert len(lines) <= height - 2
        assert all(width_of(each) <= width for each in lines)


def test_the_newest_events_are_shown(lobby: Model) -> None:
    shown = frame(lobby, Style(height=13), 0, FrameContext(LINK, tuple("abcdef")))
    assert [plain(each) for each in shown[-3:]] == ["", "e", "f"]
    assert shown[-1][0].role is Role.QUIET


def test_a_long_event_is_wrapped(lobby: Model) -> None:
    extra = FrameContext(LINK, ("The room is now: 4 suits, can be won, fastest wins.",))
    shown = frame(lobby, Style(width=40), 0, extra)
    assert [plain(each) for each in shown[-2:]] == ["The room is now: 4 suits, can be won,", "fastest wins."]
