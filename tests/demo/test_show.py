"""Output of the demo in a terminal and in a pipe."""

import io
from collections.abc import Callable

import pytest

from client_cli.core.model import Model
from demo.show import Show
from protocol import from_server
from protocol.parts import LeaderboardKind, LeaderboardRow, LeaderboardTable, RacerState, Result


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Pipe(io.StringIO):
    encoding = "utf-8"


def test_in_a_pipe_standings_are_printed_at_intervals(
    racing: Model, standings: from_server.Standings
) -> None:
    """The second of two standings at the same moment is not printed."""
    output = Pipe()
    show = Show(output)
    with show.live():
        show.event(racing, standings)
        show.event(racing, standings)
    lines = output.getvalue().splitlines()
    assert lines[0].endswith(" since the start")
    assert lines[1:] == [
        " 1 陳小明                   ██████████░░░░░░░░░░░░░░ 1 run     599    49",
        " 2>Ada                      ██░░░░░░░░░░░░░░░░░░░░░░ 0 runs    500     0",
    ]


def test_in_a_terminal_standings_are_drawn_in_place(
    racing: Model, standings: from_server.Standings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    output = Terminal()
    show = Show(output)
    with show.live():
        for _ in range(3):
            show.event(racing, standings)
    assert "陳小明" in output.getvalue()
    assert "\x1b[" in output.getvalue()


def test_events_are_printed_as_sentences(
    folded: Callable[..., Model], lobby: Model, race_started: from_server.RaceStarted
) -> None:
    output = Pipe()
    show = Show(output)
    show.event(folded(race_started, start=lobby), race_started)
    show.event(lobby, from_server.MemberReconnected(seq=9, player="ming"))
    show.event(lobby, from_server.Done())
    show.print_text("The race is kept.")
    assert output.getvalue() == "Race 1 has started on SS1-S4-AAAAABD.\n陳小明 is back.\nThe race is kept.\n"


def test_results_and_leaderboards_are_printed(folded: Callable[..., Model], racing: Model) -> None:
    output = Pipe()
    show = Show(output)
    result = Result("ada", "Ada", 1, RacerState.WON, 851, 49, 4, 61_234)
    show.results(
        folded(from_server.RaceEnded(seq=9, race=1, code="SS1-S4-AAAAABD", results=[result]), start=racing)
    )
    row = LeaderboardRow(1, "ada", "Ada", 61_234, "KTQMX/1")
    tables = [
        LeaderboardTable(LeaderboardKind.TIME, [row]),
        LeaderboardTable(LeaderboardKind.SCORE, []),
        LeaderboardTable(LeaderboardKind.MOVES, []),
    ]
    show.leaderboard(from_server.Leaderboard(code="SS1-S4-AAAAABD", leaderboards=tables))
    assert output.getvalue().splitlines() == [
        "",
        "Results of race 1 on SS1-S4-AAAAABD",
        "  # name         time  score  moves  runs",
        "  1 Ada      1:01.234    851     49     4",
        "",
        "Leaderboards of SS1-S4-AAAAABD",
        "best time",
        "  1 Ada                         1:01.234  KTQMX/1",
        "best score: nobody yet",
        "fewest moves: nobody yet",
        "",
    ]
