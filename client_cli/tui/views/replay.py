"""A game that is watched again: its board, what was done last, where one is in it."""

from client_cli.core import times
from client_cli.core.model import Model
from client_cli.core.translatable import gettext_noop as _
from client_cli.text.style import Role, Style
from client_cli.text.width import fit, text_width
from client_cli.tui.state.recorded_game import Reel, Shot
from client_cli.tui.state.state import Desk, Player
from client_cli.tui.views.board import Marks, board, geometry
from client_cli.tui.views.ink import Ink, Row, centred, row
from protocol.record import ActionKind

_DEEDS = {
    ActionKind.MOVE: _("{cards} from {source} to {target}"),
    ActionKind.AUTO_MOVE: _("{cards} from {source} to {target}, double click"),
    ActionKind.UNDO: _("undo: {cards} back from {target} to {source}"),
    ActionKind.RESTART: _("restart"),
    ActionKind.FORFEIT: _("gives up"),
    ActionKind.UNDO_FORFEIT: _("plays on after all"),
}


def replay(model: Model, desk: Desk, player: Player, style: Style, size: tuple[int, int]) -> list[Row]:
    """Return the board at one moment of a game, with a bar of its whole length below."""
    width, height = size
    reel = desk.reel(player.player)
    if reel is None:
        return []
    shot = reel.shots[player.number]
    shape = geometry(width, height - 4)
    result = (
        next((each for each in desk.record.results if each.player == player.player), None)
        if (desk.record)
        else None
    )
    place = style.translate("place {rank}", rank=result.rank) if result else ""
    name = style.fit(model.name(player.player), min(24, width // 3)).rstrip()
    head = (Ink(f" {name}", Role.ME), Ink(f"  {place}  ", Role.QUIET), Ink(_did(shot, style)))
    entry = shot.entry
    source = (
        entry.target
        if entry and entry.type in {ActionKind.MOVE, ActionKind.AUTO_MOVE}
        else entry.source
        if entry
        else None
    )
    taken = (entry.cards or 0) if entry else 0
    gone = source is None or taken > len(shot.columns[source])
    marks = Marks(source=None if gone else source, taken=0 if gone else taken)
    rows = board(shot.columns, shape, style, marks)
    left = (width - shape.width) // 2
    drawn = [head, *((Ink(" " * left), *each) for each in rows)]
    drawn += [()] * (height - 2 - len(drawn))
    return [*drawn, *_progress(player, reel, shot, style, width)]


def _did(shot: Shot, style: Style) -> str:
    entry = shot.entry
    if entry is None:
        return style.translate("the deal")
    cards = style.translate.plural("{count} card", "{count} cards", entry.cards or 1)
    source = "" if entry.source is None else entry.source + 1
    target = "" if entry.target is None else entry.target + 1
    return style.translate(_DEEDS[entry.type], cards=cards, source=source, target=target)


def _progress(player: Player, reel: Reel, shot: Shot, style: Style, width: int) -> list[Row]:
    last = len(reel.shots) - 1
    full, empty = style.bar
    room = max(10, width - 36)
    end = reel.shots[-1].at
    moment = min(int(player.moment), end)
    done = room * moment // end if end else room
    cells = [full if at < done else empty for at in range(room)]
    for number in range(1, last + 1):
        if reel.shots[number].runs > reel.shots[number - 1].runs and end:
            cells[min(room - 1, room * reel.shots[number].at // end)] = "◆" if style.glyphs else "*"
    state = ("▶" if style.glyphs else ">") if player.playing else ("‖" if style.glyphs else "=")
    numbers = style.translate(
        "action {number} of {last}   score {score}   moves {moves}   runs {runs}",
        number=player.number,
        last=last,
        score=shot.score,
        moves=shot.moves,
        runs=shot.runs,
    )
    bar = (
        Ink(f" {state} {times.exact(moment):>11} ", Role.TITLE),
        Ink("".join(cells), Role.BAR),
        Ink(f" {times.rough(end)}  {player.speed:g}x"),
    )
    return [
        centred(row(fit(numbers, min(width, text_width(numbers)), cut=style.cut), Role.QUIET), width),
        bar,
    ]
