"""The whole screen as rows: what is known goes in, rows that fill the terminal come out."""

from dataclasses import dataclass, replace

from client_cli.core.model import Model
from client_cli.core.own_game import OwnGame, Table
from client_cli.core.translatable import note as _
from client_cli.text import times
from client_cli.text.server_texts import joined
from client_cli.text.style import Look, Role
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


def plan(look: Look) -> Plan:
    """Return how a screen of this size is laid out."""
    log = max(2, look.height // 7) if look.height >= 16 else 0
    body = max(1, look.height - HEAD - FOOT - log)
    beside = look.width >= 50 + SIDE
    wanted = max(SIDE, min(60, look.width * 36 // 100))
    shape = geometry(look.width - wanted if beside else look.width, body if beside else max(4, body - 4))
    side = min(60, look.width - shape.width - 2) if beside else 0
    left = (look.width - shape.width - side) // 2 if beside else (look.width - shape.width) // 2
    return Plan(body, log, max(0, min(left, 8) if beside else left), shape.width, shape, side)


def screen(desk: Desk, scene: Scene, look: Look) -> list[Row]:
    """Return exactly `look.height` rows of at most `look.width` cells."""
    laid = plan(look)
    where = desk.where(scene.model)
    if where is Where.TEXT:  # a page to read has the whole screen
        laid = replace(laid, body=laid.body + laid.log, log=0)
    body = _body(desk, scene, look, laid, where)[: laid.body]
    body += [()] * (laid.body - len(body))
    drawn = [*_head(desk, scene, look), *body, *_log(desk, look, laid.log)]
    drawn += [_status(desk, scene, look), _hints(where, look)]
    return [clip(each, look.width, look.cut) for each in drawn[: look.height]]


def _head(desk: Desk, scene: Scene, look: Look) -> list[Row]:
    model, words = scene.model, look.words
    title = ["Simon Race", *([words("room {room}", room=model.room)] if model.room else [])]
    race = model.race if model.phase is Phase.RACING or desk.results or desk.page is Page.REPLAY else None
    if race:
        title += [words("race {number}", number=race.number), race.code]
    clock = ""
    if race and model.phase is Phase.RACING:
        clock = f"{times.rough(model.elapsed(scene.now))} / {times.rough(race.time_limit_ms)} "
    first = spread(
        row(" " + f" {look.dot} ".join(title), Role.TITLE, Tone.STRIPE),
        row(clock, Role.TITLE, Tone.STRIPE),
        look.width,
        look.cut,
    )
    second = _numbers(model, look) if model.phase is Phase.RACING else ()
    return [_stripe(first, look.width), padded(second, look.width)]


def _stripe(pieces: Row, width: int) -> Row:
    return tuple(piece._replace(tone=Tone.STRIPE) for piece in padded(pieces, width))


def _numbers(model: Model, look: Look) -> Row:
    words, game = look.words, model.game
    if game is None:
        return row(" " + words("You watch this race."), Role.QUIET)
    told = [
        (words("score"), f"{game.score}"),
        (words("moves"), f"{game.moves}"),
        (words("runs"), f"{game.runs}/4"),
        (words("undo"), f"{game.undoable}"),
    ]
    left = [
        piece
        for label, value in told
        for piece in (Ink(f" {label} ", Role.QUIET), Ink(f"{value}  ", Role.ME))
    ]
    state = {RacerState.WON: words("You have won!"), RacerState.FORFEITED: words("You have given up.")}
    right = state.get(game.state, "") or my_rank(model, look)
    return spread(tuple(left), row(f"{right} ", Role.BAR), look.width, look.cut)


def _body(desk: Desk, scene: Scene, look: Look, laid: Plan, where: Where) -> list[Row]:
    size = (look.width, laid.body)
    model = scene.model
    match where:
        case Where.LOBBY:
            return lobby(model, look, scene.now, scene.share, size)
        case Where.RESULTS:
            return results(model, desk, look, size)
        case Where.WON if model.game is not None:
            return _beside(_won(model, model.game, look, laid), model, look, laid)
        case Where.RACE if model.game is not None:
            marks = _marks(desk.hand, model, model.game.columns)
            return _beside(board(model.game.columns, laid.shape, look, marks), model, look, laid)
        case Where.WATCH:
            return _watch(desk, model, look, laid)
        case Where.REPLAY if desk.replay is not None:
            return replay(model, desk, desk.replay, look, size)
        case _:
            return pages.page(desk, scene, look, size)


def _won(model: Model, game: OwnGame, look: Look, laid: Plan) -> list[Row]:
    """What stands in place of a board without cards."""
    words = look.words
    mine = next((each for each in model.standings if each.player == model.me), None)
    numbers = words("{moves} moves, {score} points", moves=game.moves, score=game.score)
    if mine is not None and mine.at_ms is not None:
        numbers = f"{times.exact(mine.at_ms)}, {numbers}"
    star, won = "★" if look.glyphs else "*", words("You have won!")
    told = [
        row(f"{star}  {won}  {star}", Role.BAR),
        (),
        row(numbers, Role.TITLE),
        (),
        row(words("The race goes on for the others."), Role.QUIET),
    ]
    return [*[()] * max(0, (laid.shape.rows - len(told)) // 3), *(centred(each, laid.width) for each in told)]


def _marks(hand: Hand, model: Model, columns: Table) -> Marks:
    """What is held is lifted out; what was dropped stays so until the server has answered."""
    pending = model.pending
    if hand.held is None and isinstance(pending, Move | AutoMove) and pending.source < len(columns):
        return Marks(pending.source, pending.cards or group(columns, pending.source), hand.cursor)
    source = hand.held.source if hand.held else None
    return Marks(source, taken(hand, columns), hand.cursor, lit(hand, columns))


def _watch(desk: Desk, model: Model, look: Look, laid: Plan) -> list[Row]:
    size = (look.width, laid.body)
    racers = len(model.race.racers) if model.race else 0
    if not desk.boards:
        return spectator.hidden(model, look, size)
    wall = spectator.wall(racers, *size)
    if wall is None:
        return _beside(spectator.one(desk, model, look, laid.shape), model, look, laid)
    return spectator.several(desk, model, look, size, wall)


def _beside(cards: list[Row], model: Model, look: Look, laid: Plan) -> list[Row]:
    margin = Ink(" " * laid.left)
    if not laid.side:
        below = laid.body - len(cards)
        rows = standings(model, look, look.width, below) if below > 1 else []
        return [*((margin, *each) for each in cards), *rows]
    side = standings(model, look, laid.side, laid.body)
    drawn: list[Row] = []
    for at in range(max(len(cards), len(side))):
        left = clip(cards[at], laid.width, look.cut) if at < len(cards) else ()
        drawn.append((margin, *padded(left, laid.width + 1), *(side[at] if at < len(side) else ())))
    return drawn


def _log(desk: Desk, look: Look, height: int) -> list[Row]:
    lines = [
        (line, role)
        for text, role in list(desk.log)[-height:]
        if height
        for line in wrap(safe(text), max(10, look.width - 2))
    ]
    shown = [row(f" {line}", role) for line, role in lines[-height:]]
    return [*([()] * (height - len(shown))), *shown]


def _status(desk: Desk, scene: Scene, look: Look) -> Row:
    words = look.words
    if desk.lost:
        return row(f" {desk.lost}", Role.WARNING)
    if desk.question is not None:
        name = safe(scene.model.name(desk.kicked)) if desk.question is Do.CHOOSE else ""
        asked = words(QUESTIONS[desk.question], name=name)
        return row(" " + joined(words, asked, words("y: yes, any other key: no")), Role.WARNING)
    if desk.typing is not None:
        return row(prompt(desk.typing, look), Role.TITLE)
    return row(f" {desk.status}" if desk.status else "", Role.WARNING)


def prompt(what: Typing, look: Look) -> str:
    """Return what stands before a line that is typed."""
    return f" {look.words(PROMPTS[what])}" + look.words(": ")


def hints(where: Where, look: Look) -> list[tuple[keys.Key, Row]]:
    """Return the most important keys, as many as there is room for; help and leave are always there."""
    entries = [(each, _hint(each, look)) for each in keys.table(where) if each.short]
    last = [entry for entry in entries if entry[0].does in (Do.HELP, Do.LEAVE)]
    room = look.width - sum(width_of(told) for _, told in last)
    first: list[tuple[keys.Key, Row]] = []
    for each, told in entries:
        if (each, told) in last:
            continue
        room -= width_of(told)
        if room < 0:
            break
        first.append((each, told))
    return [*first, *last]


def hint_at(where: Where, look: Look, x: int) -> str | None:
    """Return the key whose hint is at a place of the last row."""
    for each, told in hints(where, look):
        x -= width_of(told)
        if x < 0:
            return each.keys[0] if each.does is not Do.COLUMN else None
    return None


def _hint(each: keys.Key, look: Look) -> Row:
    shown = each.shown if look.glyphs else each.shown.translate(keys.PLAIN)
    return (Ink(f" {shown} ", Role.ME), Ink(f"{look.words(each.short)} ", Role.QUIET))


def _hints(where: Where, look: Look) -> Row:
    return _stripe(tuple(piece for _, told in hints(where, look) for piece in told), look.width)
