"""The app of Textual with keys and mouse, as a pilot works them, before a fake server of real messages."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fullscreen.evening import solution
from fullscreen.scenes import Table, at_table
from textual import events
from textual.filter import NoColor

from client_cli.files import preferences
from client_cli.files.preferences import Preferences
from client_cli.text.style import Style
from client_cli.tui.app import RaceApp
from client_cli.tui.state.state import Page
from client_cli.tui.views.ink import text_of
from client_cli.tui.views.screen import HEAD, plan
from protocol import from_client as say
from protocol.parts import Phase

SIZE = (80, 24)
MOVES = 9
Show = Callable[[Table], RaceApp]


def shown(app: RaceApp) -> list[str]:
    """What the app has on its screen, row by row, as Textual composed it."""
    return [
        "".join(piece.text for piece in strip).rstrip() for strip in app.screen._compositor.render_strips()
    ]


def place(column: int, depth: int) -> tuple[int, int]:
    """Where a card of a column is on the screen; `depth` counts from its deepest card."""
    laid = plan(Style(*SIZE))
    return (laid.left + column * laid.shape.cell + 1, HEAD + 1 + depth)


async def test_what_is_painted_are_the_rows_of_the_seat(racing: Table, make_app: Show) -> None:
    app = make_app(racing)
    async with app.run_test(size=SIZE):
        assert shown(app) == [text_of(each) for each in racing.seat.rows(*SIZE)]


async def test_resizing_draws_the_screen_anew_at_its_size(racing: Table, make_app: Show) -> None:
    app = make_app(racing)
    async with app.run_test(size=SIZE) as pilot:
        for size in ((120, 40), (60, 20), SIZE):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert shown(app) == [text_of(each) for each in racing.seat.rows(*size)]


async def test_keys_pick_up_as_many_as_are_wanted_and_drop_them(racing: Table, make_app: Show) -> None:
    """A column's digit picks up, arrows hold more or fewer, another digit drops."""
    app = make_app(racing)
    async with app.run_test(size=SIZE) as pilot:
        for source, target, count in solution()[:MOVES]:
            await pilot.press(str((source + 1) % 10), "up")
            while (held := racing.seat.desk.hand.held) is not None and held.count != count:
                await pilot.press("down")
            await pilot.press(str((target + 1) % 10))
        assert racing.server.said[-MOVES:] == [
            say.Move(race=1, n=n, source=move.source, target=move.target, cards=move.cards)
            for n, move in enumerate(solution()[:MOVES], start=1)
        ]


async def test_clicks_pick_up_as_many_as_are_wanted_and_drop_them(racing: Table, make_app: Show) -> None:
    """A click on a card takes it with all below it; a click on another column drops them."""
    app = make_app(racing)
    async with app.run_test(size=SIZE) as pilot:
        for source, target, count in solution()[:MOVES]:
            columns = racing.conversation.model.game.columns  # type: ignore[union-attr]  # a race runs
            await pilot.click(offset=place(source, len(columns[source]) - count))
            await pilot.click(offset=place(target, len(columns[target])))
        assert racing.conversation.model.game.moves == MOVES  # type: ignore[union-attr]  # likewise
        assert racing.server.said[-1].__class__ is say.Move


async def test_a_group_is_dragged_to_another_column(racing: Table, make_app: Show) -> None:
    source, target, count = solution()[0]
    app = make_app(racing)
    async with app.run_test(size=SIZE) as pilot:
        columns = racing.conversation.model.game.columns  # type: ignore[union-attr]  # a race runs
        await pilot.mouse_down(offset=place(source, len(columns[source]) - count))
        await pilot.hover(offset=place(target, 0))
        assert racing.seat.desk.hand.cursor == target
        await pilot.mouse_up(offset=place(target, 0))
        assert racing.server.said[-1] == say.Move(race=1, n=1, source=source, target=target, cards=count)
        assert racing.seat.desk.hand.held is None


async def test_a_double_click_sends_the_group_to_the_best_column(racing: Table, make_app: Show) -> None:
    source = solution()[0].source
    app = make_app(racing)
    async with app.run_test(size=SIZE) as pilot:
        columns = racing.conversation.model.game.columns  # type: ignore[union-attr]  # a race runs
        await pilot.click(offset=place(source, len(columns[source]) - 1), times=2)
        assert racing.server.said[-1] == say.AutoMove(race=1, n=1, source=source)


async def test_the_right_button_puts_back(racing: Table, make_app: Show) -> None:
    app = make_app(racing)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("3")
        assert racing.seat.desk.hand.held is not None
        await pilot.click(offset=(10, 10), button=3)
        assert racing.seat.desk.hand.held is None


async def test_a_line_is_typed_and_said(table: Table, make_app: Show) -> None:
    """While somebody types, keys are letters; Enter says the line, Escape gives it up."""
    app = make_app(table)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("t", *"queue", "enter")
        assert table.server.said[-1].__class__ is say.Chat
        assert getattr(table.server.said[-1], "text", "") == "queue"
        before = list(table.server.said)
        await pilot.press("t", *"never", "escape", "r")
        assert [type(each) for each in table.server.said[len(before) :]] == [say.Ready]


async def test_no_key_of_a_line_that_is_typed_fast_is_lost_or_means_something_else(
    table: Table, make_app: Show
) -> None:
    """Keys may have set out for the table before the line that the first of them opens is there."""
    app = make_app(table)
    async with app.run_test(size=SIZE) as pilot:
        for key in "tsure":
            app.post_message(events.Key(key, key))
        app.post_message(events.Key("enter", "\r"))
        await pilot.pause()
        await pilot.pause()
        said = [each for each in table.server.said if not isinstance(each, say.Hello | say.Join)]
        assert [(type(each), getattr(each, "text", "")) for each in said] == [(say.Chat, "sure")]


async def test_hints_at_the_bottom_can_be_clicked(table: Table, make_app: Show) -> None:
    app = make_app(table)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.click(offset=(shown(app)[-1].index("settings"), SIZE[1] - 1))
        pages = [table.seat.desk.page]
        await pilot.click(offset=(shown(app)[-1].index("back"), SIZE[1] - 1))
        pages.append(table.seat.desk.page)
        await pilot.click(offset=(SIZE[0] - 1, SIZE[1] - 1))
        assert [*pages, table.seat.desk.page] == [Page.SETTINGS, Page.ROOM, Page.ROOM]


async def test_what_is_typed_stands_right_behind_its_prompt(table: Table, make_app: Show) -> None:
    app = make_app(table)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("t", "小", "明")
        assert shown(app)[-2].startswith(" say: 小明")


async def test_tab_and_page_keys_reach_the_seat(make_app: Show) -> None:
    """Textual has meanings of its own for some keys; here they have ours."""
    table = at_table("replay")
    replay = table.seat.desk.replay
    assert replay is not None
    app = make_app(table)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("tab")
        assert table.seat.desk.replay is not None
        assert table.seat.desk.replay.player == "ming"
        await pilot.press("home")
        assert table.seat.desk.replay.number == 0
        await pilot.press("pagedown")
        assert table.seat.desk.replay.number > 10


@pytest.mark.parametrize("way", ["q", "ctrl+q", "ctrl+c"])
async def test_leaving_is_asked_about_and_then_done(table: Table, make_app: Show, way: str) -> None:
    app = make_app(table)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(way)
        assert any("Leave the room?" in row for row in shown(app))
        await pilot.press("n", way, "ctrl+c" if way == "ctrl+c" else "y")
        assert table.server.said[-1].__class__ is say.Leave
        table.seat.ended("")
        await pilot.pause()
    assert app.return_code == 0


async def test_the_bell_rings_for_the_last_three_seconds_and_the_start(
    table: Table, make_app: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(table)
    rung: list[int] = []
    monkeypatch.setattr(app, "bell", lambda: rung.append(table.now))
    async with app.run_test(size=SIZE):
        table.server.tell(table.evening.countdown())
        for moment in range(0, 4200, 100):
            table.now = moment
            table.seat.tick()
        table.now = 4200
        table.server.tell(table.evening.started())
    assert rung == [1200, 2200, 3200, 4200]


async def test_options_are_kept_and_take_effect(table: Table, tmp_path: Path) -> None:
    app = RaceApp(table.seat, tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("o", "enter", "down", "enter", "down", "down", "enter", "escape")
        assert table.seat.desk.hand.auto_place
        assert app.pane.dark is False
    assert preferences.read(tmp_path) == Preferences(bell=False, auto_place=True, dark=False)


async def test_the_share_line_is_copied(table: Table, make_app: Show) -> None:
    app = make_app(table)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("c")
        assert app.clipboard == "simonrace join ws://play.example.org:7466/KTQMX"


async def test_without_colours_nothing_is_coloured(racing: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR: what is held is turned inside out instead."""
    monkeypatch.setenv("NO_COLOR", "1")
    app = RaceApp(racing.seat, colours=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("3")
        strips = [app.pane.render_line(number) for number in range(SIZE[1])]
        styles = [piece.style for strip in strips for piece in strip if piece.style is not None]
        assert [style for style in styles if style.color or style.bgcolor] == []
        assert any(style.reverse for style in styles)
        assert isinstance(app._filters[-1], NoColor)


async def test_the_next_race_takes_one_key(over: Table, make_app: Show) -> None:
    app = make_app(over)
    async with app.run_test(size=SIZE) as pilot:
        assert over.conversation.model.phase is Phase.RESULTS
        await pilot.press("n")
        assert over.server.said[-1].__class__ is say.Ready
