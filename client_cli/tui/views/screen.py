"""The whole screen as rows: what is known goes in, rows that fill the terminal come out."""

from dataclasses import dataclass, replace

from client_cli.core import times
from client_cli.core.model import Model
from client_cli.core.own_game import OwnGame, Table
from client_cli.core.translatable import gettext_noop as _
from client_cli.text.server_texts import joined
from client_cli.text.style import Role, Style
from client_cli.text.width import safe, wrap
from client_cli.tui.state import keys
from client_cli.tui.state.drop_targets import group
from client_cli.tui.state.effects import Typing
from client_cli.tui.state.key_actions import QUESTIONS
from client_cli.tui.state.keys import Do, Where
from client_cli.tui.state.selection import Hand, lit, taken
from client_cli.tui.state.state import Desk, Page, Scene
from client_cli.tui.views import pages, spectator
from client_cli.tui.views.board import Geometry, Marks, board, geometry
from client_cli.tui.views.ink import Ink, Row, Tone, centred, clip, padded, row, spread, width_of
from client_cli.tui.views.lobby import lobby
from client_cli.tui.views.replay import replay
from client_cli.tui.views.results import results
from client_cli.tui.views.spectator import SIDE
from client_cli.tui.views.standings import my_rank, standings
from protocol.from_client import AutoMove, Move
from protocol.parts import Phase, RacerState

HEAD = 2
FOOT = 2
PROMPTS = {
    Typing.SAY: _("say"),
    Typing.COMMAND: _("command"),
    Typing.CODE: _("game code"),
    Typing.SAVE: _("file to keep the race in"),
}


@dataclass(frozen=True, slots=True)
class Plan:
    """Where things are: rows of the body and of what has happened, and the board's place in a race."""

    body: int
    log: int
    left: int
    width: int
    shape: Geometry
    side: int


def plan(style: Style) -> Plan:
    """Return how a screen of this size is laid out."""
    log = max(2, style.height // 7) if style.height >= 16 else 0
    body = max(1, style.height - HEAD - FOOT - log)
    beside = style.width >= 50 + SIDE
    wanted = max(SIDE, min(60, style.width * 36 // 100))
    shape = geometry(style.width - wanted if beside else style.width, body if beside else max(4, body - 4))
    side = min(60, style.width - shape.width - 2) if beside else 0
    left = (style.width - shape.width - side) // 2 if beside else (style.width - shape.width) // 2
    return Plan(body, log, max(0, min(left, 8) if beside else left), shape.width, shape, side)


def screen(desk: Desk, scene: Scene, style: Style) -> list[Row]:
    """Return exactly `look.height` rows of at most `look.width` cells."""
    laid = plan(style)
    where = desk.where(scene.model)
    if where is Where.TEXT:  # a page to read has the whole screen
        laid = replace(laid, body=laid.body + laid.log, log=0)
    body = _body(desk, scene, style, laid, where)[: laid.body]
    body += [()] * (laid.body - len(body))
    drawn = [*_head(desk, scene, style), *body, *_log(desk, style, laid.log)]
    drawn += [_status(desk, scene, style), _hints(where, style)]
    return [clip(each, style.width, style.cut) for each in drawn[: style.height]]


def _head(desk: Desk, scene: Scene, style: Style) -> list[Row]:
    model, translate = scene.model, style.translate
    title = ["Simon Race", *([translate("room {room}", room=model.room)] if model.room else [])]
    race = model.race if model.phase is Phase.RACING or desk.results or desk.page is Page.REPLAY else None
    if race:
        title += [translate("race {number}", number=race.number), race.code]
    clock = ""
    if race and model.phase is Phase.RACING:
        clock = f"{times.rough(model.elapsed(scene.now))} / {times.rough(race.time_limit_ms)} "
    first = spread(
        row(" " + f" {style.dot} ".join(title), Role.TITLE, Tone.STRIPE),
        row(clock, Role.TITLE, Tone.STRIPE),
        style.width,
        style.cut,
    )
    second = _numbers(model, style) if model.phase is Phase.RACING else ()
    return [_stripe(first, style.width), padded(second, style.width)]


def _stripe(pieces: Row, width: int) -> Row:
    return tuple(piece._replace(tone=Tone.STRIPE) for piece in padded(pieces, width))


def _numbers(model: Model, style: Style) -> Row:
    translate, game = style.translate, model.game
    if game is None:
        return row(" " + translate("You watch this race."), Role.QUIET)
    told = [
        (translate("score"), f"{game.score}"),
        (translate("moves"), f"{game.moves}"),
        (translate("runs"), f"{game.runs}/4"),
        (translate("undo"), f"{game.undoable}"),
    ]
    left = [
        piece
        for label, value in told
        for piece in (Ink(f" {label} ", Role.QUIET), Ink(f"{value}  ", Role.ME))
    ]
    state = {
        RacerState.WON: translate("You have won!"),
        RacerState.FORFEITED: translate("You have given up."),
    }
    right = state.get(game.state, "") or my_rank(model, style)
    return spread(tuple(left), row(f"{right} ", Role.BAR), style.width, style.cut)


def _body(desk: Desk, scene: Scene, style: Style, laid: Plan, where: Where) -> list[Row]:
    size = (style.width, laid.body)
    model = scene.model
    match where:
        case Where.LOBBY:
            return lobby(model, style, scene.now, scene.share, size)
        case Where.RESULTS:
            return results(model, desk, style, size)
        case Where.WON if model.game is not None:
            return _beside(_won(model, model.game, style, laid), model, style, laid)
        case Where.RACE if model.game is not None:
            marks = _marks(desk.hand, model, model.game.columns)
            return _beside(board(model.game.columns, laid.shape, style, marks), model, style, laid)
        case Where.WATCH:
            return _watch(desk, model, style, laid)
        case Where.REPLAY if desk.replay is not None:
            return replay(model, desk, desk.replay, style, size)
        case _:
            return pages.page(desk, scene, style, size)


def _won(model: Model, game: OwnGame, style: Style, laid: Plan) -> list[Row]:
    """What stands in place of a board without cards."""
    translate = style.translate
    mine = next((each for each in model.standings if each.player == model.me), None)
    numbers = translate("{moves} moves, {score} points", moves=game.moves, score=game.score)
    if mine is not None and mine.at_ms is not None:
        numbers = f"{times.exact(mine.at_ms)}, {numbers}"
    star, won = "★" if style.glyphs else "*", translate("You have won!")
    told = [
        row(f"{star}  {won}  {star}", Role.BAR),
        (),
        row(numbers, Role.TITLE),
        (),
        row(translate("The race goes on for the others."), Role.QUIET),
    ]
    return [*[()] * max(0, (laid.shape.rows - len(told)) // 3), *(centred(each, laid.width) for each in told)]


def _marks(hand: Hand, model: Model, columns: Table) -> Marks:
    """What is held is lifted out; what was dropped stays so until the server has answered."""
    pending = model.pending
    if hand.held is None and isinstance(pending, Move | AutoMove) and pending.source < len(columns):
        return Marks(pending.source, pending.cards or group(columns, pending.source), hand.cursor)
    source = hand.held.source if hand.held else None
    return Marks(source, taken(hand, columns), hand.cursor, lit(hand, columns))


def _watch(desk: Desk, model: Model, style: Style, laid: Plan) -> list[Row]:
    size = (style.width, laid.body)
    racers = len(model.race.racers) if model.race else 0
    if not desk.boards:
        return spectator.hidden(model, style, size)
    wall = spectator.wall(racers, *size)
    if wall is None:
        return _beside(spectator.one(desk, model, style, laid.shape), model, style, laid)
    return spectator.several(desk, model, style, size, wall)


def _beside(cards: list[Row], model: Model, style: Style, laid: Plan) -> list[Row]:
    margin = Ink(" " * laid.left)
    if not laid.side:
        below = laid.body - len(cards)
        rows = standings(model, style, style.width, below) if below > 1 else []
        return [*((margin, *each) for each in cards), *rows]
    side = standings(model, style, laid.side, laid.body)
    drawn: list[Row] = []
    for at in range(max(len(cards), len(side))):
        left = clip(cards[at], laid.width, style.cut) if at < len(cards) else ()
        drawn.append((margin, *padded(left, laid.width + 1), *(side[at] if at < len(side) else ())))
    return drawn


def _log(desk: Desk, style: Style, height: int) -> list[Row]:
    lines = [
        (line, role)
        for text, role in list(desk.log)[-height:]
        if height
        for line in wrap(safe(text), max(10, style.width - 2))
    ]
    shown = [row(f" {line}", role) for line, role in lines[-height:]]
    return [*([()] * (height - len(shown))), *shown]


def _status(desk: Desk, scene: Scene, style: Style) -> Row:
    translate = style.translate
    if desk.lost:
        return row(f" {desk.lost}", Role.WARNING)
    if desk.question is not None:
        name = safe(scene.model.name(desk.kicked)) if desk.question is Do.CHOOSE else ""
        asked = translate(QUESTIONS[desk.question], name=name)
        return row(" " + joined(translate, asked, translate("y: yes, any other key: no")), Role.WARNING)
    if desk.typing is not None:
        return row(prompt(desk.typing, style), Role.TITLE)
    return row(f" {desk.status}" if desk.status else "", Role.WARNING)


def prompt(what: Typing, style: Style) -> str:
    """Return what stands before a line that is typed."""
    return f" {style.translate(PROMPTS[what])}" + style.translate(": ")


def hints(where: Where, style: Style) -> list[tuple[keys.Key, Row]]:
    """Return the most important keys, as many as there is room for; help and leave are always there."""
    entries = [(each, _hint(each, style)) for each in keys.table(where) if each.short]
    last = [entry for entry in entries if entry[0].does in (Do.HELP, Do.LEAVE)]
    room = style.width - sum(width_of(told) for _, told in last)
    first: list[tuple[keys.Key, Row]] = []
    for each, told in entries:
        if (each, told) in last:
            continue
        room -= width_of(told)
        if room < 0:
            break
        first.append((each, told))
    return [*first, *last]


def hint_at(where: Where, style: Style, x: int) -> str | None:
    """Return the key whose hint is at a place of the last row."""
    for each, told in hints(where, style):
        x -= width_of(told)
        if x < 0:
            return each.keys[0] if each.does is not Do.COLUMN else None
    return None


def _hint(each: keys.Key, style: Style) -> Row:
    shown = each.shown if style.glyphs else each.shown.translate(keys.PLAIN)
    return (Ink(f" {shown} ", Role.ME), Ink(f"{style.translate(each.short)} ", Role.QUIET))


def _hints(where: Where, style: Style) -> Row:
    return _stripe(tuple(piece for _, told in hints(where, style) for piece in told), style.width)
