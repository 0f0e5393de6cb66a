"""Every screen, in both languages and three sizes, compared with the golden files."""

import re
from gettext import GNUTranslations, NullTranslations

import pytest
from fullscreen import SCREENS, SIZES, screen_lines
from fullscreen.goldens import LANGUAGES, path, screens
from fullscreen.harness import at_screen

from client_cli.files.catalogues import LOCALES, translation
from client_cli.text.style import plain, width_of
from client_cli.text.translation import Translation

ODD_SIZES = ((1, 1), (10, 5), (20, 8), (40, 12), (60, 20), (79, 23), (100, 30), (240, 70))
NAMES = re.compile(
    r"Ada|Ben|Zo|Hara|Lindqvist|Simon Race|Ready when you are|simonrace join \S+|SS1-S4-FRIENDS|KTQMX\S*"
)
KEYS_AND_UNITS = re.compile(r"space|esc|enter|home|end|[0-9]+x\b| s\b")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_screen_equals_its_golden_file(language: str, size: tuple[int, int]) -> None:
    """`python -m fullscreen.goldens` writes the files again; read the difference."""
    assert screens(language, size) == path(language, size).read_text(encoding="utf-8")


@pytest.mark.parametrize("glyphs", [True, False])
@pytest.mark.parametrize("size", [*SIZES, *ODD_SIZES], ids=str)
@pytest.mark.parametrize("name", SCREENS)
def test_every_screen_has_the_lines_and_cells_of_the_terminal(
    name: str, size: tuple[int, int], glyphs: bool
) -> None:
    """Wide characters count as two cells, in both languages."""
    width, height = size
    for language in LANGUAGES:
        lines = screen_lines(name, size, translation(language), glyphs=glyphs)
        assert len(lines) == height
        assert [plain(each) for each in lines if width_of(each) > width] == []


@pytest.mark.parametrize("name", SCREENS)
def test_without_glyphs_only_names_and_chat_are_not_ascii(name: str) -> None:
    texts = [plain(each) for each in screen_lines(name, (120, 40), glyphs=False)]
    allowed = re.compile("陳小明|Zoë O’Hara|林美玲|大家準備好了嗎？|這副牌好難！|Zoë")
    assert [text for text in texts if not allowed.sub("", text).isascii()] == []


class CyrillicTranslations(NullTranslations):
    """A language in which each letter of every text in the catalogue becomes a Cyrillic letter."""

    _LETTERS = re.compile(r"(\{[^}]*\})|([A-Za-z])")

    def __init__(self, known: set[str]) -> None:
        super().__init__()
        self.known = known

    def gettext(self, message: str) -> str:
        return self._LETTERS.sub(lambda found: found[1] or "ж", message) if message in self.known else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.fixture(scope="module")
def cyrillic() -> Translation:
    with (LOCALES / "en/LC_MESSAGES/simonrace.mo").open("rb") as file:
        known = set(GNUTranslations(file)._catalog.values())  # type: ignore[attr-defined]  # all its texts
    return Translation(CyrillicTranslations(known), "xx")


@pytest.mark.parametrize("name", SCREENS)
def test_no_text_on_any_screen_bypasses_the_catalogue(name: str, cyrillic: Translation) -> None:
    """Text that stays in Latin letters is a name, a code or a key; any other was not marked."""
    harness = at_screen(name, cyrillic)
    text = "\n".join(plain(each) for each in harness.controller.lines(160, 50))
    left = KEYS_AND_UNITS.sub("", NAMES.sub("", text))
    assert re.findall(r"[A-Za-z]{2,}.*", left) == []
