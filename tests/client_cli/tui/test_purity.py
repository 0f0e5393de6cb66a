"""Imports: state and views are pure, and Textual is loaded only for the full screen."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from client_cli import tui

FOLDER = Path(tui.__file__).parent
SHELL = {"app", "cell_diff", "controller", "palette", "pane", "start"}
"""Modules that may import Textual, Rich, the event loop or the clock; all others are pure."""

FORBIDDEN = {"asyncio", "logging", "os", "random", "rich", "socket", "textual", "time", "websockets"}


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {each.name.split(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: path.stem)
def test_a_pure_module_imports_no_clock_no_event_loop_and_no_screen(path: Path) -> None:
    if path.stem in SHELL:
        assert imported(path) & FORBIDDEN, f"{path.stem} is pure: remove it from SHELL"
    else:
        assert imported(path) & FORBIDDEN == set()


@pytest.mark.parametrize("arguments", ["deal SS1-S1-AAAAABD", "--help", "create --help"])
def test_a_command_without_a_screen_does_not_load_textual(arguments: str) -> None:
    """Loading it takes a third of a second."""
    script = (
        "import sys\n"
        "from client_cli.cli.main import cli\n"
        f"cli({arguments.split()!r}, standalone_mode=False)\n"
        "assert 'textual' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)


def test_the_line_client_does_not_load_textual() -> None:
    script = "import sys, client_cli.cli.run; assert 'textual' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)
