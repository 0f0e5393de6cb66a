"""The standings at the side of the board: rank, name, progress, and how far behind the first."""

from client_cli.core.model import Model
from client_cli.text.style import Role, Style
from client_cli.text.tables import bar, progress
from client_cli.text.width import fit
from client_cli.tui.views.ink import Ink, Row, row, spread
from engine.progress import MOST as JOINS_TO_WIN
from protocol.parts import StandingsRow

WIDE = 44
"""Cells from which on a racer has one line with everything."""


def standings(model: Model, style: Style, width: int, height: int) -> list[Row]:
    """Return the racers, best first, in `width` cells; two lines each where there is room for that.

    Where more race than `height` rows can show, the best are shown, and oneself.
    """
    count = len(model.standings)
    title: Row = row(style.translate.plural("{count} racer", "{count} racers", count), Role.QUIET)
    if width >= WIDE:
        labels = fit(style.translate("score"), 6, right=True) + fit(style.translate("moves"), 6, right=True)
        title = spread(title, row(labels + " " * 9, Role.QUIET), width, style.cut)
    if 2 * count <= height - 1:
        return [title, *(line for each in model.standings for line in _tall(model, each, style, width))]
    one_line = _wide if width >= WIDE else _short
    return [title, *(one_line(model, each, style, width) for each in _window(model, max(1, height - 1)))]


def _window(model: Model, height: int) -> list[StandingsRow]:
    shown = list(model.standings[:height])
    mine = next((each for each in model.standings[height:] if each.player == model.me), None)
    return shown if mine is None else [*shown[:-1], mine]


def _wide(model: Model, standing: StandingsRow, style: Style, width: int) -> Row:
    numbers = f"{standing.score:>6}{standing.moves:>6}"
    room = width - 4 - 9 - len(numbers)
    name = max(8, room // 2)
    return (
        _name(model, standing, style, name),
        Ink(bar(standing.progress, room - name, style), Role.BAR),
        Ink(numbers, Role.QUIET),
        Ink(" " + fit(progress(standing, style), 8, right=True), Role.TEXT),
    )


def _tall(model: Model, standing: StandingsRow, style: Style, width: int) -> tuple[Row, Row]:
    numbers = f"{standing.score:>6}{standing.moves:>6}" if width >= WIDE else ""
    name = _name(model, standing, style, width - 4 - 9 - len(numbers))
    told = fit(progress(standing, style), 8, right=True)
    first = (name, Ink(numbers, Role.QUIET), Ink(f" {told}", Role.TEXT))
    gap = fit(behind(model, standing), 8, right=True)
    second = (
        Ink("    "),
        Ink(bar(standing.progress, width - 4 - 9, style), Role.BAR),
        Ink(" " + gap, Role.QUIET),
    )
    return first, second


def _short(model: Model, standing: StandingsRow, style: Style, width: int) -> Row:
    room = width - 4 - 8
    name = max(6, room // 2)
    return (
        _name(model, standing, style, name),
        Ink(bar(standing.progress, room - name, style), Role.BAR),
        Ink(fit(progress(standing, style), 8, right=True), Role.TEXT),
    )


def _name(model: Model, standing: StandingsRow, style: Style, width: int) -> Ink:
    mine = standing.player == model.me
    width -= max(0, len(str(standing.rank)) - 2)
    text = f"{standing.rank:>2}{'>' if mine else ' '}{style.fit(model.name(standing.player), width)} "
    return Ink(text, Role.ME if mine else Role.TEXT)


def behind(model: Model, standing: StandingsRow) -> str:
    """Return how far a racer is behind the first: seconds among winners, else cards in order."""
    first = model.standings[0]
    if first.at_ms is not None and standing.at_ms is not None:
        gap = standing.at_ms - first.at_ms
        return f"+{gap / 1000:.1f} s" if gap else ""
    gap = max(first.progress, standing.progress) - standing.progress
    return f"-{gap}" if gap else f"{standing.progress * 100 // JOINS_TO_WIN} %"


def my_rank(model: Model, style: Style) -> str:
    """Return one's own place among all racers, empty when one has none."""
    mine = next((each for each in model.standings if each.player == model.me), None)
    if mine is None:
        return ""
    return style.translate("place {rank} of {count}", rank=mine.rank, count=len(model.standings))
