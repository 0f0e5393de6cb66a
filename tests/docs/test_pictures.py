"""The pictures of the README show the current screens."""

import importlib.util
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as Tree

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_pictures", FOLDER / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_committed_pictures_are_up_to_date(build: ModuleType) -> None:
    """Run `PYTHONPATH=tests/support python docs/pictures/build.py` after a change of a screen."""
    drawn = build.pictures()
    assert {path.name for path in FOLDER.glob("*.svg")} == set(drawn)
    for name, contents in drawn.items():
        assert (FOLDER / name).read_text(encoding="utf-8") == contents, name


def test_a_picture_is_well_formed_and_each_character_has_a_place(build: ModuleType) -> None:
    for contents in build.pictures().values():
        for text in Tree.fromstring(contents).iter("{http://www.w3.org/2000/svg}text"):  # noqa: S314 - ours
            assert text.text is not None
            assert len(text.attrib["x"].split()) == len(text.text)
