"""Every screen as it looks, in both languages and three sizes, against the committed pictures."""

import re
from gettext import GNUTranslations, NullTranslations

import pytest
from fullscreen import SCENES, SIZES, drawn
from fullscreen.goldens import LANGUAGES, path, screens
from fullscreen.scenes import at_table

from client_cli.files.catalogues import LOCALES, translation
from client_cli.text.style import Style
from client_cli.text.translation import Translation
from client_cli.tui.state.effects import Typing
from client_cli.tui.views.ink import text_of, width_of
from client_cli.tui.views.screen import prompt

ODD_SIZES = ((1, 1), (10, 5), (20, 8), (40, 12), (60, 20), (79, 23), (100, 30), (240, 70))
NAMES = re.compile(
    r"Ada|Ben|Zo|Hara|Lindqvist|Simon Race|Ready when you are|simonrace join \S+|SS1-S4-FRIENDS|KTQMX\S*"
)
PLAIN = re.compile(r"space|esc|enter|home|end|[0-9]+x\b| s\b")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_screen_looks_as_it_was_approved(language: str, size: tuple[int, int]) -> None:
    """`python -m fullscreen.goldens` writes them anew; the difference is to be read."""
    assert screens(language, size) == path(language, size).read_text(encoding="utf-8")


@pytest.mark.parametrize("glyphs", [True, False])
@pytest.mark.parametrize("size", [*SIZES, *ODD_SIZES], ids=str)
@pytest.mark.parametrize("name", SCENES)
def test_every_screen_has_as_many_rows_and_cells_as_the_terminal(
    name: str, size: tuple[int, int], glyphs: bool
) -> None:
    """Wide characters count two: neither language draws beyond the edge."""
    width, height = size
    for language in LANGUAGES:
        rows = drawn(name, size, translation(language), glyphs=glyphs)
        assert len(rows) == height
        assert [text_of(each) for each in rows if width_of(each) > width] == []


@pytest.mark.parametrize("name", SCENES)
def test_without_glyphs_only_names_and_what_people_say_are_beyond_ascii(name: str) -> None:
    texts = [text_of(each) for each in drawn(name, (120, 40), glyphs=False)]
    people = re.compile("陳小明|Zoë O’Hara|林美玲|大家準備好了嗎？|這副牌好難！|Zoë")
    assert [text for text in texts if not people.sub("", text).isascii()] == []


def test_a_line_that_is_typed_says_what_it_is_for() -> None:
    def prompts(language: str) -> dict[Typing, str]:
        return {what: prompt(what, Style(translate=translation(language))) for what in Typing}

    assert prompts("en") == {
        Typing.SAY: " say: ",
        Typing.COMMAND: " command: ",
        Typing.CODE: " game code: ",
        Typing.SAVE: " file to keep the race in: ",
    }
    assert prompts("zh-Hant") == {
        Typing.SAY: " 說：",
        Typing.COMMAND: " 指令：",
        Typing.CODE: " 牌局代碼：",
        Typing.SAVE: " 存放比賽的檔案：",
    }


class Sealed(NullTranslations):
    """A language in which every text of the catalogue reads as Cyrillic letters, as long as in English."""

    _LETTERS = re.compile(r"(\{[^}]*\})|([A-Za-z])")

    def __init__(self, known: set[str]) -> None:
        super().__init__()
        self.known = known

    def gettext(self, message: str) -> str:
        return self._LETTERS.sub(lambda found: found[1] or "ж", message) if message in self.known else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.fixture(scope="module")
def sealed() -> Translation:
    with (LOCALES / "en/LC_MESSAGES/simonrace.mo").open("rb") as file:
        known = set(GNUTranslations(file)._catalog.values())  # type: ignore[attr-defined]  # its own texts
    return Translation(Sealed(known), "xx")


@pytest.mark.parametrize("name", SCENES)
def test_no_text_on_any_screen_bypasses_the_catalogue(name: str, sealed: Translation) -> None:
    """What is still in Latin letters in a made-up language is nobody's name and no code: it was forgotten."""
    table = at_table(name, sealed)
    text = "\n".join(text_of(each) for each in table.seat.rows(160, 50))
    left = PLAIN.sub("", NAMES.sub("", text))
    assert re.findall(r"[A-Za-z]{2,}.*", left) == []
