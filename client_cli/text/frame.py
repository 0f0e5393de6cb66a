"""Screen of the line front end as lines of text."""

from dataclasses import dataclass

from client_cli.core import times
from client_cli.core.model import Model
from client_cli.core.translatable import gettext_noop as _
from client_cli.text.board import BOARD_WIDTH, NARROW_WIDTH, board
from client_cli.text.style import Line, Role, Segment, Style, beside, clip, line
from client_cli.text.tables import left_out, member_lines, results, settings_text, standings
from client_cli.text.width import safe, wrap
from protocol.parts import Phase

_STANDINGS_WIDTH = 30
_STATES = {
    "won": _("won"),
    "forfeited": _("gave up"),
    "unfinished": _("not done"),
}


@dataclass(frozen=True, slots=True)
class FrameContext:
    """What the screen shows beside the model.

    `log` holds sentences about events, newest last. A `page` is shown in place of the room.
    """

    link: str = ""
    log: tuple[str, ...] = ()
    page: tuple[Line, ...] = ()


def frame(model: Model, style: Style, now: int, context: FrameContext) -> list[Line]:
    """Return the screen above the input line, at most `style.height - 2` lines.

    The last line of the screen, below the input line, is the status.
    """
    head = _head(model, style, now)
    room = max(1, style.height - 2 - len(head))
    if context.page:
        body = [*context.page[: room - 1], line(style.translate("Enter: back"), Role.QUIET)]
    else:
        body = _body(model, style, now, context.link, room)[:room]
        spare = room - len(body) - 1  # an empty line comes before the log
        if spare > 0 and context.log:
            body += [(), *_log_lines(context.log, style.width, spare)]
    return [clip(each, style.width, style.cut) for each in [*head, *body]]


def _log_lines(log: tuple[str, ...], width: int, height: int) -> list[Line]:
    """Return the newest sentences of the log, as many as fit completely."""
    rows: list[Line] = []
    for text in reversed(log):
        more = [line(row, Role.QUIET) for row in wrap(safe(text), width)]
        if len(rows) + len(more) > height:
            break
        rows = more + rows
    return rows


def _head(model: Model, style: Style, now: int) -> list[Line]:
    separator = f" {style.dot} "
    translate = style.translate
    title = ["Simon Race"] + ([translate("room {room}", room=model.room)] if model.room else [])
    shown = model.race if model.phase in (Phase.RACING, Phase.RESULTS) else None
    if shown:
        title += [translate("race {number}", number=shown.number), shown.code]
    if model.phase is Phase.RACING and shown:
        clock, limit = times.rough(model.elapsed(now)), times.rough(shown.time_limit_ms)
        title.append(translate("{time} of {limit}", time=clock, limit=limit))
    lines = [line(separator.join(title), Role.TITLE)]
    if model.racing and model.game:
        game = model.game
        numbers = [
            translate("score {count}", count=game.score),
            translate("moves {count}", count=game.moves),
            translate("runs {count} of 4", count=game.runs),
            translate("undo {count}", count=game.undoable),
        ]
        if game.state != "playing":
            numbers.append(translate(_STATES[game.state]))
        lines.append(line(separator.join(numbers)))
    return lines


def _body(model: Model, style: Style, now: int, link: str, room: int) -> list[Line]:
    match model.phase:
        case Phase.LOBBY | Phase.COUNTDOWN:
            return _lobby(model, style, now, link)
        case Phase.RESULTS:
            raced = any(each.player == model.me for each in model.results)
            hints = [
                style.translate("ready: race again") if raced else style.translate("ready: take part"),
                style.translate("save FILE: keep the race"),
                style.translate("quit: leave"),
            ]
            return [(), *results(model, style), (), line("    ".join(hints), Role.QUIET)]
        case Phase.RACING:
            return _race(model, style, room)


def _lobby(model: Model, style: Style, now: int, link: str) -> list[Line]:
    translate = style.translate
    how = (
        translate("Friends join with the password and: ")
        if model.has_password
        else translate("Friends join with: ")
    )
    lines: list[Line] = [(Segment(how, Role.QUIET), Segment(f"simonrace join {link}"))]
    settings = wrap(settings_text(model, style), style.width)
    lines += [*(line(row, Role.QUIET) for row in settings), (), *member_lines(model, style), ()]
    if model.phase is Phase.COUNTDOWN:
        seconds = -(-model.starts_in(now) // 1000)
        lines.append(line(style.translate("The race starts in {seconds} s", seconds=seconds), Role.TITLE))
        if left_out(model):
            lines.append(
                line(translate("You are not ready: type ready to race, or you watch this one."), Role.WARNING)
            )
    else:
        hints = [
            translate("ready: take part"),
            *([translate("start: begin the race")] if model.me == model.host else []),
            translate("help: all commands"),
        ]
        lines.append(line("    ".join(hints), Role.QUIET))
    return lines


def _race(model: Model, style: Style, room: int) -> list[Line]:
    if model.game is None:
        return [(), *standings(model, style, style.width, room - 1)]
    if style.width >= BOARD_WIDTH + _STANDINGS_WIDTH:
        cards = board(model.game.columns, style, BOARD_WIDTH, room - 1)
        rows = standings(model, style, min(style.width - BOARD_WIDTH, 48), room - 1)
        return [(), *beside(cards, rows, BOARD_WIDTH)]
    # In a narrow terminal the standings are below the board, as far as there is room.
    width = BOARD_WIDTH if style.width >= BOARD_WIDTH else NARROW_WIDTH
    cards = board(model.game.columns, style, width, room - 1)
    return [*cards, *standings(model, style, style.width, room - len(cards))]
