"""The lobby: how friends come in, who is there, what will be raced, and the countdown in big figures."""

from typing import Final

from client_cli.full import room_settings
from client_cli.full.ink import Ink, Row, Tone, centred, clip, padded, row
from client_cli.look import Look, Role
from client_cli.model import Model
from client_cli.people_view import stance
from client_cli.width import fit, safe, text_width, wrap
from protocol.parts import Person, Phase

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
    words = look.words
    drawn: list[Row] = [()]
    if model.phase is Phase.COUNTDOWN:
        drawn += countdown(-(-model.starts_in(now) // 1000), look, width)
    else:
        drawn += _invitation(share, look, width)
    drawn.append(())
    title = words.many("{count} person in the room", "{count} people in the room", len(model.people))
    left_width = width if width < TWO_COLUMNS else width * 3 // 5
    people = [
        row(f"  {title}", Role.QUIET),
        *(person_row(model, each, look, left_width) for each in model.people),
    ]
    settings = settings_rows(model, look)
    if width < TWO_COLUMNS:
        return [*drawn, *settings, (), *people][:height]
    right_width = width - left_width
    rows = max(len(people), len(settings))
    if len(drawn) + len(people) > height:
        cut = max(1, height - len(drawn) - 1)
        people = [*people[:cut], row("  " + words("and {count} more", count=len(people) - cut), Role.QUIET)]
    for at in range(rows):
        before = people[at] if at < len(people) else ()
        after = settings[at] if at < len(settings) else ()
        drawn.append(
            (*padded(clip(before, left_width, look.cut), left_width), *clip(after, right_width, look.cut))
        )
    return drawn[:height]


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


def _invitation(share: str, look: Look, width: int) -> list[Row]:
    words = look.words
    command = f"simonrace join {share}"
    text = words("Friends come in with this line (c copies it):")
    return [
        *(row(f"  {line}", Role.QUIET) for line in wrap(text, max(10, width - 4))),
        (
            Ink("  "),
            Ink(f" {fit(command, min(width - 6, len(command)), cut=look.cut)} ", Role.TITLE, Tone.CARD),
        ),
    ]


def person_row(model: Model, person: Person, look: Look, width: int) -> Row:
    """Return somebody in the room with a mark for ready."""
    words = look.words
    me = person.player == model.me
    ready = "✓" if look.glyphs else "*"
    racing = model.phase is Phase.RACING and model.race is not None and person.player in model.race.racers
    mark = ready if person.ready or racing else "·" if look.glyphs else "-"
    marks = [
        words(stance(model, person)),
        *([words("host")] if person.player == model.host else []),
        *([words("you")] if me else []),
        *([words("away")] if person.away else []),
    ]
    longest = max(text_width(each.name) for each in model.people)
    name = min(24, max(8, min(width - 26, longest)))
    return (
        Ink(f"  {mark} ", Role.BAR if person.ready else Role.QUIET),
        Ink(look.fit(person.name, name) + " ", Role.ME if me else Role.TEXT),
        Ink(", ".join(marks), Role.WARNING if person.away else Role.QUIET),
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
        drawn.append((Ink(fit(words("door"), 13), Role.QUIET), Ink(safe(", ".join(doors)))))
    return drawn
