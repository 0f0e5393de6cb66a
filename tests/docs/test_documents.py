"""Markdown documents of the project: links, commands, metrics and log events that they name."""

import ast
import re
from pathlib import Path
from typing import Final

import click
import pytest

from client_cli.cli.main import cli as client
from server.main import cli as server

ROOT: Final = Path(__file__).parents[2]
DOCUMENTS: Final = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "decisions").glob("*.md")),
]
HOSTING: Final = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")

each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)


def anchors(path: Path) -> set[str]:
    """Return the anchors of the headings of a document."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def code(path: Path) -> list[str]:
    """Return the lines of code blocks and the code spans of a document."""
    text = path.read_text(encoding="utf-8")
    blocks = re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    spans = re.findall(r"`([^`]+)`", re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL))
    return [line.strip() for block in blocks for line in block.splitlines()] + spans


def options(command: click.Command) -> set[str]:
    names = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    return {*names, "--help"}


def defined_strings(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        str(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@each_document
def test_a_link_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        path = (document.parent / name).resolve() if name else document
        assert path.exists(), target
        assert not anchor or anchor in anchors(path), target


@each_document
def test_a_file_that_is_named_exists(document: Path) -> None:
    """A code span with a folder is a path from the root of the project."""
    named = [span for span in code(document) if re.fullmatch(r"[\w-]+/[\w/.-]*(?:\.\w+|/)", span)]
    assert [span for span in named if not (ROOT / span).exists()] == []


@each_document
def test_a_command_of_the_client_exists_with_its_options(document: Path) -> None:
    assert isinstance(client, click.Group)
    for line in code(document):
        if found := re.match(r"(?:\S*/)?simonrace ([a-z]+)(.*)", line.split(" #")[0]):
            assert found[1] in client.commands, line
            used = set(re.findall(r"(?<=\s)--[a-z-]+", found[2]))
            assert used <= options(client.commands[found[1]]), line


@each_document
def test_an_option_of_the_server_exists(document: Path) -> None:
    for line in code(document):
        if re.match(r"(?:\S*/|ExecStart=\S*/)?simonrace-server ", line):
            assert set(re.findall(r"(?<=\s)--[a-z-]+(?=\s|$)", line)) <= options(server), line


@each_document
def test_a_target_of_make_exists(document: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for line in code(document):
        if found := re.match(r"make ((?:[A-Z]+=\S+ )*)([a-z -]+)", line.split(" #")[0]):
            assert set(found[2].split()) <= targets, line


@each_document
def test_a_metric_exists(document: Path) -> None:
    defined = defined_strings(ROOT / "server" / "metrics.py")
    known = {name.removeprefix("simonrace_") for name in defined}
    text = re.sub(r"simonrace_(?:store|front)`", "", document.read_text(encoding="utf-8"))  # of Compose
    named = set(re.findall(r"\bsimonrace_(\w+)`", text))
    assert {name.removesuffix("_total") for name in named} <= known


def test_a_log_event_exists_with_its_level() -> None:
    """The table of events in docs/hosting.md."""
    logged = {
        (text, level)
        for path in (ROOT / "server").rglob("*.py")
        for level, text in re.findall(
            r"log\.(info|warning|error)\(\s*\"([^\"]+)\"", path.read_text(encoding="utf-8")
        )
    }
    logged |= {("store available", "warning")}  # the other branch of a conditional expression
    rows = re.findall(r"^  \| (`.+?`) \| (info|warning|error) \|", HOSTING, re.MULTILINE)
    events = {(event, level) for names, level in rows for event in re.findall(r"`([^`]+)`", names)}
    assert len(events) > 6
    assert events <= logged
