"""What is pure stays pure, and Textual is loaded only where a screen is shown."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from client_cli import tui

FOLDER = Path(tui.__file__).parent
SHELL = {"app", "cell_diff", "controller", "palette", "pane", "start"}
"""What may know Textual, rich, the loop or the clock; all others are pure."""

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
def test_a_pure_module_reaches_no_clock_no_loop_and_no_screen(path: Path) -> None:
    if path.stem in SHELL:
        assert imported(path) & FORBIDDEN, f"{path.stem} is pure; say so here"
    else:
        assert imported(path) & FORBIDDEN == set()


@pytest.mark.parametrize("words", ["deal SS1-S1-AAAAABD", "--help", "create --help"])
def test_what_shows_no_screen_does_not_load_textual(words: str) -> None:
    """A deal, a list of options and a pipe stay light."""
    script = (
        "import sys\n"
        "from client_cli.cli.main import cli\n"
        f"cli({words.split()!r}, standalone_mode=False)\n"
        "assert 'textual' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)


def test_the_line_client_does_not_load_textual() -> None:
    script = "import sys, client_cli.cli.run; assert 'textual' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)
