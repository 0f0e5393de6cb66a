"""Updates in few bytes put the same cells on the terminal as Textual's own, in fewer bytes."""

import random
from collections.abc import Callable
from io import StringIO
from typing import Any

from fullscreen import FakeServer
from fullscreen.scenes import Table
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate
from textual.strip import Strip

from client_cli.full.app import RaceApp
from client_cli.full.fine import FineUpdate

RED, BLUE = Style(color="#FF0000", bold=True), Style(color="#0000FF", bgcolor="#101010")
STRIP = Strip([Segment("ab", RED), Segment("cd", RED), Segment("小明", BLUE), Segment("ef")])


def console(system: str | None = "truecolor") -> Console:
    return Console(file=StringIO(), force_terminal=True, color_system=system)  # type: ignore[arg-type]  # as rich names them


def update(*spans: tuple[int, int, int]) -> ChopsUpdate:
    return ChopsUpdate([{0: STRIP}], list(spans), [[10]])


def test_only_the_cells_of_a_span_are_written() -> None:
    written = FineUpdate.of(update((0, 3, 6))).render_segments(console())
    assert written == ("\x1b[1;4H\x1b[0;1;38;2;255;0;0md\x1b[0;38;2;0;0;255;48;2;16;16;16m小\x1b[39;49m")


def test_a_style_that_goes_on_is_written_once() -> None:
    written = FineUpdate.of(update((0, 0, 2), (0, 2, 4))).render_segments(console())
    assert written == "\x1b[1;1H\x1b[0;1;38;2;255;0;0mab\x1b[1;3Hcd\x1b[0m"


def test_a_terminal_with_fewer_colours_gets_what_it_has() -> None:
    assert "38;5;" in FineUpdate.of(update((0, 0, 2))).render_segments(console("256"))
    assert "\x1b[0;1;31m" in FineUpdate.of(update((0, 0, 2))).render_segments(console("standard"))


def test_a_terminal_without_colours_gets_none() -> None:
    assert FineUpdate.of(update((0, 0, 10))).render_segments(console(None)) == "\x1b[1;1Habcd小明ef"


async def test_a_race_looks_the_same_as_by_textual_itself(make_glass: Callable[[int, int], Any]) -> None:
    """Both ways are written to a terminal of their own, through a race of random keys."""
    table = Table()
    table.race()
    app = RaceApp(table.seat)
    ours, theirs = make_glass(80, 24), make_glass(80, 24)
    chance = random.Random(3)
    display = app._display

    def both(screen: Any, renderable: Any) -> None:
        if isinstance(renderable, ChopsUpdate):
            ours.write(FineUpdate.of(renderable).render_segments(app.console))
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
    assert isinstance(table.server, FakeServer)
    assert table.server.n > 1


def _texts(app: RaceApp) -> list[str]:
    return ["".join(piece.text for piece in strip) for strip in app.screen._compositor.render_strips()]
