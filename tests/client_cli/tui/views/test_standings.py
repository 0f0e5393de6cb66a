"""Standings: ranks, progress and gaps at several sizes."""

from dataclasses import replace

import pytest

from client_cli.core.model import Model
from client_cli.text.style import Line, Style, plain, width_of
from client_cli.tui.views.standings import gap_text, my_rank, standings
from protocol.parts import RacerState, StandingsRow

ROWS = (
    StandingsRow("ben", 1, 851, 49, 4, 48, RacerState.WON, 61_234),
    StandingsRow("ming", 1, 851, 49, 4, 48, RacerState.WON, 61_234),
    StandingsRow("cleo", 3, 849, 51, 4, 48, RacerState.WON, 75_000),
    StandingsRow("ada", 4, 599, 1, 1, 30),
    StandingsRow("dora", 5, 480, 20, 0, 3, RacerState.FORFEITED),
)
NAMES = {"ben": "Ben", "ming": "陳小明", "cleo": "Cleopatra the Seventh", "ada": "Ada", "dora": "Dora"}
MODEL = Model(me="ada", standings=ROWS, names=NAMES)


def shown(width: int, height: int, model: Model = MODEL) -> list[str]:
    return [plain(each) for each in standings(model, Style(glyphs=False), width, height)]


def test_a_racer_has_two_lines_where_all_fit() -> None:
    assert shown(30, 11) == [
        "5 racers",
        " 1 Ben                    1:01",
        "    #################",
        " 1 陳小明                 1:01",
        "    #################",
        " 3 Cleopatra the Se~      1:15",
        "    #################  +13.8 s",
        " 4>Ada                   1 run",
        "    ##########.......      -18",
        " 5 Dora                gave up",
        "    #................      -45",
    ]


def test_a_racer_has_one_line_where_two_do_not_fit() -> None:
    assert shown(30, 10)[1:3] == [" 1 Ben       #########    1:01", " 1 陳小明    #########    1:01"]


def test_a_wide_line_has_score_and_moves() -> None:
    assert shown(50, 6) == [
        "5 racers                      score moves",
        " 1 Ben          #############   851    49     1:01",
        " 1 陳小明       #############   851    49     1:01",
        " 3 Cleopatra t~ #############   849    51     1:15",
        " 4>Ada          ########.....   599     1    1 run",
        " 5 Dora         .............   480    20  gave up",
    ]
    assert shown(50, 11)[1] == " 1 Ben                          851    49     1:01"


def test_the_best_racers_and_the_player_are_shown_if_not_all_fit() -> None:
    assert [line[:6] for line in shown(30, 4)] == ["5 race", " 1 Ben", " 1 陳小明"[:6], " 4>Ada"]


def test_every_line_has_the_same_width() -> None:
    drawn: list[Line] = standings(MODEL, Style(), 40, 20)[1:]
    assert {width_of(each) for each in drawn} == {40}


@pytest.mark.parametrize(
    ("player", "gap"), [("ben", ""), ("ming", ""), ("cleo", "+13.8 s"), ("ada", "-18"), ("dora", "-45")]
)
def test_the_gap_to_the_first_racer(player: str, gap: str) -> None:
    """In seconds between winners, otherwise in cards in order."""
    assert gap_text(MODEL, next(each for each in ROWS if each.player == player)) == gap


def test_the_first_racer_shows_the_progress_in_per_cent() -> None:
    model = replace(MODEL, standings=ROWS[3:])
    assert gap_text(model, ROWS[3]) == "62 %"


def test_the_player_s_own_rank() -> None:
    assert my_rank(MODEL, Style()) == "place 4 of 5"
    assert my_rank(replace(MODEL, me="watcher"), Style()) == ""
