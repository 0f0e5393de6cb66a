"""The catalogues hold every text of the code in each language, and nothing else."""

import importlib.util
import re
from pathlib import Path
from string import Formatter
from types import ModuleType

import pytest

from client_cli.files.catalogues import FOLDERS, translation
from client_cli.text.width import text_width
from protocol.refusals import RefusalCode

PLACE = Path(__file__).parents[2] / "locales" / "build.py"


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_catalogues", PLACE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_committed_catalogues_are_up_to_date(build: ModuleType) -> None:
    """Run `python locales/build.py` and translate new texts."""
    for language, catalogue in (("en", build.english()), ("zh_Hant", build.translated("zh_Hant"))):
        po, mo = build.files(catalogue)
        assert build.path_of(language, "po").read_bytes() == po, language
        assert build.path_of(language, "mo").read_bytes() == mo, language


def test_every_text_is_translated(build: ModuleType) -> None:
    assert build.untranslated(build.translated("zh_Hant")) == []


def test_a_translation_has_the_same_values_as_its_text(build: ModuleType) -> None:
    def fields(text: str) -> set[str | None]:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}

    chinese = translation("zh-Hant")
    for text in build.texts():
        one = text if isinstance(text, str) else text[1]
        told = chinese(one) if isinstance(text, str) else chinese._catalogue.ngettext(text[0], text[1], 2)
        assert fields(told) == fields(one), text


def test_a_translation_is_chinese_and_ends_like_its_text(build: ModuleType) -> None:
    """A text with English words has Chinese characters; a sentence ends with the Chinese full stop."""
    chinese = translation("zh-Hant")
    for text in build.texts():
        if isinstance(text, str) and re.search("[a-z]{3}", re.sub(r"\{[^}]*\}|[a-z_]+[,:]", "", text)):
            assert re.search("[\u4e00-\u9fff，、]|或", chinese(text)), text
            assert text.endswith(".") == chinese(text).endswith(("。", "…")), text


def test_chinese_sentences_are_joined_without_a_blank(build: ModuleType) -> None:
    """A value named `why` is always a whole sentence."""
    chinese = translation("zh-Hant")
    told = [chinese(text) for text in build.texts() if isinstance(text, str)]
    assert [text for text in told if re.search(r"([。！？]|\{why\}) ", text)] == []


def test_labels_fit_their_columns(build: ModuleType) -> None:
    """A heading is not wider than its column of numbers."""
    chinese = translation("zh-Hant")
    for text, cells in (("moves", 6), ("score", 6), ("runs", 5), ("behind", 9), ("time", 11)):
        assert text in build.texts()
        assert text_width(chinese(text)) <= cells


def test_a_refusal_has_the_text_of_the_protocol() -> None:
    chinese = translation("zh-Hant")
    assert {code: chinese(code.english) for code in RefusalCode} == {
        code: code.chinese for code in RefusalCode
    }


def test_an_unknown_language_is_english() -> None:
    assert set(FOLDERS) == {"en", "zh-Hant"}
    assert translation("tlh")("ready") == "ready"
