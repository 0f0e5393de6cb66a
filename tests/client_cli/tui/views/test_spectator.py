"""Watching: the standings alone, one board, or as many side by side as there is room for."""

from dataclasses import replace

import pytest
from fullscreen.scenes import Table, at_table

from client_cli.tui.controller import ASK_MS, BOARD_MS
from client_cli.tui.views.ink import text_of, width_of
from client_cli.tui.views.spectator import Wall, visible, wall
from protocol import from_client as say
from protocol import from_server as msg

RACERS = ("ada", "ming", "zoe", "ben")


@pytest.fixture
def watching() -> Table:
    """Mei, who watches a race of four with all their boards."""
    return at_table("boards")


def questions(table: Table) -> list[str]:
    return [each.player for each in table.server.said if isinstance(each, say.GetBoard)]


def answer(table: Table) -> None:
    """Answer the last question, so that the next may be asked."""
    table.server.tell(msg.Done(ref=table.server.said[-1].ref))  # type: ignore[union-attr]  # it is a request


def crowd(table: Table, count: int) -> None:
    """Let so many race."""
    model = table.conversation.model
    assert model.race is not None
    racers = tuple(f"p{number}" for number in range(count))
    table.conversation.model = replace(model, race=replace(model.race, racers=racers))
    table.seat.desk.shown = racers[0]


@pytest.mark.parametrize(
    ("racers", "size", "laid"),
    [
        (4, (120, 31), None),
        (1, (200, 39), None),
        (2, (160, 39), Wall(2, 1, 62, 39)),
        (4, (160, 39), Wall(2, 2, 62, 19)),
        (4, (200, 39), Wall(2, 2, 82, 19)),
        (3, (200, 30), Wall(3, 1, 54, 30)),
        (9, (200, 39), Wall(3, 2, 54, 19)),
        (2, (300, 39), Wall(2, 1, 92, 39)),
    ],
)
def test_boards_stand_side_by_side_where_each_keeps_a_good_size(
    racers: int, size: tuple[int, int], laid: Wall | None
) -> None:
    """As few in a row as fit all, so that each is as large as can be."""
    assert wall(racers, *size) == laid


def test_more_boards_than_fit_are_leafed_through(watching: Table) -> None:
    """The chosen board is always among them, and others keep their places as long as it is."""
    crowd(watching, 9)
    desk, model = watching.seat.desk, watching.conversation.model
    size = (200, 39)
    assert visible(desk, model, size) == ("p0", "p1", "p2", "p3", "p4", "p5")
    desk.shown = "p5"
    assert visible(desk, model, size) == ("p0", "p1", "p2", "p3", "p4", "p5")
    desk.shown = "p6"
    assert visible(desk, model, size) == ("p3", "p4", "p5", "p6", "p7", "p8"), "no place is empty"
    assert visible(desk, model, (100, 30)) == ("p6",)


def test_the_chosen_board_is_marked_and_keys_choose_another(watching: Table) -> None:
    def chosen() -> list[str]:
        rows = [text_of(each) for each in watching.seat.rows(160, 50)]
        return [part.split()[0] for row in rows for part in row.split(">")[1:] if "score" in part]

    assert chosen() == ["陳小明"]
    watching.press("right")
    assert chosen() == ["Zoë"]
    watching.press("left", "left")
    assert chosen() == ["Ada"]
    watching.press("left")
    assert chosen() == ["Ben"]


def test_a_board_that_has_not_come_yet_says_so(watching: Table) -> None:
    del watching.seat.desk.boards["ben"]
    rows = [text_of(each) for each in watching.seat.rows(160, 50)]
    assert sum("score 475, moves 25, runs 0" in row for row in rows) == 2
    assert sum("Asking the server..." in row for row in rows) == 1


@pytest.mark.parametrize("size", [(160, 16), (160, 50), (200, 50), (240, 70), (300, 24)])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 9, 50])
def test_no_wall_is_larger_than_the_screen(watching: Table, size: tuple[int, int], count: int) -> None:
    crowd(watching, count)
    rows = watching.seat.rows(*size)
    assert len(rows) == size[1]
    assert all(width_of(row) <= size[0] for row in rows)


def test_seen_boards_are_asked_for_in_turn(watching: Table) -> None:
    """Each at most once in a second, all together at most four times."""
    watching.seat.rows(160, 50)
    answer(watching)
    asked: list[tuple[int, str]] = []
    for at in range(0, 2 * BOARD_MS, 50):
        before = len(questions(watching))
        watching.now += 50
        watching.seat.tick()
        asked += [(at, player) for player in questions(watching)[before:]]
        answer(watching)
    assert asked == [(number * ASK_MS, player) for number, player in enumerate([*RACERS, *RACERS])]
    assert len(RACERS) * ASK_MS == BOARD_MS


def test_a_small_screen_asks_for_the_chosen_board_alone(watching: Table) -> None:
    watching.seat.rows(80, 24)
    answer(watching)
    before = len(questions(watching))
    for _ in range(5):
        watching.now += BOARD_MS
        watching.seat.tick()
        answer(watching)
    assert questions(watching)[before:] == ["ming"] * 5
