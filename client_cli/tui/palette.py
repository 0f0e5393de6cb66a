"""Colours: what a piece of a row is and lies on, as a style: dark, light or without colour."""

from functools import cache
from typing import Final, NamedTuple

from rich.style import Style

from client_cli.text.style import Role
from client_cli.tui.views.ink import Tone

SUITS: Final = (Role.SPADES, Role.HEARTS, Role.DIAMONDS, Role.CLUBS)


class Palette(NamedTuple):
    """Colours of the text by role and of the ground by tone; what is held has one colour for all its text."""

    text: dict[Role, str]
    ground: dict[Tone, str]
    held: str


# On dark ground the suits are Okabe and Ito's vermillion, orange and blue, made lighter, and white; on light
# ground crimson stands for vermillion, which dark enough to be read would look like the brown of diamonds to
# people who do not tell red from green. A test computes what they see; the sign is always there, too.
DARK: Final = Palette(
    {
        Role.TEXT: "#D8DEE4",
        Role.QUIET: "#8A97A3",
        Role.TITLE: "#FFFFFF",
        Role.WARNING: "#FF8A4C",
        Role.ME: "#FFFFFF",
        Role.BAR: "#56B4E9",
        Role.SPADES: "#F2F4F6",
        Role.HEARTS: "#FF8A4C",
        Role.DIAMONDS: "#FFD84A",
        Role.CLUBS: "#6FC0F5",
    },
    {
        Tone.PAGE: "#0F151A",
        Tone.STRIPE: "#18212A",
        Tone.CARD: "#212C36",
        Tone.FREE: "#31404E",
        Tone.HELD: "#F0E442",
        Tone.LIT: "#0B4A3A",
        Tone.CHOSEN: "#2C4A63",
    },
    "#101010",
)
LIGHT: Final = Palette(
    {
        Role.TEXT: "#20262C",
        Role.QUIET: "#5C6873",
        Role.TITLE: "#000000",
        Role.WARNING: "#A84300",
        Role.ME: "#000000",
        Role.BAR: "#005F9E",
        Role.SPADES: "#000000",
        Role.HEARTS: "#A80050",
        Role.DIAMONDS: "#7A5200",
        Role.CLUBS: "#005A96",
    },
    {
        Tone.PAGE: "#E9EDF0",
        Tone.STRIPE: "#DCE2E7",
        Tone.CARD: "#F7F9FA",
        Tone.FREE: "#FFFFFF",
        Tone.HELD: "#5A4FCF",
        Tone.LIT: "#BCE8D6",
        Tone.CHOSEN: "#BBD6EC",
    },
    "#FFFFFF",
)
_BOLD: Final = frozenset({Role.TITLE, Role.ME, Role.WARNING, Role.SPADES, Role.HEARTS})


@cache
def style(role: Role, tone: Tone, *, dark: bool, colours: bool) -> Style:
    """Return how a piece looks; without colours only by weight and by being turned inside out."""
    bold = role in _BOLD and (tone is not Tone.CARD or role not in SUITS)
    if not colours:
        turned = tone in (Tone.HELD, Tone.CHOSEN)
        weight = bold or (tone is Tone.FREE and role in SUITS)
        return Style(
            bold=weight, reverse=turned, underline=tone is Tone.LIT, dim=role is Role.QUIET and not turned
        )
    chosen = DARK if dark else LIGHT
    text = chosen.held if tone is Tone.HELD else chosen.text[role]
    return Style(color=text, bgcolor=chosen.ground[tone], bold=bold or tone is Tone.HELD)
