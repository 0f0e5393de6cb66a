"""The tree of the project: each product file has a place and a test file named after it."""

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PRODUCT: list[str] = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
"""What is installed. Inside each package import-linter's exhaustive layers say where a file may lie."""

BESIDE = {"bench", "docs", "examples", "tests"}
"""Folders with Python files that are not installed."""

SCRIPTS = {"locales"}
"""Folders of PRODUCT that hold data and the script that makes it, and are not imported."""

WITHOUT_A_TEST_FILE = {
    "client_cli/cli/options.py": "test_main.py gives every option",
    "client_cli/cli/run.py": "tests/e2e/test_terminal_client.py runs it in a process",
    "client_cli/core/errors.py": "one exception",
    "client_cli/core/retries.py": "constants; test_conversation.py receives these errors and refusals",
    "client_cli/files/catalogues.py": "tests/client_cli/text/test_translation.py reads catalogues",
    "client_cli/line/frontend.py": "a Protocol",
    "client_cli/tui/ports.py": "Protocols",
    "client_cli/tui/state/effects.py": "data classes without methods",
    "conformance/errors.py": "two exceptions",
    "demo/__main__.py": "tests/e2e/test_terminal_client.py runs the demo in a process",
    "demo/bot.py": "tests/e2e/test_terminal_client.py runs the demo in a process",
    "demo/host.py": "tests/e2e/test_terminal_client.py runs the demo in a process",
    "server/core/commands.py": "data classes without methods",
    "server/rooms/context.py": "a data class without methods",
    "server/rooms/counters.py": "a data class without methods",
    "server/rooms/ports.py": "Protocols",
    "server/rooms/race/ports.py": "Protocols",
    "server/rooms/subscriber.py": "a Protocol and what it is given",
    "server/rooms/race/earlier_races.py": "test_live_room.py sends actions of earlier races",
    "server/sessions/context.py": "a data class without methods",
    "server/sessions/dispatch.py": "test_queries.py and test_join.py of tests/integration send every request",
    "server/sessions/ports.py": "Protocols",
    "server/store/port.py": "Protocols and data classes; test_contract.py runs every store against them",
    "server/store/redis/scripts.py": "Lua; test_contract.py runs it",
    "server/transport/ports.py": "Protocols",
    "server/transport/settings.py": "a data class without methods",
    "server/transport/stats.py": "a data class without methods",
}
"""Product files that no test file is named after, each with the reason."""

OF_SEVERAL = {
    "tests/client_cli/tui/test_purity.py": "what may be imported where",
    "tests/client_cli/tui/test_tmux.py": "the full screen in a real terminal",
    "tests/client_cli/tui/test_tmux_mouse.py": "the full screen in a real terminal",
    "tests/client_cli/core/test_replay_vectors.py": "the frozen vectors",
    "tests/client_cli/core/test_conversation_races.py": "several races, beside test_conversation.py",
    "tests/engine/test_game_machine.py": "a state machine beside test_game.py",
    "tests/engine/test_oracle.py": "solved deals through the whole engine",
    "tests/engine/test_vectors.py": "the frozen vectors",
    "tests/protocol/docs/test_pages.py": "the committed reference pages",
    "tests/protocol/docs/test_protocol_document.py": "PROTOCOL.md",
    "tests/protocol/test_codec_bad_input.py": "generated bad input beside test_codec.py",
    "tests/protocol/test_codec_echo.py": "what an error echoes, beside test_codec.py",
    "tests/server/core/test_vectors.py": "the frozen vectors",
    "tests/server/store/test_contract.py": "every store against server/store/port.py",
}
"""Test files in the place of a package that are named after no file of it, each with what it is about."""


WITHOUT_A_SERVICE = ("server/rooms/", "server/sessions/")
"""Folders of PRODUCT whose files have tests that need no service; tests/integration/ has further ones."""


def modules() -> dict[str, str]:
    """Return each product file with the place of its test file. It may be in tests/integration/, too."""
    found = {}
    for package in PRODUCT:
        for path in (ROOT / package).rglob("*.py"):
            if path.name != "__init__.py":
                folder = path.relative_to(ROOT).parent
                found[str(folder / path.name)] = f"tests/{folder}/test_{path.stem.strip('_')}.py"
    return found


def integration(test: str) -> str:
    """Return the place of a test file that needs a service."""
    return test.replace("tests/", "tests/integration/", 1)


def test_a_folder_of_python_files_is_installed_or_named_here() -> None:
    folders = {path.parent.name for path in ROOT.glob("[a-z]*/*.py")} | {"bench", "docs"}
    assert folders | set(PRODUCT) == BESIDE | set(PRODUCT)


def test_what_is_installed_is_checked_and_copied_everywhere() -> None:
    """A new top-level package needs a line in each of these."""
    packages = [name for name in PRODUCT if name not in SCRIPTS and any((ROOT / name).glob("*.py"))]
    linter = PROJECT["tool"]["importlinter"]
    layers = linter["contracts"][0]["layers"]
    copied = re.findall(r"^COPY (\w+) \1$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.M)
    kept = re.findall(r"^!(\w+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.M)
    assert sorted(PROJECT["tool"]["mypy"]["packages"]) == sorted(packages)
    assert sorted(linter["root_packages"]) == sorted(packages)
    assert sorted(name for layer in layers for name in layer.split(" | ")) == sorted(packages)
    assert sorted(copied) == sorted(PRODUCT)
    assert sorted(set(kept) - {"LICENSE"}) == sorted(PRODUCT)


def test_a_folder_of_the_product_is_a_package_that_says_what_it_is() -> None:
    folders = {(ROOT / name).parent for name in modules() if name.split("/")[0] not in SCRIPTS}
    without = [
        str(folder.relative_to(ROOT))
        for folder in sorted(folders)
        if not (folder / "__init__.py").exists()
        or not ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    ]
    assert without == []


def test_a_product_file_has_a_test_file_named_after_it() -> None:
    """Write the test file, or give the reason in WITHOUT_A_TEST_FILE."""
    without = {
        name
        for name, test in modules().items()
        if not (ROOT / test).exists() and not (ROOT / integration(test)).exists()
    }
    assert without == WITHOUT_A_TEST_FILE.keys()


def test_a_file_of_rooms_and_sessions_has_a_test_file_that_needs_no_service() -> None:
    """What a port separates from sockets and store is tested without them first."""
    without = {
        name
        for name, test in modules().items()
        if name.startswith(WITHOUT_A_SERVICE) and not (ROOT / test).exists()
    }
    assert without == {name for name in WITHOUT_A_TEST_FILE if name.startswith(WITHOUT_A_SERVICE)}


@pytest.mark.parametrize("folder", ["tests", "tests/integration"])
@pytest.mark.parametrize("package", PRODUCT)
def test_a_test_file_is_named_after_a_product_file(package: str, folder: str) -> None:
    """A file that moves takes its test files along."""
    places = modules().values()
    named = set(places) if folder == "tests" else {integration(test) for test in places}
    found = {str(path.relative_to(ROOT)) for path in (ROOT / folder / package).rglob("test_*.py")}
    assert found - named == {name for name in OF_SEVERAL if name.startswith(f"{folder}/{package}/")}
