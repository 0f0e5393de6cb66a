"""Palettes: the Rich style of each role and tone, dark, light or without colour."""

from functools import cache
from typing import Final, NamedTuple

from rich.style import Style

from client_cli.text.style import Role, Tone

SUITS: Final = (Role.SPADES, Role.HEARTS, Role.DIAMONDS, Role.CLUBS)


class Palette(NamedTuple):
    """Colours of text by role and of backgrounds by tone. All text on Tone.HELD has the colour `held`."""

    text: dict[Role, str]
    ground: dict[Tone, str]
    held: str


# Dark: the suits are Okabe and Ito's vermillion, orange and blue, lightened, and white. Light: hearts are
# crimson, because vermillion dark enough to read looks like the brown of diamonds without red or green cones.
# A test computes the contrasts as people with these deficiencies see them; cards also show their suit's sign.
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
def rich_style(role: Role, tone: Tone, *, dark: bool, colours: bool) -> Style:
    """Return the style of a segment; without colours only weight, underline and reverse are used."""
    bold = role in _BOLD and (tone is not Tone.CARD or role not in SUITS)
    if not colours:
        reversed_ = tone in (Tone.HELD, Tone.CHOSEN)
        weight = bold or (tone is Tone.FREE and role in SUITS)
        return Style(
            bold=weight,
            reverse=reversed_,
            underline=tone is Tone.LIT,
            dim=role is Role.QUIET and not reversed_,
        )
    chosen = DARK if dark else LIGHT
    text = chosen.held if tone is Tone.HELD else chosen.text[role]
    return Style(color=text, bgcolor=chosen.ground[tone], bold=bold or tone is Tone.HELD)
