"""Check of the project's English: phrases that may not be used, with what to write instead.

    python docs/english.py              # the paths of CLEAN, as `make check` does
    python docs/english.py PATH ...     # these files and folders
    python docs/english.py --count      # violations of the whole project, for each area

Checked are Markdown without its code, docstrings, comments, names of tests, and sentences in the strings of
the product. Exits with 1 if anything is found.
"""

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]

CLEAN: Final = (
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Dockerfile",
    "Makefile",
    "README.md",
    "bench",
    "client_cli/cli",
    "client_cli/core",
    "client_cli/files",
    "client_cli/line",
    "client_cli/net",
    "client_cli/text",
    "demo",
    "deploy",
    "docker-compose.yml",
    "docs/backup.md",
    "docs/by-hand.md",
    "docs/capacity.md",
    "docs/decisions",
    "docs/english.py",
    "docs/friends-elsewhere.md",
    "docs/glossary.md",
    "docs/hosting.md",
    "docs/monitoring.md",
    "docs/performance.md",
    "docs/pictures",
    "docs/proxies.md",
    "docs/upgrade.md",
    "engine",
    "examples",
    "pyproject.toml",
    "server/config.py",
    "server/core",
    "server/http.py",
    "server/logs.py",
    "server/main.py",
    "server/metrics.py",
    "server/node.py",
    "server/open_files.py",
    "server/reach.py",
    "server/rooms",
    "server/services",
    "server/sessions",
    "server/store",
    "server/supervisor.py",
    "server/tasks.py",
    "server/transport",
    "server/workers.py",
    "tests/bench",
    "tests/client_cli/cli",
    "tests/client_cli/core",
    "tests/client_cli/files",
    "tests/client_cli/line",
    "tests/client_cli/net",
    "tests/client_cli/text",
    "tests/demo",
    "tests/deploy",
    "tests/docs",
    "tests/examples",
    "tests/integration/server/services",
    "tests/locales",
    "tests/server/core",
    "tests/server/services",
    "tests/server/store",
    "tests/server/test_config.py",
    "tests/server/test_logs.py",
    "tests/server/test_main.py",
    "tests/server/test_supervisor.py",
    "tests/server/test_tasks.py",
    "tests/server/test_workers.py",
    "tests/server/transport",
    "tests/test_tree.py",
)
"""Files and folders that `make check` checks. A folder is added when it has no violations left."""

PHRASES: Final = {
    "anew": "again",
    "for ever": "forever, without end, or the limit that is missing",
    "so long as|so long": "while, or: until",
    "by itself|by themselves|by himself|of itself": "automatically, or alone",
    "let nobody": "a sentence with a subject",
    "(who|whoever) comes( back)?": "a member who returns, a client that connects",
    "(is|are) to be": "must be, or: will be",
    "of (which|whom) (all|none|nobody)": "a sentence of its own",
    "whoever|whomever": "anyone who, or the role: a member who, a client that",
    "nobody waits": "say what runs in the background",
    "told": "sent, reported, notified; told apart: distinguished",
    "(that|who|which) (is|are) none": "is not one",
    "to and fro": "round trip",
    "signs? of life": "heartbeat",
    "had better": "should",
    "(is|are|be) heard of": "is reported, is noticed",
    "thousand million": "billion",
    "all the same": "nevertheless, or leave it out",
    "but for": "except for",
    "look(s|ed|ing)? after": "manage, supervise",
    "(take|takes|taking|took) leave": "disconnect",
    "store (is|was|being) away|store that is away": "the store is unavailable",
    "setbacks?|store (goes|going|went|gone|that goes|has gone) back": "rollback",
    "agendas?": "schedule",
    "aftermath": "results of finished races",
    "time alone": "deadline, timer",
    "dearer|is dear": "more expensive, costs more",
    "whence|thereof|therein|wherein|lest": "plain words",
    "is all that": "only",
    "(who|what) may(?=[.;,])": "name what is allowed",
    "gave up waiting|patiently": "retry, time out",
    "once and for all|for good and all": "permanently",
    "as (one|they) likes?": "in any way",
}
"""Regular expressions of phrases, matched as whole words in any case, and what to write instead."""


def _pattern(phrase: str) -> re.Pattern[str]:
    """Return what matches a phrase as whole words, also across the lines of a comment."""
    return re.compile(rf"(?<![\w-])(?:{phrase})(?![\w-])".replace(" ", r"[\s#]+"), re.IGNORECASE)


_PATTERNS: Final = [(_pattern(phrase), instead) for phrase, instead in PHRASES.items()]
_PRODUCT: Final = ("engine", "protocol", "server", "client_cli", "conformance", "demo")
_COMMENTED: Final = {".yml", ".toml", ".mjs", ""}
"""Suffixes of files whose comments are lines; without one: Makefile, Dockerfile, Caddyfile."""

_SENTENCE_WORDS: Final = 4
"""A string of the product with at least so many words is a sentence for people."""


class Violation(NamedTuple):
    """A phrase in a file."""

    path: str
    line: int
    phrase: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.phrase!r}; write instead: {self.instead}"


def violations(path: Path) -> list[Violation]:
    """Return the violations in a file, by line."""
    name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
    found = {
        Violation(name, first + text.count("\n", 0, match.start()), " ".join(match[0].split()), instead)
        for first, text in _texts(path)
        for pattern, instead in _PATTERNS
        for match in pattern.finditer(text)
    }
    return sorted(found)


def files(path: Path) -> Iterator[Path]:
    """Yield the files to check at a path: itself, or all below it."""
    if path.is_dir():
        for each in sorted(path.rglob("*")):
            hidden = any(part.startswith(".") for part in each.relative_to(ROOT).parts)
            if each.is_file() and not hidden and _is_checked(each):
                yield each
    else:
        yield path


def _is_checked(path: Path) -> bool:
    generated = {"node_modules", "__pycache__"} & set(path.parts)
    return not generated and path.name != "LICENSE" and path.suffix in {".py", ".md", *_COMMENTED}


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each text of a file with the number of its first line."""
    source = path.read_text(encoding="utf-8")
    match path.suffix:
        case ".md":
            yield 1, _without_code(source)
        case ".py":
            yield from _of_python(source, path)
        case _:
            lines = (re.search(r"(?:^|\s)(?:#|//) (.*)", line) for line in source.splitlines())
            yield from _blocks((number, found[1]) for number, found in enumerate(lines, 1) if found)


def _of_python(source: str, path: Path) -> Iterator[tuple[int, str]]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    yield from _blocks((each.start[0], each.string) for each in tokens if each.type == tokenize.COMMENT)
    tree = ast.parse(source)
    is_product = path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in _PRODUCT
    prose = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) in prose or (is_product and len(node.value.split()) >= _SENTENCE_WORDS):
                yield node.lineno, _without_code(node.value)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.lineno, node.name.replace("_", " ")


def _blocks(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield numbered lines joined where they follow each other."""
    first, block = 0, list[str]()
    for number, line in lines:
        if number != first + len(block):
            yield first, _without_code("\n".join(block))
            first, block = number, []
        block.append(line)
    yield first, _without_code("\n".join(block))


def _without_code(text: str) -> str:
    """Return a text with its code blanked and its lines kept."""

    def blank(match: re.Match[str]) -> str:
        return "`" + "\n" * match[0].count("\n") + "`"

    text = re.sub(r"^( *)```.*?^ *```", blank, text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`]+`", blank, text)


def count() -> Counter[str]:
    """Return how many violations each area of the project has: its folders two levels deep."""
    areas: Counter[str] = Counter()
    for path in files(ROOT):
        parts = path.relative_to(ROOT).parts
        area = "/".join(parts[:2]) if len(parts) > 2 else str(path.relative_to(ROOT))
        areas[area] += len(violations(path))
    return +areas


def main(arguments: list[str]) -> int:
    """Print what is found; return the exit code."""
    if arguments == ["--count"]:
        for area, number in sorted(count().items()):
            print(f"{number:5} {area}")
        return 0
    paths = [Path(each).absolute() for each in arguments] or [ROOT / each for each in CLEAN]
    found = [each for path in paths for file in files(path) for each in violations(file)]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
