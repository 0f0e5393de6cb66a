"""Spectator: the standings alone, one board, or as many boards side by side as fit."""

from dataclasses import replace

import pytest
from fullscreen.harness import Harness, at_screen

from client_cli.text.style import plain, width_of
from client_cli.tui.views.spectator import BoardGrid, board_grid, visible_racers


@pytest.fixture
def spectator() -> Harness:
    """Mei, who watches a race of four with all their boards."""
    return at_screen("boards")


def set_racers(harness: Harness, count: int) -> None:
    """Give the race this many racers."""
    model = harness.conversation.model
    assert model.race is not None
    racers = tuple(f"p{number}" for number in range(count))
    harness.conversation.model = replace(model, race=replace(model.race, racers=racers))
    harness.change(watched=racers[0])


@pytest.mark.parametrize(
    ("racers", "size", "grid"),
    [
        (4, (120, 31), None),
        (1, (200, 39), None),
        (2, (160, 39), BoardGrid(2, 1, 62, 39)),
        (4, (160, 39), BoardGrid(2, 2, 62, 19)),
        (4, (200, 39), BoardGrid(2, 2, 82, 19)),
        (3, (200, 30), BoardGrid(3, 1, 54, 30)),
        (9, (200, 39), BoardGrid(3, 2, 54, 19)),
        (2, (300, 39), BoardGrid(2, 1, 92, 39)),
    ],
)
def test_boards_are_side_by_side_where_each_is_large_enough(
    racers: int, size: tuple[int, int], grid: BoardGrid | None
) -> None:
    """A grid has as few columns as show all boards, so that each is as large as possible."""
    assert board_grid(racers, *size) == grid


def test_the_visible_boards_contain_the_chosen_one(spectator: Harness) -> None:
    """The others keep their places while the chosen board is among them."""
    set_racers(spectator, 9)
    state, model = spectator.state, spectator.conversation.model
    size = (200, 39)
    assert visible_racers(state, model, size) == ("p0", "p1", "p2", "p3", "p4", "p5")
    state = replace(state, watched="p5")
    assert visible_racers(state, model, size) == ("p0", "p1", "p2", "p3", "p4", "p5")
    state = replace(state, watched="p6")
    assert visible_racers(state, model, size) == ("p3", "p4", "p5", "p6", "p7", "p8"), "no place is empty"
    assert visible_racers(state, model, (100, 30)) == ("p6",)


def test_the_chosen_board_is_marked_and_keys_choose_another(spectator: Harness) -> None:
    def chosen() -> list[str]:
        lines = [plain(each) for each in spectator.controller.lines(160, 50)]
        return [part.split()[0] for line in lines for part in line.split(">")[1:] if "score" in part]

    assert chosen() == ["陳小明"]
    spectator.press("right")
    assert chosen() == ["Zoë"]
    spectator.press("left", "left")
    assert chosen() == ["Ada"]
    spectator.press("left")
    assert chosen() == ["Ben"]


def test_a_board_that_has_not_arrived_yet_says_so(spectator: Harness) -> None:
    boards = {player: game for player, game in spectator.state.boards.items() if player != "ben"}
    spectator.change(boards=boards)
    lines = [plain(each) for each in spectator.controller.lines(160, 50)]
    assert sum("score 475, moves 25, runs 0" in line for line in lines) == 2
    assert sum("Waiting for the server..." in line for line in lines) == 1


@pytest.mark.parametrize("size", [(160, 16), (160, 50), (200, 50), (240, 70), (300, 24)])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 9, 50])
def test_no_grid_is_larger_than_the_screen(spectator: Harness, size: tuple[int, int], count: int) -> None:
    set_racers(spectator, count)
    lines = spectator.controller.lines(*size)
    assert len(lines) == size[1]
    assert all(width_of(line) <= size[0] for line in lines)
