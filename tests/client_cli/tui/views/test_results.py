"""After a race: ranks with ties, gaps, and a chart."""

from dataclasses import replace

import msgspec
import pytest
from fullscreen.evening import record
from fullscreen.scenes import Table

from client_cli.text.style import Style
from client_cli.tui.state.state import Measure
from client_cli.tui.views.ink import text_of
from client_cli.tui.views.results import gap, results
from protocol.parts import Ranking, Settings


def shown(table: Table, size: tuple[int, int] = (80, 18)) -> list[str]:
    return [text_of(each) for each in results(table.conversation.model, table.seat.desk, Style(), size)]


def test_ties_have_the_same_rank(over: Table) -> None:
    tied = [msgspec.structs.replace(each, rank=min(each.rank, 2)) for each in record().results]
    over.conversation.model = replace(over.conversation.model, results=tuple(tied))
    assert [line.split()[0].rstrip(">") for line in shown(over)[2:6]] == ["1", "2", "2", "2"]


@pytest.mark.parametrize(
    ("ranking", "gaps"),
    [(Ranking.TIME, ["", "+25.463", "-387", "-359"]), (Ranking.SCORE, ["", "+0", "-387", "-359"])],
)
def test_gaps_are_in_what_the_race_was_won_by(over: Table, ranking: Ranking, gaps: list[str]) -> None:
    model = replace(over.conversation.model, settings=Settings(ranking=ranking))
    assert [gap(model, each) for each in record().results] == gaps


def test_people_who_are_ready_for_the_next_race_are_counted(over: Table) -> None:
    people = [
        msgspec.structs.replace(each, ready=each.player == "ming") for each in over.conversation.model.members
    ]
    over.conversation.model = replace(over.conversation.model, members=tuple(people))
    assert "  1 person is ready for the next race" in shown(over)


@pytest.mark.parametrize(
    ("measure", "title", "most"),
    [
        (Measure.PROGRESS, "Cards in order", "48"),
        (Measure.CARDS, "Cards left", "52"),
        (Measure.SCORE, "Score", "837"),
    ],
)
def test_the_chart_shows_what_is_wanted(over: Table, measure: Measure, title: str, most: str) -> None:
    over.seat.desk.measure = measure
    text = shown(over)
    at = next(number for number, line in enumerate(text) if title in line)
    assert text[at + 1].split("│")[0].strip() == most


def test_of_many_the_best_are_shown_and_oneself(over: Table) -> None:
    last = msgspec.structs.replace(record().results[0], rank=40)
    crowd = [msgspec.structs.replace(last, player=f"p{n}", name=f"P{n}", rank=n) for n in range(1, 40)]
    over.conversation.model = replace(over.conversation.model, results=(*crowd, last))
    text = shown(over, (80, 10))
    assert [line.split()[0] for line in text[2:]] == ["1", "2", "3", "4", "5", "6", "7", "40>"]


def test_there_is_no_chart_before_the_record_has_come_or_without_room(over: Table) -> None:
    assert len(shown(over, (80, 10))) == 6
    over.seat.desk.record = None
    assert len(shown(over)) == 6
