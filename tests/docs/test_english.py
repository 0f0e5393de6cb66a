"""The check of the English: docs/english.py."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "docs" / "english.py"


@pytest.fixture(scope="module")
def english() -> ModuleType:
    spec = importlib.util.spec_from_file_location("english", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["english"] = module
    spec.loader.exec_module(module)
    return module


Found = list[tuple[int, str]]
Check = Callable[[str, str], Found]


@pytest.fixture
def check(english: ModuleType, tmp_path: Path) -> Check:
    """Return a function that checks a text under a file name and returns lines with their phrases."""

    def check(name: str, text: str) -> Found:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return [(each.line, each.phrase) for each in english.violations(path)]

    return check


def test_markdown_is_checked_without_its_code(check: Check) -> None:
    """Code may have such names; a phrase may be broken across lines."""
    text = "Draw it anew.\n\n```\ntold\n```\n\nThe `told` field waits for\never.\n"
    assert check("a.md", text) == [(1, "anew"), (7, "for ever")]


def test_docstrings_comments_and_names_of_tests_are_checked(check: Check) -> None:
    text = (
        '"""It runs\nby itself."""\n'
        "told = 1  # told\n\n\n"
        "# It runs for\n# ever.\n"
        "def test_a_client_is_told() -> None:\n"
        '    """`told` is code."""\n'
        '    print("they are told this in a test")\n'
    )
    assert check("a.py", text) == [(2, "by itself"), (3, "told"), (6, "for # ever"), (8, "told")]


def test_sentences_in_strings_of_the_product_are_checked(
    english: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A short string is a name or a key."""
    monkeypatch.setattr(english, "ROOT", tmp_path)
    path = tmp_path / "server" / "a.py"
    path.parent.mkdir()
    path.write_text('A = "told"\nB = "what a client is told"\n')
    assert [(each.path, each.line, each.phrase) for each in english.violations(path)] == [
        ("server/a.py", 2, "told")
    ]


@pytest.mark.parametrize("name", ["Makefile", "a.yml", "a.toml"])
def test_comments_of_other_files_are_checked(check: Check, name: str) -> None:
    assert check(name, "told: told # waits for ever\n# told") == [(1, "for ever"), (2, "told")]


@pytest.mark.parametrize(
    "text", ["This is to bear in mind.", "An untold number.", "Whomsoever, setbackless.", "so-long"]
)
def test_only_whole_words_are_found(check: Check, text: str) -> None:
    assert check("a.md", text) == []


def test_every_phrase_is_found_and_has_a_replacement(english: ModuleType, check: Check) -> None:
    """A pattern that matches nothing would be no check."""
    examples = ["who comes back", "is to be", "of which all", "that is none", "signs of life", "hears"]
    assert [check("a.md", f"A {example}, then.") != [] for example in examples] == [True] * 5 + [False]
    assert all(english.PHRASES.values())


def test_what_is_found_is_named_with_its_place_and_what_to_write(
    english: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.md"
    path.write_text("All is well.\nIt starts anew.\n")
    assert english.main([str(path)]) == 1
    assert capsys.readouterr().out == f"{path}:2: 'anew'; write instead: again\n"
    path.write_text("It starts again.\n")
    assert english.main([str(path)]) == 0
    assert capsys.readouterr().out == ""


def test_every_checked_path_exists(english: ModuleType) -> None:
    root = SCRIPT.parents[1]
    assert [name for name in english.CLEAN if not (root / name).exists()] == []
