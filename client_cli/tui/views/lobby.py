"""The lobby: how friends come in, who is there, what will be raced, and the countdown in big figures."""

from collections.abc import Sequence
from typing import Final

from client_cli.core.model import Model
from client_cli.text.style import Look, Role
from client_cli.text.tables import left_out, stance
from client_cli.text.width import fit, safe, text_width, wrap
from client_cli.tui.state import room_settings
from client_cli.tui.views.ink import Ink, Row, Tone, centred, clip, padded, row
from protocol.parts import Member, Phase

TWO_COLUMNS: Final = 70
"""Cells from which on the settings stand beside the people."""

_FIGURES: Final = {
    "0": ("████", "█  █", "█  █", "█  █", "████"),
    "1": ("  █ ", " ██ ", "  █ ", "  █ ", " ███"),
    "2": ("████", "   █", "████", "█   ", "████"),
    "3": ("████", "   █", " ███", "   █", "████"),
    "4": ("█  █", "█  █", "████", "   █", "   █"),
    "5": ("████", "█   ", "████", "   █", "████"),
    "6": ("████", "█   ", "████", "█  █", "████"),
    "7": ("████", "   █", "  █ ", "  █ ", "  █ "),
    "8": ("████", "█  █", "████", "█  █", "████"),
    "9": ("████", "█  █", "████", "   █", "████"),
}


def lobby(model: Model, look: Look, now: int, share: str, size: tuple[int, int]) -> list[Row]:
    """Return the lobby in so many cells."""
    width, height = size
    drawn: list[Row] = [()]
    if model.phase is Phase.COUNTDOWN:
        drawn += countdown(-(-model.starts_in(now) // 1000), look, width)
        if left_out(model):
            text = look.words("You are not ready: press r to race, or you watch this one.")
            drawn.append(centred(row(text, Role.WARNING), width))
    else:
        drawn += _invitation(model, share, look, width)
    drawn.append(())
    left_width = width if width < TWO_COLUMNS else width * 3 // 5
    settings = settings_rows(model, look)
    if width < TWO_COLUMNS:
        room = height - len(drawn) - len(settings) - 1
        return [*drawn, *settings, (), *_people(model, look, left_width, room)][:height]
    people = _people(model, look, left_width, height - len(drawn))
    for at in range(max(len(people), len(settings))):
        before = clip(people[at], left_width, look.cut) if at < len(people) else ()
        after = clip(settings[at], width - left_width, look.cut) if at < len(settings) else ()
        drawn.append((*padded(before, left_width), *after))
    return drawn[:height]


def _people(model: Model, look: Look, width: int, height: int) -> list[Row]:
    """Return as many people as there is room for, and how many more there are."""
    words, everybody = look.words, model.members
    title = words.many("{count} member in the room", "{count} members in the room", len(everybody))
    room = max(1, height - 1)
    shown = everybody if len(everybody) <= room else everybody[: max(0, room - 1)]
    left = len(everybody) - len(shown)
    return [
        row(f"  {title}", Role.QUIET),
        *people_rows(model, shown, look, width),
        *([row("  " + words("and {count} more", count=left), Role.QUIET)] if left else []),
    ]


def countdown(seconds: int, look: Look, width: int) -> list[Row]:
    """Return the seconds to the start in figures of five rows."""
    lines = ["  ".join(_FIGURES[digit][at] for digit in str(seconds)) for at in range(5)]
    if not look.glyphs:
        lines = [line.replace("█", "#") for line in lines]
    text = look.words("The race starts; the deal is revealed then.")
    return [
        *(centred(row(line, Role.BAR), width) for line in lines),
        (),
        centred(row(text, Role.TITLE), width),
    ]


def _invitation(model: Model, share: str, look: Look, width: int) -> list[Row]:
    words = look.words
    command = f"simonrace join {share}"
    text = (
        words("Friends come in with the password and this line (c copies it):")
        if model.has_password
        else words("Friends come in with this line (c copies it):")
    )
    return [
        *(row(f"  {line}", Role.QUIET) for line in wrap(text, max(10, width - 4))),
        (
            Ink("  "),
            Ink(f" {fit(command, min(width - 6, len(command)), cut=look.cut)} ", Role.TITLE, Tone.CARD),
        ),
    ]


def people_rows(model: Model, people: Sequence[Member], look: Look, width: int) -> list[Row]:
    """Return people of the room, each with a mark for ready."""
    longest = max((text_width(each.name) for each in people), default=0)
    name = min(24, max(8, min(width - 26, longest)))
    return [_member(model, each, look, name) for each in people]


def _member(model: Model, member: Member, look: Look, name: int) -> Row:
    words = look.words
    me = member.player == model.me
    ready = "✓" if look.glyphs else "*"
    racing = model.phase is Phase.RACING and model.race is not None and member.player in model.race.racers
    mark = ready if member.ready or racing else "·" if look.glyphs else "-"
    marks = [
        words(stance(model, member)),
        *([words("host")] if member.player == model.host else []),
        *([words("you")] if me else []),
        *([words("away")] if not member.connected else []),
    ]
    return (
        Ink(f"  {mark} ", Role.BAR if member.ready else Role.QUIET),
        Ink(look.fit(member.name, name) + " ", Role.ME if me else Role.TEXT),
        Ink(words(", ").join(marks), Role.WARNING if not member.connected else Role.QUIET),
    )


def settings_rows(model: Model, look: Look) -> list[Row]:
    """Return the room's settings, one a row."""
    words = look.words
    drawn = [row(words("This room"), Role.QUIET)]
    for field in room_settings.FIELDS:
        text = room_settings.value(model.settings, field, words)
        if model.named_code and field == "winnable":
            text = words("named by the host")
        if model.named_code and field == "suits":
            continue
        drawn.append((Ink(fit(words(room_settings.LABELS[field]), 13), Role.QUIET), Ink(text)))
    doors = [
        *([words("locked")] if model.locked else []),
        *([words("with a password")] if model.has_password else []),
    ]
    if doors:
        drawn.append((Ink(fit(words("door"), 13), Role.QUIET), Ink(safe(words(", ").join(doors)))))
    return drawn
