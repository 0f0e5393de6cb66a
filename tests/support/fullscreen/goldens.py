"""The committed pictures of all screens, as plain text: one file for each language and size.

    PYTHONPATH=tests/support python -m fullscreen.goldens

writes them anew; read the difference before you commit it.
"""

from pathlib import Path
from typing import Final

from client_cli.files.catalogues import translation
from client_cli.tui.views.ink import text_of
from fullscreen.scenes import SCENES, SIZES, drawn

LANGUAGES: Final = ("en", "zh-Hant")
FOLDER: Final = Path(__file__).parents[2] / "client_cli" / "tui" / "golden"


def path(language: str, size: tuple[int, int]) -> Path:
    """Return where the screens of one language and size are."""
    return FOLDER / f"{language}-{size[0]}x{size[1]}.txt"


def screens(language: str, size: tuple[int, int]) -> str:
    """Return all screens of one language and size, one below the other."""
    parts = []
    for name in SCENES:
        rows = [text_of(each) for each in drawn(name, size, translation(language))]
        parts.append("\n".join([f"=== {name} ===", *rows, ""]))
    return "\n".join(parts)


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        for size in SIZES:
            path(language, size).write_text(screens(language, size), encoding="utf-8")


if __name__ == "__main__":
    main()
