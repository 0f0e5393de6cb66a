"""Golden files: all screens as plain text, a file for each language and size.

    PYTHONPATH=tests/support python -m fullscreen.goldens

writes them again. Read the difference before you commit it.
"""

from pathlib import Path
from typing import Final

from client_cli.files.catalogues import translation
from client_cli.text.style import plain
from fullscreen.harness import SCREENS, SIZES, screen_lines

LANGUAGES: Final = ("en", "zh-Hant")
FOLDER: Final = Path(__file__).parents[2] / "client_cli" / "tui" / "golden"


def path(language: str, size: tuple[int, int]) -> Path:
    """Return the golden file of one language and size."""
    return FOLDER / f"{language}-{size[0]}x{size[1]}.txt"


def screens(language: str, size: tuple[int, int]) -> str:
    """Return the content of a golden file: all screens, one below the other."""
    parts = []
    for name in SCREENS:
        lines = [plain(each) for each in screen_lines(name, size, translation(language))]
        parts.append("\n".join([f"=== {name} ===", *lines, ""]))
    return "\n".join(parts)


def main() -> None:
    """Write all golden files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        for size in SIZES:
            path(language, size).write_text(screens(language, size), encoding="utf-8")


if __name__ == "__main__":
    main()
