"""Pages that stand in place of the room: help, options, settings, people, leaderboards, the end."""

from itertools import chain, zip_longest

from client_cli.core import room_settings
from client_cli.text import tables
from client_cli.text.style import Role, Style
from client_cli.text.width import fit, wrap
from client_cli.tui.state import keys
from client_cli.tui.state.keys import Where
from client_cli.tui.state.menus import OPTIONS
from client_cli.tui.state.room_settings import code_line
from client_cli.tui.state.state import Desk, Page, Scene
from client_cli.tui.views.ink import Ink, Row, Tone, centred, padded, row
from client_cli.tui.views.lobby import people_rows

_HELP_CELLS = 56
"""Cells that a column of help needs, so that few of its lines are broken."""


def page(desk: Desk, scene: Scene, style: Style, size: tuple[int, int]) -> list[Row]:
    """Return the page that is open."""
    width, height = size
    match desk.page:
        case Page.HELP:
            return _scrolled(desk, _help(style, desk.below(scene.model), width, height), height, style)
        case Page.LEADERBOARD:
            return _scrolled(desk, _ladders(desk, scene, style), height, style)
        case Page.OPTIONS:
            return [*_title(style.translate("Options")), *_options(desk, style, width)]
        case Page.SETTINGS:
            return [*_title(style.translate("The room's settings")), *_settings(desk, scene, style, width)]
        case Page.PEOPLE:
            everybody = scene.model.members
            title = _title(style.translate("In this room"))
            room = max(1, height - len(title))
            first = max(0, min(desk.line - room // 2, len(everybody) - room))
            lines = people_rows(scene.model, everybody[first : first + room], style, width)
            return [*title, *(_chosen(line, at == desk.line, width) for at, line in enumerate(lines, first))]
        case _:
            return _ended(desk, style, width, height)


def _title(text: str) -> list[Row]:
    return [(), row(f"  {text}", Role.TITLE), ()]


def _chosen(line: Row, here: bool, width: int) -> Row:
    if not here:
        return line
    first, *rest = padded(line, width)
    marked = first._replace(text=">" + first.text[1:])
    return tuple(piece._replace(tone=Tone.CHOSEN) for piece in (marked, *rest))


def _scrolled(desk: Desk, lines: list[Row], height: int, style: Style) -> list[Row]:
    desk.line = max(0, min(desk.line, len(lines) - height))
    shown = lines[desk.line : desk.line + height]
    if desk.line + height < len(lines):
        shown[-1] = row(f"  {'↓' if style.glyphs else 'v'} " + style.translate("more"), Role.BAR)
    return shown


def _help(style: Style, here: Where, width: int, height: int) -> list[Row]:
    """Return the help, first for where one is: in two columns where one is too long and two have room."""
    parts = _parts(style, here, width)
    whole = list(chain(*parts))
    half = width // 2
    if len(whole) <= height or half < _HELP_CELLS:
        return whole
    parts = _parts(style, here, half - 1)
    splits = ((list(chain(*parts[:at])), list(chain(*parts[at:]))) for at in range(1, len(parts)))
    left, right = min(splits, key=lambda both: max(map(len, both)))
    return [(*padded(one, half), *other) for one, other in zip_longest(left, right, fillvalue=())]


def _parts(style: Style, here: Where, width: int) -> list[list[Row]]:
    """Return the keys for each place, at last the mouse and the standings, each with an empty row above."""
    translate = style.translate
    parts: list[list[Row]] = []
    seen: set[str] = set()
    for where, title in sorted(keys.TITLES.items(), key=lambda each: each[0] is not here):
        entries = [each for each in keys.table(where) if each.long and (each.long not in seen)]
        seen |= {each.long for each in entries if each in keys.ROOM}
        drawn: list[Row] = [(), row(f"  {translate(title)}", Role.TITLE)]
        parts.append(drawn)
        for each in entries:
            shown = each.shown if style.glyphs else each.shown.translate(keys.PLAIN)
            first, *others = wrap(translate(each.long), max(20, width - 14))
            drawn.append((Ink(f"  {fit(shown, 8)}  ", Role.BAR), Ink(first)))
            drawn += [row(f"{'':12}{other}") for other in others]
    mouse = translate(
        "The mouse: click a card to pick it up with all below it, click a column to drop; or drag and drop; "
        "a double click sends the group to the best column. Columns that can take what is held are lit."
    )
    standings = translate(
        "The standings: bar and number say how many cards are in order; a number with a minus, how many "
        "fewer than the first has."
    )
    told = (
        [(), *(row(f"  {line}") for line in wrap(text, max(20, width - 4)))] for text in (mouse, standings)
    )
    return [*parts, *told]


def _ladders(desk: Desk, scene: Scene, style: Style) -> list[Row]:
    if desk.ladder is None:
        none = style.translate("There has been no race in this room yet.")
        return [
            (),
            row("  " + (style.translate("Asking the server...") if scene.model.race else none), Role.QUIET),
        ]
    return [(), *((Ink("  "), *each) for each in tables.leaderboard(desk.ladder, style))]


def _options(desk: Desk, style: Style, width: int) -> list[Row]:
    drawn = []
    for at, (field, label) in enumerate(OPTIONS.items()):
        on = style.translate("on") if getattr(desk.prefer, field) else style.translate("off")
        line = (Ink(f"   {fit(on, 5)}", Role.BAR), Ink(style.translate(label)))
        drawn.append(_chosen(line, at == desk.line, width))
    return drawn


def _settings(desk: Desk, scene: Scene, style: Style, width: int) -> list[Row]:
    translate, draft = style.translate, desk.draft
    if draft is None:
        return []
    drawn: list[Row] = []
    for at, setting in enumerate(room_settings.SETTINGS):
        text = translate.sentence(setting.text(draft.settings))
        label = fit(translate(setting.label), 14)
        arrows = ("‹", "›") if style.glyphs else ("<", ">")
        value = f"{arrows[0]} {text} {arrows[1]}" if at == desk.line else f"  {text}"
        drawn.append(_chosen((Ink(f"   {label}", Role.QUIET), Ink(value)), at == desk.line, width))
    code = draft.code or translate("drawn at the start")
    line = (Ink("   " + fit(translate("next deal"), 14), Role.QUIET), Ink(f"  {code}"))
    drawn.append(_chosen(line, desk.line == code_line(), width))
    hint = (
        translate("enter: make it so; on the last line: name a deal by its code")
        if scene.model.me == scene.model.host
        else translate("Only the host can change them.")
    )
    return [*drawn, (), *(row(f"  {each}", Role.QUIET) for each in wrap(hint, max(10, width - 4)))]


def _ended(desk: Desk, style: Style, width: int, height: int) -> list[Row]:
    text = wrap(desk.ended, max(10, width - 8))
    above = max(0, (height - len(text) - 2) // 2)
    hint = row(style.translate("q leaves"), Role.QUIET)
    return [
        *([()] * above),
        *(centred(row(each, Role.WARNING), width) for each in text),
        (),
        centred(hint, width),
    ]
