"""Textual app with keys and mouse of a pilot, connected to a fake server."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from fullscreen.example_race import solution
from fullscreen.harness import Harness, at_screen
from racetest import until
from textual import events
from textual.filter import NoColor

from client_cli.files import preferences
from client_cli.files.preferences import Preferences
from client_cli.text.style import Style, plain
from client_cli.tui.app import RaceApp
from client_cli.tui.state.state import Page
from client_cli.tui.views.layout import HEAD_LINES, layout_of
from protocol import from_client
from protocol.parts import Phase

SIZE = (80, 24)
MOVES = 9
MakeApp = Callable[[Harness], RaceApp]


def shown(app: RaceApp) -> list[str]:
    """Return the lines that Textual has composed."""
    return [
        "".join(segment.text for segment in strip).rstrip()
        for strip in app.screen._compositor.render_strips()
    ]


def cell(column: int, depth: int) -> tuple[int, int]:
    """Return the cell of a card; `depth` counts from the deepest card of the column."""
    layout = layout_of(Style(*SIZE))
    return (layout.left + column * layout.board.column_width + 1, HEAD_LINES + 1 + depth)


async def test_the_app_paints_the_lines_of_the_controller(racing: Harness, make_app: MakeApp) -> None:
    app = make_app(racing)
    async with app.run_test(size=SIZE):
        assert shown(app) == [plain(each) for each in racing.controller.lines(*SIZE)]


async def test_a_resize_draws_the_screen_at_its_new_size(racing: Harness, make_app: MakeApp) -> None:
    app = make_app(racing)
    async with app.run_test(size=SIZE) as pilot:
        for size in ((120, 40), (60, 20), SIZE):
            await pilot.resize_terminal(*size)
            lines = [plain(each) for each in racing.controller.lines(*size)]
            await until(partial(_shows, app, lines))


def _shows(app: RaceApp, lines: list[str]) -> bool:
    return shown(app) == lines


async def test_keys_pick_up_a_number_of_cards_and_drop_them(racing: Harness, make_app: MakeApp) -> None:
    """A digit picks up from a column, arrows hold more or fewer cards, another digit drops."""
    app = make_app(racing)
    async with app.run_test(size=SIZE) as pilot:
        for source, target, cards in solution()[:MOVES]:
            await pilot.press(str((source + 1) % 10), "up")
            while (held := racing.state.selection.held) is not None and held.cards != cards:
                await pilot.press("down")
            await pilot.press(str((target + 1) % 10))
        assert racing.server.received[-MOVES:] == [
            from_client.Move(race=1, n=n, source=move.source, target=move.target, cards=move.cards)
            for n, move in enumerate(solution()[:MOVES], start=1)
        ]


async def test_clicks_pick_up_a_number_of_cards_and_drop_them(racing: Harness, make_app: MakeApp) -> None:
    """A click on a card picks it up with all below it; a click on another column drops them."""
    app = make_app(racing)
    async with app.run_test(size=SIZE) as pilot:
        for source, target, cards in solution()[:MOVES]:
            columns = racing.conversation.model.game.columns  # type: ignore[union-attr]  # a race runs
            await pilot.click(offset=cell(source, len(columns[source]) - cards))
            await pilot.click(offset=cell(target, len(columns[target])))
        assert racing.conversation.model.game.moves == MOVES  # type: ignore[union-attr]  # likewise
        assert racing.server.received[-1].__class__ is from_client.Move


async def test_a_group_is_dragged_to_another_column(racing: Harness, make_app: MakeApp) -> None:
    source, target, cards = solution()[0]
    app = make_app(racing)
    async with app.run_test(size=SIZE) as pilot:
        columns = racing.conversation.model.game.columns  # type: ignore[union-attr]  # a race runs
        await pilot.mouse_down(offset=cell(source, len(columns[source]) - cards))
        await pilot.hover(offset=cell(target, 0))
        assert racing.state.selection.cursor == target
        await pilot.mouse_up(offset=cell(target, 0))
        assert racing.server.received[-1] == from_client.Move(
            race=1, n=1, source=source, target=target, cards=cards
        )
        assert racing.state.selection.held is None


async def test_a_double_click_sends_the_group_to_the_best_column(racing: Harness, make_app: MakeApp) -> None:
    source = solution()[0].source
    app = make_app(racing)
    async with app.run_test(size=SIZE) as pilot:
        columns = racing.conversation.model.game.columns  # type: ignore[union-attr]  # a race runs
        await pilot.click(offset=cell(source, len(columns[source]) - 1), times=2)
        assert racing.server.received[-1] == from_client.AutoMove(race=1, n=1, source=source)


async def test_the_right_button_puts_back(racing: Harness, make_app: MakeApp) -> None:
    app = make_app(racing)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("3")
        assert racing.state.selection.held is not None
        await pilot.click(offset=(10, 10), button=3)
        assert racing.state.selection.held is None


async def test_a_chat_line_is_typed_and_sent(harness: Harness, make_app: MakeApp) -> None:
    """While a line is typed keys are letters; Enter sends the line, Escape cancels it."""
    app = make_app(harness)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("t", *"queue", "enter")
        assert harness.server.received[-1].__class__ is from_client.Chat
        assert getattr(harness.server.received[-1], "text", "") == "queue"
        before = list(harness.server.received)
        await pilot.press("t", *"never", "escape", "r")
        assert [type(each) for each in harness.server.received[len(before) :]] == [from_client.Ready]


async def test_keys_that_are_typed_before_the_input_line_has_the_focus_go_into_it(
    harness: Harness, make_app: MakeApp
) -> None:
    """They may arrive before the input line that the first key opens is there."""
    app = make_app(harness)
    async with app.run_test(size=SIZE) as pilot:
        for key in "tsure":
            app.post_message(events.Key(key, key))
        app.post_message(events.Key("enter", "\r"))
        await until(lambda: isinstance(harness.server.received[-1], from_client.Chat))
        await pilot.pause()
        sent = [
            each
            for each in harness.server.received
            if not isinstance(each, from_client.Hello | from_client.Join)
        ]
        assert [(type(each), getattr(each, "text", "")) for each in sent] == [(from_client.Chat, "sure")]


async def test_hints_at_the_bottom_can_be_clicked(harness: Harness, make_app: MakeApp) -> None:
    app = make_app(harness)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.click(offset=(shown(app)[-1].index("settings"), SIZE[1] - 1))
        pages = [harness.state.page]
        await pilot.click(offset=(shown(app)[-1].index("back"), SIZE[1] - 1))
        pages.append(harness.state.page)
        await pilot.click(offset=(SIZE[0] - 1, SIZE[1] - 1))
        assert [*pages, harness.state.page] == [Page.SETTINGS, Page.ROOM, Page.ROOM]


async def test_the_typed_text_is_right_behind_its_prompt(harness: Harness, make_app: MakeApp) -> None:
    app = make_app(harness)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("t", "小", "明")
        assert shown(app)[-2].startswith(" chat: 小明")


async def test_tab_and_page_keys_reach_the_controller(make_app: MakeApp) -> None:
    """Textual has bindings of its own for some keys; ours take precedence."""
    harness = at_screen("replay")
    app = make_app(harness)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("tab")
        assert harness.state.playback is not None
        assert harness.state.playback.player == "ming"
        await pilot.press("home")
        assert harness.state.playback.index == 0
        await pilot.press("pagedown")
        assert harness.state.playback.index > 10


@pytest.mark.parametrize("way", ["q", "ctrl+q", "ctrl+c"])
async def test_leaving_needs_a_confirmation(harness: Harness, make_app: MakeApp, way: str) -> None:
    app = make_app(harness)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(way)
        assert any("Leave the room?" in row for row in shown(app))
        await pilot.press("n", way, "ctrl+c" if way == "ctrl+c" else "y")
        assert harness.server.received[-1].__class__ is from_client.Leave
        harness.controller.ended("")
        await until(lambda: app.return_code is not None)
    assert app.return_code == 0


async def test_the_bell_rings_for_the_last_three_seconds_and_the_start(
    harness: Harness, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(harness)
    rung: list[int] = []
    monkeypatch.setattr(app, "bell", lambda: rung.append(harness.now_ms))
    async with app.run_test(size=SIZE):
        harness.server.send(harness.race.countdown())
        for now_ms in range(0, 4200, 100):
            harness.now_ms = now_ms
            harness.controller.tick()
        harness.now_ms = 4200
        harness.server.send(harness.race.started())
    assert rung == [1200, 2200, 3200, 4200]


async def test_options_are_saved_and_take_effect(harness: Harness, tmp_path: Path) -> None:
    app = RaceApp(harness.controller, tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("o", "enter", "down", "enter", "down", "down", "enter", "escape")
        assert harness.state.selection.auto_place
        assert app.pane.dark is False
    assert preferences.read(tmp_path) == Preferences(bell=False, auto_place=True, dark=False)


async def test_the_invitation_is_copied(harness: Harness, make_app: MakeApp) -> None:
    app = make_app(harness)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("c")
        assert app.clipboard == "simonrace join ws://play.example.org:7466/KTQMX"


async def test_without_colours_nothing_is_coloured(racing: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """With NO_COLOR held cards are drawn in reverse."""
    monkeypatch.setenv("NO_COLOR", "1")
    app = RaceApp(racing.controller, colours=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("3")
        strips = [app.pane.render_line(number) for number in range(SIZE[1])]
        styles = [segment.style for strip in strips for segment in strip if segment.style is not None]
        assert [style for style in styles if style.color or style.bgcolor] == []
        assert any(style.reverse for style in styles)
        assert isinstance(app._filters[-1], NoColor)


async def test_one_key_gets_ready_for_the_next_race(finished: Harness, make_app: MakeApp) -> None:
    app = make_app(finished)
    async with app.run_test(size=SIZE) as pilot:
        assert finished.conversation.model.phase is Phase.RESULTS
        await pilot.press("n")
        assert finished.server.received[-1].__class__ is from_client.Ready
