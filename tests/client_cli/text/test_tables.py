"""Members, standings, results and leaderboards as lines."""

from dataclasses import replace

import pytest
from fullscreen.example_race import record

from client_cli.core.model import Model
from client_cli.text.style import Line, Style, plain, width_of
from client_cli.text.tables import (
    bar,
    leaderboard,
    left_out,
    member_lines,
    outcome,
    progress,
    results,
    settings_text,
    standings,
)
from protocol.from_server import Leaderboard
from protocol.parts import (
    LeaderboardKind,
    LeaderboardRow,
    LeaderboardTable,
    Member,
    Phase,
    RacerState,
    Ranking,
    Result,
    Settings,
    StandingsRow,
    StartMode,
)


def text(lines: list[Line]) -> list[str]:
    return [plain(each) for each in lines]


def test_members_are_listed_with_their_roles(lobby: Model) -> None:
    ben, cleo = Member("ben", "Ben", False, True, True), Member("cleo", "Cleo", True, False, False)
    model = replace(lobby, members=(*lobby.members, ben, cleo))
    assert text(member_lines(model, Style())) == [
        "  Ada                      ready, host, you",
        "  陳小明                   not ready",
        "  Ben                      spectator",
        "  Cleo                     ready, connection lost",
    ]


def test_during_a_race_members_are_racers_or_spectators(racing: Model) -> None:
    ben = Member("ben", "Ben", False, False, True)
    assert text(member_lines(replace(racing, members=(*racing.members, ben)), Style())) == [
        "  Ada                      racing, host, you",
        "  陳小明                   racing",
        "  Ben                      spectator",
    ]


@pytest.mark.parametrize(
    ("ready", "spectator", "phase", "expected"),
    [
        (False, False, Phase.COUNTDOWN, True),
        (True, False, Phase.COUNTDOWN, False),
        (False, True, Phase.COUNTDOWN, False),
        (False, False, Phase.LOBBY, False),
    ],
)
def test_a_member_who_is_neither_ready_nor_a_spectator_is_left_out(
    lobby: Model, phase: Phase, *, ready: bool, spectator: bool, expected: bool
) -> None:
    """The host as well, who may start a race without being ready."""
    me = Member(lobby.me, "Ada", ready, spectator, False)
    assert left_out(replace(lobby, members=(me,), phase=phase)) is expected


def test_settings_are_described_on_one_line(lobby: Model) -> None:
    assert (
        settings_text(lobby, Style())
        == "4 suits, can be won · fastest wins · the host starts · 30:00 at most"
    )
    other = Settings(Ranking.SCORE, 1, False, StartMode.ALL_READY, 0, 90, 2, True)
    model = replace(lobby, settings=other, locked=True, has_password=True)
    assert settings_text(model, Style(glyphs=False)) == (
        "1 suit, any deal - best score wins - all ready starts - 1:30 at most - boards shown live"
        " - locked - password"
    )
    assert settings_text(replace(lobby, named_code=True), Style()).startswith(
        "the host has named the deal · "
    )


def test_standings_beside_a_board(racing: Model) -> None:
    assert text(standings(racing, Style(), 30, 20)) == [
        " 1 陳小明    ███░░░░░░ 1 run",
        " 2>Ada       ░░░░░░░░░ 0 runs",
    ]


def test_standings_in_letters(racing: Model) -> None:
    won = StandingsRow("ming", 1, 851, 49, 4, 48, RacerState.WON, 61_234)
    gone = StandingsRow("ada", 2, 500, 0, 0, 5, RacerState.FORFEITED)
    model = replace(racing, standings=(won, gone))
    assert text(standings(model, Style(glyphs=False), 30, 20)) == [
        " 1 陳小明    ######### 1:01",
        " 2>Ada       ......... gave up",
    ]


def test_wide_standings_have_score_and_moves(racing: Model) -> None:
    assert text(standings(racing, Style(), 60, 20)) == [
        " 1 陳小明             ███████░░░░░░░░░░░ 1 run     599    49",
        " 2>Ada                █░░░░░░░░░░░░░░░░░ 0 runs    500     0",
    ]


@pytest.mark.parametrize("width", [24, 30, 40, 48, 56, 60, 80, 130])
def test_standings_keep_within_their_width_and_in_line(racing: Model, width: int) -> None:
    names = {"ada": "A", "ming": "陳小明陳小明陳小明陳小明陳小明陳小明陳小明陳小明"}
    lines = standings(replace(racing, names=names), Style(), width, 20)
    assert len({width_of(each) for each in lines}) == 1
    assert all(width_of(each) <= width for each in lines)


def test_the_best_racers_and_the_user_are_shown(racing: Model) -> None:
    crowd = [StandingsRow(f"p{rank}", rank, 500, 0, 0, 0) for rank in range(1, 50)]
    model = replace(racing, standings=(*crowd, StandingsRow("ada", 50, 500, 0, 0, 0)))
    shown = [plain(each).split()[0] for each in standings(model, Style(), 60, 4)]
    assert shown == ["1", "2", "3", "50>Ada"]


def test_a_bar_is_full_only_when_the_game_is_won() -> None:
    assert [bar(joined, 8, Style()) for joined in (0, 6, 47, 48)] == [
        "░░░░░░░░",
        "█░░░░░░░",
        "███████░",
        "████████",
    ]


@pytest.mark.parametrize(
    ("standing", "words"),
    [
        (StandingsRow("ben", 1, 851, 49, 4, 48, RacerState.WON, 61_234), "1:01"),
        (StandingsRow("ben", 1, 851, 49, 4, 48, RacerState.WON), "won"),
        (StandingsRow("ada", 4, 599, 1, 1, 30), "1 run"),
        (StandingsRow("dora", 5, 480, 20, 0, 3, RacerState.FORFEITED), "gave up"),
        (StandingsRow("dora", 5, 480, 20, 0, 3, RacerState.UNFINISHED), "0 runs"),
    ],
)
def test_progress_is_described(standing: StandingsRow, words: str) -> None:
    """A winner's time in seconds; the runs of the others."""
    assert progress(standing, Style()) == words


def test_times_are_shown_to_the_millisecond() -> None:
    """Only a winner has a time."""
    reached = [outcome(each, Style()) for each in record().results]
    assert reached == ["2:14.022", "2:39.485", "not done", "gave up"]


def test_results_as_a_table(racing: Model) -> None:
    model = replace(
        racing,
        results=(
            Result("ming", "陳小明", 1, RacerState.WON, 851, 49, 4, 61_234),
            Result("ada", "Ada", 2, RacerState.FORFEITED, 497, 103, 1, 60_000),
            Result("ben", "Ben", 2, RacerState.UNFINISHED, 497, 103, 1, 60_000),
        ),
    )
    assert text(results(model, Style())) == [
        "  # name           time  score  moves  runs",
        "  1 陳小明     1:01.234    851     49     4",
        "  2 Ada         gave up    497    103     1",
        "  2 Ben        not done    497    103     1",
    ]


def test_the_three_leaderboards_of_a_deal() -> None:
    board = Leaderboard(
        code="SS1-S1-AAAAABD",
        leaderboards=[
            LeaderboardTable(LeaderboardKind.TIME, [LeaderboardRow(1, "ming", "陳小明", 61_234, "KTQMX/1")]),
            LeaderboardTable(
                LeaderboardKind.SCORE,
                [
                    LeaderboardRow(1, "ming", "陳小明", 851, "KTQMX/1"),
                    LeaderboardRow(2, "ada", "Ada", 497, "KTQMX/2"),
                ],
            ),
            LeaderboardTable(LeaderboardKind.MOVES, []),
        ],
    )
    assert text(leaderboard(board, Style())) == [
        "Leaderboards of SS1-S1-AAAAABD",
        "best time",
        "  1 陳小明                      1:01.234  KTQMX/1",
        "best score",
        "  1 陳小明                           851  KTQMX/1",
        "  2 Ada                              497  KTQMX/2",
        "fewest moves: nobody yet",
    ]
