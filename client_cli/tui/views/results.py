"""After a race: ranks with ties and gaps, and everybody's way as a chart."""

from client_cli.core.model import Model
from client_cli.core.translatable import gettext_noop as _
from client_cli.text.style import Role, Style
from client_cli.text.tables import outcome
from client_cli.text.width import fit, text_width
from client_cli.tui.state.recorded_game import Shot
from client_cli.tui.state.state import Desk, Measure
from client_cli.tui.views.chart import LINE_ROLES, Curve, chart
from client_cli.tui.views.ink import Ink, Row, row
from protocol.parts import RacerState, Result

CURVES = 8
"""Racers in a chart at most: more could not be told apart."""

_TITLES = {
    Measure.PROGRESS: _("Cards in order, over time"),
    Measure.CARDS: _("Cards left, over time"),
    Measure.SCORE: _("Score, over time"),
}


def results(model: Model, desk: Desk, style: Style, size: tuple[int, int]) -> list[Row]:
    """Return the results in so many cells: the table, and a chart where there is room for one."""
    width, height = size
    table = _table(model, style, width, height)
    drawn: list[Row] = [(), *table]
    ready = sum(each.ready for each in model.members)
    if ready:
        text = style.translate.plural(
            "{count} person is ready for the next race", "{count} people are ready for the next race", ready
        )
        drawn += [(), row(f"  {text}", Role.BAR)]
    room = height - len(drawn) - 2
    if room >= 6 and desk.record is not None:
        title = style.translate(_TITLES[desk.measure])
        drawn += [(), row(f"  {title}", Role.QUIET), *_chart(model, desk, style, (width, room))]
    return drawn[:height]


def _table(model: Model, style: Style, width: int, height: int) -> list[Row]:
    """Return the best, as many as there is room for, and oneself."""
    translate, shown = style.translate, list(model.results[: max(1, height - 2)])
    mine = next((each for each in model.results[len(shown) :] if each.player == model.me), None)
    shown = shown if mine is None else [*shown[:-1], mine]
    name = min(24, max([4, *(text_width(each.name) for each in shown)]), max(6, width - 52))
    columns = (
        (translate("time"), 12),
        (translate("behind"), 9),
        (translate("score"), 6),
        (translate("moves"), 6),
        (translate("runs"), 5),
    )
    numbers = " ".join(fit(label, cells, right=True) for label, cells in columns)
    head = f"{'#':>4}  " + fit(translate("name"), name) + f" {numbers}"
    return [row(head, Role.QUIET), *(_result(model, each, style, name) for each in shown)]


def _result(model: Model, result: Result, style: Style, name: int) -> Row:
    mine = result.player == model.me
    return (
        Ink(f"{result.rank:>4}{'>' if mine else ' '} ", Role.BAR if mine else Role.TEXT),
        Ink(style.fit(result.name, name), Role.ME if mine else Role.TEXT),
        Ink(" " + fit(outcome(result, style), 12, right=True), Role.TEXT),
        Ink(" " + fit(gap(model, result), 9, right=True), Role.QUIET),
        Ink(f" {result.score:>6} {result.moves:>6} {result.runs:>5}", Role.TEXT),
    )


def gap(model: Model, result: Result) -> str:
    """Return how far behind the first: in seconds among those who won, otherwise in points."""
    first = model.results[0]
    if result.player == first.player:
        return ""
    if first.state is RacerState.WON and result.state is RacerState.WON and model.settings.ranking == "time":
        return f"+{(result.reached_ms - first.reached_ms) / 1000:.3f}"
    return f"{result.score - first.score:+d}"


def _chart(model: Model, desk: Desk, style: Style, size: tuple[int, int]) -> list[Row]:
    chosen = list(model.results[:CURVES])
    chosen += [each for each in model.results[CURVES:] if each.player == model.me]
    curves = []
    for number, result in enumerate(chosen):
        reel = desk.reel(result.player)
        if reel is not None:
            points = [(shot.at, _value(shot, desk.measure)) for shot in reel.shots]
            role = Role.ME if result.player == model.me else LINE_ROLES[number % len(LINE_ROLES)]
            curves.append(Curve(str(result.rank % 10), role, points))
    length = max((curve.points[-1][0] for curve in curves), default=0)
    return chart(curves, max(1000, length), *size, style) if curves else []


def _value(shot: Shot, measure: Measure) -> int:
    match measure:
        case Measure.PROGRESS:
            return shot.progress
        case Measure.CARDS:
            return shot.cards
        case Measure.SCORE:
            return shot.score
