"""Lobby: the invitation, the members, the settings, and the countdown in big digits."""

from collections.abc import Sequence
from typing import Final

from client_cli.core import room_settings
from client_cli.core.model import Model
from client_cli.text.style import Line, Role, Segment, Style, Tone, clip, line
from client_cli.text.tables import left_out, stance
from client_cli.text.width import fit, safe, text_width, wrap
from client_cli.tui.views.alignment import centred, padded
from protocol.parts import Member, Phase

TWO_COLUMNS_WIDTH: Final = 70
"""Cells that are needed to show the settings beside the members."""

_DIGITS: Final = {
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


def lobby(model: Model, style: Style, now_ms: int, share_link: str, size: tuple[int, int]) -> list[Line]:
    """Return the lobby."""
    width, height = size
    drawn: list[Line] = [()]
    if model.phase is Phase.COUNTDOWN:
        drawn += countdown(-(-model.starts_in(now_ms) // 1000), style, width)
        if left_out(model):
            text = style.translate("You are not ready. Press r, or you will watch this race.")
            drawn.append(centred(line(text, Role.WARNING), width))
    else:
        drawn += _invitation(model, share_link, style, width)
    drawn.append(())
    left_width = width if width < TWO_COLUMNS_WIDTH else width * 3 // 5
    settings = settings_lines(model, style)
    if width < TWO_COLUMNS_WIDTH:
        room = height - len(drawn) - len(settings) - 1
        return [*drawn, *settings, (), *_members(model, style, left_width, room)][:height]
    members = _members(model, style, left_width, height - len(drawn))
    for at in range(max(len(members), len(settings))):
        before = clip(members[at], left_width, style.cut) if at < len(members) else ()
        after = clip(settings[at], width - left_width, style.cut) if at < len(settings) else ()
        drawn.append((*padded(before, left_width), *after))
    return drawn[:height]


def _members(model: Model, style: Style, width: int, height: int) -> list[Line]:
    """Return as many members as fit, and the number of the others."""
    translate, members = style.translate, model.members
    title = translate.plural("{count} member in the room", "{count} members in the room", len(members))
    room = max(1, height - 1)
    shown = members if len(members) <= room else members[: max(0, room - 1)]
    left = len(members) - len(shown)
    return [
        line(f"  {title}", Role.QUIET),
        *member_lines(model, shown, style, width),
        *([line("  " + translate("and {count} more", count=left), Role.QUIET)] if left else []),
    ]


def countdown(seconds: int, style: Style, width: int) -> list[Line]:
    """Return the seconds to the start in digits that are five lines high."""
    digits = ["  ".join(_DIGITS[digit][at] for digit in str(seconds)) for at in range(5)]
    if not style.glyphs:
        digits = [each.replace("█", "#") for each in digits]
    text = style.translate("The deal is shown when the race starts.")
    return [
        *(centred(line(each, Role.BAR), width) for each in digits),
        (),
        centred(line(text, Role.TITLE), width),
    ]


def _invitation(model: Model, share_link: str, style: Style, width: int) -> list[Line]:
    translate = style.translate
    command = f"simonrace join {share_link}"
    text = (
        translate("Friends join with the password and this command (press c to copy it):")
        if model.has_password
        else translate("Friends join with this command (press c to copy it):")
    )
    return [
        *(line(f"  {part}", Role.QUIET) for part in wrap(text, max(10, width - 4))),
        (
            Segment("  "),
            Segment(f" {fit(command, min(width - 6, len(command)), cut=style.cut)} ", Role.TITLE, Tone.CARD),
        ),
    ]


def member_lines(model: Model, members: Sequence[Member], style: Style, width: int) -> list[Line]:
    """Return a line for each member, with a mark for ready."""
    longest = max((text_width(each.name) for each in members), default=0)
    name_width = min(24, max(8, min(width - 26, longest)))
    return [_member(model, each, style, name_width) for each in members]


def _member(model: Model, member: Member, style: Style, name_width: int) -> Line:
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
        Segment(f"  {mark} ", Role.BAR if member.ready else Role.QUIET),
        Segment(style.fit(member.name, name_width) + " ", Role.ME if me else Role.TEXT),
        Segment(translate(", ").join(marks), Role.WARNING if not member.connected else Role.QUIET),
    )


def settings_lines(model: Model, style: Style) -> list[Line]:
    """Return a line for each setting of the room."""
    translate = style.translate
    drawn = [line(translate("This room"), Role.QUIET)]
    for setting in room_settings.SETTINGS:
        text = translate.sentence(setting.text(model.settings))
        if model.named_code and setting.field == "winnable":
            text = translate("named by the host")
        elif model.named_code and setting.of_random_deal:
            continue
        drawn.append((Segment(fit(translate(setting.label), 13), Role.QUIET), Segment(text)))
    access = [
        *([translate("locked")] if model.locked else []),
        *([translate("password")] if model.has_password else []),
    ]
    if access:
        drawn.append(
            (Segment(fit(translate("access"), 13), Role.QUIET), Segment(safe(translate(", ").join(access))))
        )
    return drawn
