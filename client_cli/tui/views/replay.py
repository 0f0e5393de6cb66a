"""Replay of a recorded game: the board, the last action, a bar with the position in the game."""

from typing import Final

from client_cli.core import times
from client_cli.core.model import Model
from client_cli.core.translatable import gettext_noop as _
from client_cli.text.style import Line, Role, Segment, Style, line
from client_cli.text.width import fit, text_width
from client_cli.tui.state.playback import Playback
from client_cli.tui.state.recorded_game import Position, RecordedGame
from client_cli.tui.state.state import ScreenState
from client_cli.tui.views.alignment import centred
from client_cli.tui.views.board import Highlights, board, geometry
from protocol.record import ActionKind

_ACTION_TEXTS: Final = {
    ActionKind.MOVE: _("{cards} from {source} to {target}"),
    ActionKind.AUTO_MOVE: _("{cards} from {source} to {target}, double click"),
    ActionKind.UNDO: _("undo: {cards} back from {target} to {source}"),
    ActionKind.RESTART: _("restart"),
    ActionKind.FORFEIT: _("forfeits"),
    ActionKind.UNDO_FORFEIT: _("undoes the forfeit"),
}


def replay(
    model: Model, state: ScreenState, playback: Playback, style: Style, size: tuple[int, int]
) -> list[Line]:
    """Return the board at one position of a game, with a bar of the whole game below."""
    if state.recording is None:
        return []
    width, height = size
    game = state.recording.game(playback.player)
    position = game.positions[playback.index]
    results = state.recording.record.results
    result = next((each for each in results if each.player == playback.player), None)
    rank = style.translate("place {rank}", rank=result.rank) if result else ""
    name = style.fit(model.name(playback.player), min(24, width // 3)).rstrip()
    head = (
        Segment(f" {name}", Role.ME),
        Segment(f"  {rank}  ", Role.QUIET),
        Segment(_action_text(position, style)),
    )
    shape = geometry(width, height - 4)
    rows = board(position.columns, shape, style, _highlights(position))
    left = (width - shape.width) // 2
    drawn = [head, *((Segment(" " * left), *each) for each in rows)]
    drawn += [()] * (height - 2 - len(drawn))
    return [*drawn, *_progress(playback, game, position, style, width)]


def _highlights(position: Position) -> Highlights:
    """Lift out the cards that the last action has moved, where they are now."""
    entry = position.entry
    if entry is None:
        return Highlights()
    moved = entry.type in {ActionKind.MOVE, ActionKind.AUTO_MOVE}
    column, cards = entry.target if moved else entry.source, entry.cards or 0
    if column is None or cards > len(position.columns[column]):
        return Highlights()
    return Highlights(column, cards)


def _action_text(position: Position, style: Style) -> str:
    entry = position.entry
    if entry is None:
        return style.translate("the deal")
    cards = style.translate.plural("{count} card", "{count} cards", entry.cards or 1)
    source = "" if entry.source is None else entry.source + 1
    target = "" if entry.target is None else entry.target + 1
    return style.translate(_ACTION_TEXTS[entry.type], cards=cards, source=source, target=target)


def _progress(
    playback: Playback, game: RecordedGame, position: Position, style: Style, width: int
) -> list[Line]:
    """Return the numbers of the position, and a bar over the race time with a mark for each run."""
    last = len(game.positions) - 1
    full, empty = style.bar
    room = max(10, width - 36)
    end_ms = game.positions[-1].at_ms
    moment_ms = min(int(playback.moment_ms), end_ms)
    done = room * moment_ms // end_ms if end_ms else room
    cells = [full if at < done else empty for at in range(room)]
    for index in range(1, last + 1):
        if game.positions[index].runs > game.positions[index - 1].runs and end_ms:
            cells[min(room - 1, room * game.positions[index].at_ms // end_ms)] = "◆" if style.glyphs else "*"
    sign = ("▶" if style.glyphs else ">") if playback.playing else ("‖" if style.glyphs else "=")
    numbers = style.translate(
        "action {number} of {last}   score {score}   moves {moves}   runs {runs}",
        number=playback.index,
        last=last,
        score=position.score,
        moves=position.moves,
        runs=position.runs,
    )
    fitted = fit(numbers, min(width, text_width(numbers)), cut=style.cut)
    bar = (
        Segment(f" {sign} {times.exact(moment_ms):>11} ", Role.TITLE),
        Segment("".join(cells), Role.BAR),
        Segment(f" {times.rough(end_ms)}  {playback.speed:g}x"),
    )
    return [centred(line(fitted, Role.QUIET), width), bar]
