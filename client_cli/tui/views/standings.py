"""Standings beside the board: rank, name, progress, distance to the first."""

from typing import Final

from client_cli.core.model import Model
from client_cli.text.style import Line, Role, Segment, Style, line
from client_cli.text.tables import bar, progress
from client_cli.text.width import fit
from client_cli.tui.views.alignment import justified
from engine.progress import MOST as JOINS_TO_WIN
from protocol.parts import StandingsRow

MIN_WIDTH: Final = 28
"""Cells that the standings need beside a board."""

_WIDE: Final = 44
"""Cells that a line with score and moves needs."""


def standings(model: Model, style: Style, width: int, height: int) -> list[Line]:
    """Return the racers, best first, in `width` cells; two lines each where all of them fit.

    If there are more racers than `height` lines, the best are shown, and the player's own line.
    """
    count = len(model.standings)
    title: Line = line(style.translate.plural("{count} racer", "{count} racers", count), Role.QUIET)
    if width >= _WIDE:
        labels = fit(style.translate("score"), 6, right=True) + fit(style.translate("moves"), 6, right=True)
        title = justified(title, line(labels + " " * 9, Role.QUIET), width, style.cut)
    if 2 * count <= height - 1:
        return [title, *(part for each in model.standings for part in _two_lines(model, each, style, width))]
    one_line = _wide_line if width >= _WIDE else _narrow_line
    return [title, *(one_line(model, each, style, width) for each in _window(model, max(1, height - 1)))]


def _window(model: Model, height: int) -> list[StandingsRow]:
    shown = list(model.standings[:height])
    mine = next((each for each in model.standings[height:] if each.player == model.me), None)
    return shown if mine is None else [*shown[:-1], mine]


def _wide_line(model: Model, standing: StandingsRow, style: Style, width: int) -> Line:
    numbers = f"{standing.score:>6}{standing.moves:>6}"
    room = width - 4 - 9 - len(numbers)
    name = max(8, room // 2)
    return (
        _name(model, standing, style, name),
        Segment(bar(standing.progress, room - name, style), Role.BAR),
        Segment(numbers, Role.QUIET),
        Segment(" " + fit(progress(standing, style), 8, right=True), Role.TEXT),
    )


def _two_lines(model: Model, standing: StandingsRow, style: Style, width: int) -> tuple[Line, Line]:
    numbers = f"{standing.score:>6}{standing.moves:>6}" if width >= _WIDE else ""
    name = _name(model, standing, style, width - 4 - 9 - len(numbers))
    done = fit(progress(standing, style), 8, right=True)
    first = (name, Segment(numbers, Role.QUIET), Segment(f" {done}", Role.TEXT))
    gap = fit(gap_text(model, standing), 8, right=True)
    second = (
        Segment("    "),
        Segment(bar(standing.progress, width - 4 - 9, style), Role.BAR),
        Segment(" " + gap, Role.QUIET),
    )
    return first, second


def _narrow_line(model: Model, standing: StandingsRow, style: Style, width: int) -> Line:
    room = width - 4 - 8
    name = max(6, room // 2)
    return (
        _name(model, standing, style, name),
        Segment(bar(standing.progress, room - name, style), Role.BAR),
        Segment(fit(progress(standing, style), 8, right=True), Role.TEXT),
    )


def _name(model: Model, standing: StandingsRow, style: Style, width: int) -> Segment:
    mine = standing.player == model.me
    width -= max(0, len(str(standing.rank)) - 2)
    text = f"{standing.rank:>2}{'>' if mine else ' '}{style.fit(model.name(standing.player), width)} "
    return Segment(text, Role.ME if mine else Role.TEXT)


def gap_text(model: Model, standing: StandingsRow) -> str:
    """Return how far a racer is behind the first: seconds among winners, otherwise cards in order."""
    first = model.standings[0]
    if first.at_ms is not None and standing.at_ms is not None:
        gap = standing.at_ms - first.at_ms
        return f"+{gap / 1000:.1f} s" if gap else ""
    gap = max(first.progress, standing.progress) - standing.progress
    return f"-{gap}" if gap else f"{standing.progress * 100 // JOINS_TO_WIN} %"


def my_rank(model: Model, style: Style) -> str:
    """Return the player's own rank, empty without one."""
    mine = next((each for each in model.standings if each.player == model.me), None)
    if mine is None:
        return ""
    return style.translate("place {rank} of {count}", rank=mine.rank, count=len(model.standings))
