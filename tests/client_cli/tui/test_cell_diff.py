"""Cell diff: cut updates draw the same cells as Textual's own, in fewer bytes."""

import random
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from fullscreen import FakeServer
from fullscreen.harness import Harness
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual import _compositor
from textual._compositor import ChopsUpdate
from textual.strip import Strip

from client_cli.tui.app import RaceApp
from client_cli.tui.cell_diff import cut_to_spans

STRIP = Strip([Segment("ab"), Segment("cd"), Segment("小明"), Segment("ef")])


def update(*spans: tuple[int, int, int]) -> ChopsUpdate:
    return ChopsUpdate([{0: STRIP}], list(spans), [[10]])


def written(update: ChopsUpdate) -> str:
    return str(cut_to_spans(update).render_segments(Console(file=StringIO(), force_terminal=True)))


def test_only_the_cells_of_a_span_are_written() -> None:
    assert written(update((0, 3, 6))) == "\x1b[1;4Hd小"


def test_the_spans_of_a_row_are_written_one_by_one() -> None:
    """Textual would also write everything before the last of them."""
    assert written(update((0, 0, 1), (0, 8, 10))) == "\x1b[1;1Ha\x1b[1;9Hef"


def test_a_span_over_several_widgets_is_cut_from_each() -> None:
    """A widget without content there is left out."""
    chops = [{0: STRIP, 10: None, 12: STRIP}]
    assert written(ChopsUpdate(chops, [(0, 9, 14)], [[10, 12, 22]])) == "\x1b[1;10Hf\x1b[1;13Hab"


def test_colours_are_written_as_textual_writes_them() -> None:
    console = Console(file=StringIO(), force_terminal=True, color_system="truecolor")
    red = Strip([Segment("ab", Style(color="#FF0000", bold=True)), Segment("cd")])
    cut = cut_to_spans(ChopsUpdate([{0: red}], [(0, 1, 3)], [[4]])).render_segments(console)
    assert cut == "\x1b[1;2H\x1b[1;38;2;255;0;0mb\x1b[0mc"


def test_any_other_update_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """So is every update of a Textual without this class, or with another form of it."""
    for other in (None, "text", object()):
        assert cut_to_spans(other) is other
    bare = ChopsUpdate.__new__(ChopsUpdate)
    assert cut_to_spans(bare) is bare
    whole = update((0, 3, 6))
    monkeypatch.delattr(_compositor, "ChopsUpdate")
    assert cut_to_spans(whole) is whole


async def test_a_race_looks_the_same_as_drawn_by_textual(make_glass: Callable[[int, int], Any]) -> None:
    """Both kinds of updates are written to an emulated terminal, in a race of random keys."""
    harness = Harness()
    harness.start_race()
    app = RaceApp(harness.controller)
    ours, theirs = make_glass(80, 24), make_glass(80, 24)
    chance = random.Random(3)
    display = app._display

    def both(screen: Any, renderable: Any) -> None:
        if isinstance(renderable, ChopsUpdate):
            ours.write(cut_to_spans(renderable).render_segments(app.console))
            theirs.write(renderable.render_segments(app.console))
        elif renderable is not None:
            whole = renderable.render_segments(app.console)
            ours.write(whole)
            theirs.write(whole)
        display(screen, renderable)

    app._display = both  # type: ignore[method-assign]  # to see what it displays
    async with app.run_test(size=(80, 24)) as pilot:
        for glass in (ours, theirs):
            glass.write("".join(f"\x1b[{y + 1};1H{text}" for y, text in enumerate(_texts(app))))
            glass.written = 0
        for _ in range(25):
            await pilot.press(chance.choice([*"1234567890au", "left", "up"]))
        assert ours.rows() == theirs.rows() == [text.rstrip() for text in _texts(app)]
    assert ours.written < theirs.written / 2
    assert isinstance(harness.server, FakeServer)
    assert harness.server.n > 1


def _texts(app: RaceApp) -> list[str]:
    return ["".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips()]
