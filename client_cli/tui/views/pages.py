"""Pages shown in place of the room: help, options, settings, members, leaderboards, the end."""

from itertools import chain, zip_longest
from typing import Final

from client_cli.core import room_settings
from client_cli.text import tables
from client_cli.text.style import Line, Role, Segment, Style, Tone, line
from client_cli.text.width import fit, wrap
from client_cli.tui.state import keys
from client_cli.tui.state.keys import Mode
from client_cli.tui.state.menus import OPTIONS
from client_cli.tui.state.room_settings import code_line
from client_cli.tui.state.state import Context, Page, ScreenState
from client_cli.tui.views.alignment import centred, padded
from client_cli.tui.views.lobby import member_lines

_HELP_WIDTH: Final = 56
"""Cells that a column of the help page needs to wrap few of its lines."""


def page(state: ScreenState, context: Context, style: Style, size: tuple[int, int]) -> list[Line]:
    """Return the open page."""
    width, height = size
    match state.page:
        case Page.HELP | Page.LEADERBOARD:
            return _scrolled(_text(state, context, style, size), state.line, height, style)
        case Page.OPTIONS:
            return [*_title(style.translate("Options")), *_options(state, style, width)]
        case Page.SETTINGS:
            return [*_title(style.translate("The room's settings")), *_settings(state, context, style, width)]
        case Page.MEMBERS:
            members = context.model.members
            title = _title(style.translate("Members of this room"))
            room = max(1, height - len(title))
            first = max(0, min(state.line - room // 2, len(members) - room))
            lines = member_lines(context.model, members[first : first + room], style, width)
            return [*title, *(_chosen(each, at == state.line, width) for at, each in enumerate(lines, first))]
        case _:
            return _ended(state, style, width, height)


def first_line(state: ScreenState, context: Context, style: Style, size: tuple[int, int]) -> int:
    """Return the first visible line of a text page: `state.line`, at most as far as the text goes."""
    return _in_range(state.line, _text(state, context, style, size), size[1])


def _text(state: ScreenState, context: Context, style: Style, size: tuple[int, int]) -> list[Line]:
    """Return all lines of a text page."""
    if state.page is Page.HELP:
        return _help(style, state.mode_before_help(context.model), *size)
    return _leaderboards(state, context, style)


def _title(text: str) -> list[Line]:
    return [(), line(f"  {text}", Role.TITLE), ()]


def _chosen(each: Line, chosen: bool, width: int) -> Line:
    if not chosen:
        return each
    first, *rest = padded(each, width)
    marked = first._replace(text=">" + first.text[1:])
    return tuple(segment._replace(tone=Tone.CHOSEN) for segment in (marked, *rest))


def _in_range(first: int, lines: list[Line], height: int) -> int:
    return max(0, min(first, len(lines) - height))


def _scrolled(lines: list[Line], first: int, height: int, style: Style) -> list[Line]:
    first = _in_range(first, lines, height)
    shown = lines[first : first + height]
    if first + height < len(lines):
        shown[-1] = line(f"  {'↓' if style.glyphs else 'v'} " + style.translate("more"), Role.BAR)
    return shown


def _help(style: Style, current: Mode, width: int, height: int) -> list[Line]:
    """Return the help, the keys of the current mode first; in two columns if one is too long and two fit."""
    parts = _help_parts(style, current, width)
    whole = list(chain(*parts))
    half = width // 2
    if len(whole) <= height or half < _HELP_WIDTH:
        return whole
    parts = _help_parts(style, current, half - 1)
    splits = ((list(chain(*parts[:at])), list(chain(*parts[at:]))) for at in range(1, len(parts)))
    left, right = min(splits, key=lambda both: max(map(len, both)))
    return [(*padded(one, half), *other) for one, other in zip_longest(left, right, fillvalue=())]


def _help_parts(style: Style, current: Mode, width: int) -> list[list[Line]]:
    """Return the keys of each mode, then the mouse and the standings, each below an empty line."""
    translate = style.translate
    parts: list[list[Line]] = []
    seen: set[str] = set()
    for mode, title in sorted(keys.MODE_TITLES.items(), key=lambda each: each[0] is not current):
        entries = [each for each in keys.bindings(mode) if each.help and each.help not in seen]
        seen |= {each.help for each in entries if each in keys.ROOM_KEYS}
        drawn: list[Line] = [(), line(f"  {translate(title)}", Role.TITLE)]
        parts.append(drawn)
        for each in entries:
            label = each.label if style.glyphs else each.label.translate(keys.ASCII_ARROWS)
            first, *others = wrap(translate(each.help), max(20, width - 14))
            drawn.append((Segment(f"  {fit(label, 8)}  ", Role.BAR), Segment(first)))
            drawn += [line(f"{'':12}{other}") for other in others]
    mouse = translate(
        "The mouse: click a card to pick it up with all cards below it, then click a column to drop them; "
        "or drag and drop. A double click sends the group to the best column. "
        "The columns that can take the held cards are highlighted."
    )
    standings = translate(
        "The standings: the bar and the number show how many cards are in order; "
        "-5 means five fewer than the first racer has."
    )
    texts = (
        [(), *(line(f"  {part}") for part in wrap(text, max(20, width - 4)))] for text in (mouse, standings)
    )
    return [*parts, *texts]


def _leaderboards(state: ScreenState, context: Context, style: Style) -> list[Line]:
    if state.leaderboard is None:
        none = style.translate("This room has had no race yet.")
        return [
            (),
            line(
                "  " + (style.translate("Waiting for the server...") if context.model.race else none),
                Role.QUIET,
            ),
        ]
    return [(), *((Segment("  "), *each) for each in tables.leaderboard(state.leaderboard, style))]


def _options(state: ScreenState, style: Style, width: int) -> list[Line]:
    drawn = []
    for at, (field, label) in enumerate(OPTIONS.items()):
        on = style.translate("on") if getattr(state.preferences, field) else style.translate("off")
        option = (Segment(f"   {fit(on, 5)}", Role.BAR), Segment(style.translate(label)))
        drawn.append(_chosen(option, at == state.line, width))
    return drawn


def _settings(state: ScreenState, context: Context, style: Style, width: int) -> list[Line]:
    translate, draft = style.translate, state.draft
    if draft is None:
        return []
    drawn: list[Line] = []
    for at, setting in enumerate(room_settings.SETTINGS):
        text = translate.sentence(setting.text(draft.settings))
        label = fit(translate(setting.label), 14)
        arrows = ("‹", "›") if style.glyphs else ("<", ">")
        value = f"{arrows[0]} {text} {arrows[1]}" if at == state.line else f"  {text}"
        drawn.append(_chosen((Segment(f"   {label}", Role.QUIET), Segment(value)), at == state.line, width))
    code = draft.code or translate("random")
    next_deal = (Segment("   " + fit(translate("next deal"), 14), Role.QUIET), Segment(f"  {code}"))
    drawn.append(_chosen(next_deal, state.line == code_line(), width))
    hint = (
        translate("Enter applies the settings; on the last line it asks for a game code.")
        if context.model.me == context.model.host
        else translate("Only the host can change the settings.")
    )
    return [*drawn, (), *(line(f"  {each}", Role.QUIET) for each in wrap(hint, max(10, width - 4)))]


def _ended(state: ScreenState, style: Style, width: int, height: int) -> list[Line]:
    text = wrap(state.end_reason, max(10, width - 8))
    above = max(0, (height - len(text) - 2) // 2)
    hint = line(style.translate("Press q to leave."), Role.QUIET)
    return [
        *([()] * above),
        *(centred(line(each, Role.WARNING), width) for each in text),
        (),
        centred(hint, width),
    ]
