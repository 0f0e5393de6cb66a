"""Hints: the most important keys, on the last line of the screen, where they can be clicked."""

from client_cli.text.style import Line, Role, Segment, Style, width_of
from client_cli.tui.state.keys import ASCII_ARROWS, KeyAction, KeyBinding, Mode, bindings
from client_cli.tui.views.alignment import striped


def hints_line(mode: Mode, style: Style) -> Line:
    """Return the line of hints."""
    return striped(tuple(segment for _, hint in _visible(mode, style) for segment in hint), style.width)


def hint_key(mode: Mode, style: Style, x: int) -> str | None:
    """Return the key whose hint is at a cell of the line, None if there is no such key."""
    for binding, hint in _visible(mode, style):
        x -= width_of(hint)
        if x < 0:
            return binding.keys[0] if binding.action is not KeyAction.COLUMN else None
    return None


def _visible(mode: Mode, style: Style) -> list[tuple[KeyBinding, Line]]:
    """Return as many hints as fit, the most important first; help and leave are always among them."""
    hints = [(each, _hint(each, style)) for each in bindings(mode) if each.hint]
    last = [entry for entry in hints if entry[0].action in (KeyAction.HELP, KeyAction.LEAVE)]
    room = style.width - sum(width_of(hint) for _, hint in last)
    first: list[tuple[KeyBinding, Line]] = []
    for binding, hint in hints:
        if (binding, hint) in last:
            continue
        room -= width_of(hint)
        if room < 0:
            break
        first.append((binding, hint))
    return [*first, *last]


def _hint(binding: KeyBinding, style: Style) -> Line:
    label = binding.label if style.glyphs else binding.label.translate(ASCII_ARROWS)
    return (Segment(f" {label} ", Role.ME), Segment(f"{style.translate(binding.hint)} ", Role.QUIET))
