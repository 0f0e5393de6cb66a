"""The whole screen: lines that fill the terminal, made from the state."""

from dataclasses import replace

from client_cli.core import times
from client_cli.core.model import Model
from client_cli.text.style import Line, Role, Segment, Style, Tone, clip, line
from client_cli.tui.state.keys import Mode
from client_cli.tui.state.state import Context, Page, ScreenState
from client_cli.tui.views import pages
from client_cli.tui.views.alignment import justified, padded, striped
from client_cli.tui.views.hints import hints_line
from client_cli.tui.views.layout import Layout, layout_of
from client_cli.tui.views.lobby import lobby
from client_cli.tui.views.race import racer_view, spectator_view, winner_view
from client_cli.tui.views.replay import replay
from client_cli.tui.views.results import results
from client_cli.tui.views.standings import my_rank
from client_cli.tui.views.status import log_lines, status_line
from protocol.parts import Phase, RacerState


def screen(state: ScreenState, context: Context, style: Style) -> list[Line]:
    """Return exactly `style.height` lines of at most `style.width` cells."""
    mode = state.mode(context.model)
    layout = _layout(mode, style)
    body = _body(state, context, style, layout, mode)[: layout.body]
    body += [()] * (layout.body - len(body))
    drawn = [*_head(state, context, style), *body, *log_lines(state, style, layout.log)]
    drawn += [status_line(state, context, style), hints_line(mode, style)]
    return [clip(each, style.width, style.cut) for each in drawn[: style.height]]


def with_line_in_range(state: ScreenState, context: Context, style: Style) -> ScreenState:
    """Return the state with a text page scrolled no further than its end."""
    mode = state.mode(context.model)
    if mode is not Mode.TEXT:
        return state
    size = (style.width, _layout(mode, style).body)
    return replace(state, line=pages.first_line(state, context, style, size))


def _layout(mode: Mode, style: Style) -> Layout:
    layout = layout_of(style)
    if mode is Mode.TEXT:  # a text page takes the place of the log as well
        return replace(layout, body=layout.body + layout.log, log=0)
    return layout


def _head(state: ScreenState, context: Context, style: Style) -> list[Line]:
    model, translate = context.model, style.translate
    title = ["Simon Race", *([translate("room {room}", room=model.room)] if model.room else [])]
    shows_race = model.phase is Phase.RACING or state.show_results or state.page is Page.REPLAY
    race = model.race if shows_race else None
    if race:
        title += [translate("race {number}", number=race.number), race.code]
    clock = ""
    if race and model.phase is Phase.RACING:
        clock = f"{times.rough(model.elapsed(context.now_ms))} / {times.rough(race.time_limit_ms)} "
    first = justified(
        line(" " + f" {style.dot} ".join(title), Role.TITLE, Tone.STRIPE),
        line(clock, Role.TITLE, Tone.STRIPE),
        style.width,
        style.cut,
    )
    second = _numbers(model, style) if model.phase is Phase.RACING else ()
    return [striped(first, style.width), padded(second, style.width)]


def _numbers(model: Model, style: Style) -> Line:
    translate, game = style.translate, model.game
    if game is None:
        return line(" " + translate("You watch this race."), Role.QUIET)
    numbers = [
        (translate("score"), f"{game.score}"),
        (translate("moves"), f"{game.moves}"),
        (translate("runs"), f"{game.runs}/4"),
        (translate("undo"), f"{game.undoable}"),
    ]
    left = [
        segment
        for label, value in numbers
        for segment in (Segment(f" {label} ", Role.QUIET), Segment(f"{value}  ", Role.ME))
    ]
    results_ = {
        RacerState.WON: translate("You have won!"),
        RacerState.FORFEITED: translate("You forfeited."),
    }
    right = results_.get(game.state, "") or my_rank(model, style)
    return justified(tuple(left), line(f"{right} ", Role.BAR), style.width, style.cut)


def _body(state: ScreenState, context: Context, style: Style, layout: Layout, mode: Mode) -> list[Line]:
    size = (style.width, layout.body)
    model = context.model
    match mode:
        case Mode.LOBBY:
            return lobby(model, style, context.now_ms, context.share_link, size)
        case Mode.RESULTS:
            return results(model, state, style, size)
        case Mode.WON if model.game is not None:
            return winner_view(model, model.game, style, layout)
        case Mode.RACE if model.game is not None:
            return racer_view(state, model, model.game, style, layout)
        case Mode.SPECTATE:
            return spectator_view(state, model, style, layout)
        case Mode.REPLAY if state.playback is not None:
            return replay(model, state, state.playback, style, size)
        case _:
            return pages.page(state, context, style, size)
