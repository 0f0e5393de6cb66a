"""Palettes: texts can be read and suits can be distinguished, dark and light."""

from itertools import combinations

import pytest
from rich.color import Color

from client_cli.text.style import Role, Tone
from client_cli.tui.palette import DARK, LIGHT, SUITS, Palette, rich_style

Rgb = tuple[float, float, float]

# Colours as seen without red or without green cones, in linear RGB (Viénot, Brettel and Mollon 1999).
PROTAN = ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0))
DEUTAN = ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0))


def linear(colour: str) -> Rgb:
    triplet = Color.parse(colour).get_truecolor()
    red, green, blue = (value / 255 for value in triplet)
    return tuple(
        each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in (red, green, blue)
    )  # type: ignore[return-value]  # three in, three out


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def seen(colour: str, eyes: tuple[Rgb, Rgb, Rgb]) -> list[float]:
    rgb = linear(colour)
    cones = (sum(a * b for a, b in zip(row, rgb, strict=True)) for row in eyes)
    return [max(0.0, each) ** (1 / 2.2) for each in cones]


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize("tone", [tone for tone in Tone if tone is not Tone.HELD])
def test_every_text_can_be_read_on_every_background(palette: Palette, tone: Tone) -> None:
    """The accessibility guidelines require 4.5 to 1; quiet text and highlighted backgrounds may have 3."""
    for role, colour in palette.text.items():
        least = 4.5 if tone in {Tone.PAGE, Tone.CARD, Tone.FREE} and role is not Role.QUIET else 3.0
        assert contrast(colour, palette.ground[tone]) >= least, role


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
def test_held_cards_can_be_read(palette: Palette) -> None:
    assert contrast(palette.held, palette.ground[Tone.HELD]) >= 4.5


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize("eyes", [PROTAN, DEUTAN], ids=["protan", "deutan"])
def test_suits_can_be_distinguished_without_red_or_green(
    palette: Palette, eyes: tuple[Rgb, Rgb, Rgb]
) -> None:
    """By colour alone, without their signs; the distance is in a cube with edges of 1."""
    for one, other in combinations(SUITS, 2):
        pair = zip(seen(palette.text[one], eyes), seen(palette.text[other], eyes), strict=True)
        assert sum((a - b) ** 2 for a, b in pair) ** 0.5 >= 0.2, (one, other)


def test_without_colours_tones_differ_by_weight_underline_and_reverse() -> None:
    styles = {tone: rich_style(Role.SPADES, tone, dark=True, colours=False) for tone in Tone}
    assert all(each.color is None and each.bgcolor is None for each in styles.values())
    assert styles[Tone.HELD].reverse
    assert styles[Tone.LIT].underline
    assert (styles[Tone.FREE].bold, styles[Tone.CARD].bold) == (True, False)


def test_every_role_and_tone_has_a_colour() -> None:
    for palette in (DARK, LIGHT):
        assert set(palette.text) == set(Role)
        assert set(palette.ground) == set(Tone)
