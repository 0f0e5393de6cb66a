"""Results of a race: the ranking with gaps, and a chart of the games."""

from typing import Final

from client_cli.core.model import Model
from client_cli.core.translatable import gettext_noop as _
from client_cli.text.style import Line, Role, Segment, Style, line
from client_cli.text.tables import outcome
from client_cli.text.width import fit, text_width
from client_cli.tui.state.recorded_game import Position
from client_cli.tui.state.state import Measure, ScreenState
from client_cli.tui.views.chart import CURVE_ROLES, Curve, chart
from protocol.parts import RacerState, Result

MAX_CURVES: Final = 8
"""Racers in a chart; more could not be distinguished."""

_CHART_TITLES: Final = {
    Measure.PROGRESS: _("Cards in order, over time"),
    Measure.CARDS_LEFT: _("Cards left, over time"),
    Measure.SCORE: _("Score, over time"),
}


def results(model: Model, state: ScreenState, style: Style, size: tuple[int, int]) -> list[Line]:
    """Return the table of results, and a chart where it fits."""
    width, height = size
    table = _table(model, style, width, height)
    drawn: list[Line] = [(), *table]
    ready = sum(each.ready for each in model.members)
    if ready:
        text = style.translate.plural(
            "{count} member is ready for the next race", "{count} members are ready for the next race", ready
        )
        drawn += [(), line(f"  {text}", Role.BAR)]
    room = height - len(drawn) - 2
    if room >= 6 and state.recording is not None:
        title = style.translate(_CHART_TITLES[state.measure])
        drawn += [(), line(f"  {title}", Role.QUIET), *_chart(model, state, style, (width, room))]
    return drawn[:height]


def _table(model: Model, style: Style, width: int, height: int) -> list[Line]:
    """Return the best racers, as many as fit, and the player's own line."""
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
    return [line(head, Role.QUIET), *(_result(model, each, style, name) for each in shown)]


def _result(model: Model, result: Result, style: Style, name: int) -> Line:
    mine = result.player == model.me
    return (
        Segment(f"{result.rank:>4}{'>' if mine else ' '} ", Role.BAR if mine else Role.TEXT),
        Segment(style.fit(result.name, name), Role.ME if mine else Role.TEXT),
        Segment(" " + fit(outcome(result, style), 12, right=True), Role.TEXT),
        Segment(" " + fit(gap_text(model, result), 9, right=True), Role.QUIET),
        Segment(f" {result.score:>6} {result.moves:>6} {result.runs:>5}", Role.TEXT),
    )


def gap_text(model: Model, result: Result) -> str:
    """Return how far a racer is behind the first: seconds between winners, otherwise points."""
    first = model.results[0]
    if result.player == first.player:
        return ""
    if first.state is RacerState.WON and result.state is RacerState.WON and model.settings.ranking == "time":
        return f"+{(result.reached_ms - first.reached_ms) / 1000:.3f}"
    return f"{result.score - first.score:+d}"


def _chart(model: Model, state: ScreenState, style: Style, size: tuple[int, int]) -> list[Line]:
    chosen = list(model.results[:MAX_CURVES])
    chosen += [each for each in model.results[MAX_CURVES:] if each.player == model.me]
    if state.recording is None:
        return []
    curves = []
    for number, result in enumerate(chosen):
        game = state.recording.game(result.player)
        points = [(each.at_ms, _value(each, state.measure)) for each in game.positions]
        role = Role.ME if result.player == model.me else CURVE_ROLES[number % len(CURVE_ROLES)]
        curves.append(Curve(str(result.rank % 10), role, points))
    length_ms = max((curve.points[-1][0] for curve in curves), default=0)
    return chart(curves, max(1000, length_ms), *size, style) if curves else []


def _value(position: Position, measure: Measure) -> int:
    match measure:
        case Measure.PROGRESS:
            return position.progress
        case Measure.CARDS_LEFT:
            return position.cards_left
        case Measure.SCORE:
            return position.score
