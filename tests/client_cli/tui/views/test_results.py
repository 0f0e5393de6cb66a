"""Results: ranks with ties, gaps, a chart."""

from dataclasses import replace

import msgspec
import pytest
from fullscreen.example_race import record
from fullscreen.harness import Harness

from client_cli.text.style import Style, plain
from client_cli.tui.state.state import Measure
from client_cli.tui.views.results import gap_text, results
from protocol.parts import Ranking, Settings


def shown(harness: Harness, size: tuple[int, int] = (80, 18)) -> list[str]:
    return [plain(each) for each in results(harness.conversation.model, harness.state, Style(), size)]


def test_tied_racers_have_the_same_rank(finished: Harness) -> None:
    tied = [msgspec.structs.replace(each, rank=min(each.rank, 2)) for each in record().results]
    finished.conversation.model = replace(finished.conversation.model, results=tuple(tied))
    assert [line.split()[0].rstrip(">") for line in shown(finished)[2:6]] == ["1", "2", "2", "2"]


@pytest.mark.parametrize(
    ("ranking", "gaps"),
    [(Ranking.TIME, ["", "+25.463", "-387", "-359"]), (Ranking.SCORE, ["", "+0", "-387", "-359"])],
)
def test_gaps_are_in_the_unit_of_the_ranking(finished: Harness, ranking: Ranking, gaps: list[str]) -> None:
    model = replace(finished.conversation.model, settings=Settings(ranking=ranking))
    assert [gap_text(model, each) for each in record().results] == gaps


def test_members_who_are_ready_for_the_next_race_are_counted(finished: Harness) -> None:
    members = [
        msgspec.structs.replace(each, ready=each.player == "ming")
        for each in finished.conversation.model.members
    ]
    finished.conversation.model = replace(finished.conversation.model, members=tuple(members))
    assert "  1 member is ready for the next race" in shown(finished)


@pytest.mark.parametrize(
    ("measure", "title", "most"),
    [
        (Measure.PROGRESS, "Cards in order", "48"),
        (Measure.CARDS_LEFT, "Cards left", "52"),
        (Measure.SCORE, "Score", "837"),
    ],
)
def test_the_chart_shows_the_chosen_measure(
    finished: Harness, measure: Measure, title: str, most: str
) -> None:
    finished.change(measure=measure)
    text = shown(finished)
    at = next(number for number, line in enumerate(text) if title in line)
    assert text[at + 1].split("│")[0].strip() == most


def test_the_best_racers_and_the_player_are_shown_if_not_all_fit(finished: Harness) -> None:
    last = msgspec.structs.replace(record().results[0], rank=40)
    others = [msgspec.structs.replace(last, player=f"p{n}", name=f"P{n}", rank=n) for n in range(1, 40)]
    finished.conversation.model = replace(finished.conversation.model, results=(*others, last))
    text = shown(finished, (80, 10))
    assert [line.split()[0] for line in text[2:]] == ["1", "2", "3", "4", "5", "6", "7", "40>"]


def test_there_is_no_chart_without_the_record_or_without_space(finished: Harness) -> None:
    assert len(shown(finished, (80, 10))) == 6
    finished.change(recording=None)
    assert len(shown(finished)) == 6
