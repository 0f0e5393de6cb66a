"""The lobby: how friends come in, who is there, what will be raced, and the countdown in big figures."""

from collections.abc import Sequence
from typing import Final

from client_cli.core import room_settings
from client_cli.core.model import Model
from client_cli.text.style import Role, Style
from client_cli.text.tables import left_out, stance
from client_cli.text.width import fit, safe, text_width, wrap
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


def lobby(model: Model, style: Style, now: int, share: str, size: tuple[int, int]) -> list[Row]:
    """Return the lobby in so many cells."""
    width, height = size
    drawn: list[Row] = [()]
    if model.phase is Phase.COUNTDOWN:
        drawn += countdown(-(-model.starts_in(now) // 1000), style, width)
        if left_out(model):
            text = style.translate("You are not ready: press r to race, or you watch this one.")
            drawn.append(centred(row(text, Role.WARNING), width))
    else:
        drawn += _invitation(model, share, style, width)
    drawn.append(())
    left_width = width if width < TWO_COLUMNS else width * 3 // 5
    settings = settings_rows(model, style)
    if width < TWO_COLUMNS:
        room = height - len(drawn) - len(settings) - 1
        return [*drawn, *settings, (), *_people(model, style, left_width, room)][:height]
    people = _people(model, style, left_width, height - len(drawn))
    for at in range(max(len(people), len(settings))):
        before = clip(people[at], left_width, style.cut) if at < len(people) else ()
        after = clip(settings[at], width - left_width, style.cut) if at < len(settings) else ()
        drawn.append((*padded(before, left_width), *after))
    return drawn[:height]


def _people(model: Model, style: Style, width: int, height: int) -> list[Row]:
    """Return as many people as there is room for, and how many more there are."""
    translate, everybody = style.translate, model.members
    title = translate.plural("{count} member in the room", "{count} members in the room", len(everybody))
    room = max(1, height - 1)
    shown = everybody if len(everybody) <= room else everybody[: max(0, room - 1)]
    left = len(everybody) - len(shown)
    return [
        row(f"  {title}", Role.QUIET),
        *people_rows(model, shown, style, width),
        *([row("  " + translate("and {count} more", count=left), Role.QUIET)] if left else []),
    ]


def countdown(seconds: int, style: Style, width: int) -> list[Row]:
    """Return the seconds to the start in figures of five rows."""
    lines = ["  ".join(_FIGURES[digit][at] for digit in str(seconds)) for at in range(5)]
    if not style.glyphs:
        lines = [line.replace("█", "#") for line in lines]
    text = style.translate("The race starts; the deal is revealed then.")
    return [
        *(centred(row(line, Role.BAR), width) for line in lines),
        (),
        centred(row(text, Role.TITLE), width),
    ]


def _invitation(model: Model, share: str, style: Style, width: int) -> list[Row]:
    translate = style.translate
    command = f"simonrace join {share}"
    text = (
        translate("Friends come in with the password and this line (c copies it):")
        if model.has_password
        else translate("Friends come in with this line (c copies it):")
    )
    return [
        *(row(f"  {line}", Role.QUIET) for line in wrap(text, max(10, width - 4))),
        (
            Ink("  "),
            Ink(f" {fit(command, min(width - 6, len(command)), cut=style.cut)} ", Role.TITLE, Tone.CARD),
        ),
    ]


def people_rows(model: Model, people: Sequence[Member], style: Style, width: int) -> list[Row]:
    """Return people of the room, each with a mark for ready."""
    longest = max((text_width(each.name) for each in people), default=0)
    name = min(24, max(8, min(width - 26, longest)))
    return [_member(model, each, style, name) for each in people]


def _member(model: Model, member: Member, style: Style, name: int) -> Row:
    translate = style.translate
    me = member.player == model.me
    ready = "✓" if style.glyphs else "*"
    racing = model.phase is Phase.RACING and model.race is not None and member.player in model.race.racers
    mark = ready if member.ready or racing else "·" if style.glyphs else "-"
    marks = [
        translate(stance(model, member)),
        *([translate("host")] if member.player == model.host else []),
        *([translate("you")] if me else []),
        *([translate("away")] if not member.connected else []),
    ]
    return (
        Ink(f"  {mark} ", Role.BAR if member.ready else Role.QUIET),
        Ink(style.fit(member.name, name) + " ", Role.ME if me else Role.TEXT),
        Ink(translate(", ").join(marks), Role.WARNING if not member.connected else Role.QUIET),
    )


def settings_rows(model: Model, style: Style) -> list[Row]:
    """Return the room's settings, one a row."""
    translate = style.translate
    drawn = [row(translate("This room"), Role.QUIET)]
    for setting in room_settings.SETTINGS:
        text = translate.sentence(setting.text(model.settings))
        if model.named_code and setting.field == "winnable":
            text = translate("named by the host")
        elif model.named_code and setting.of_random_deal:
            continue
        drawn.append((Ink(fit(translate(setting.label), 13), Role.QUIET), Ink(text)))
    doors = [
        *([translate("locked")] if model.locked else []),
        *([translate("with a password")] if model.has_password else []),
    ]
    if doors:
        drawn.append((Ink(fit(translate("door"), 13), Role.QUIET), Ink(safe(translate(", ").join(doors)))))
    return drawn
