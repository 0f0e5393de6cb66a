"""docs/glossary.md and the code use the same words."""

import ast
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import pytest

import protocol.errors
import protocol.notices
import protocol.parts
import protocol.record
import protocol.refusals
from protocol.docs.classes import CLASSES

ROOT: Final = Path(__file__).parents[2]
PRODUCT: Final = ("engine", "protocol", "server", "client_cli", "conformance", "demo")

RETIRED: Final = {
    "Clockwork": "RoomTimers",
    "CameBack": "MemberReconnected",
    "Cork": "WriteBatch",
    "Crowd": "standings window",
    "Deed": "ActionKind",
    "Desk": "RoomLog, or the state of the full screen",
    "Door": "Membership",
    "Ear": "Subscriber",
    "Face": "Frontend",
    "GaveUp": "RacerForfeited",
    "GiveUp": "Forfeit",
    "Hall": "RoomRegistry",
    "Link": "Conversation, or RedisClient",
    "Pace": "Throttle, or the rate limit",
    "Person": "Member",
    "PipeFace": "the name of the front end",
    "Roster": "ConnectionRegistry",
    "Rounds": "Sweep",
    "Said": "ChatMessage",
    "Say": "Chat",
    "Seat": "RacerGame, or the controller of the full screen",
    "Setback": "RollbackRecovery",
    "Spoke": "ChatMessage",
    "StopReason": "CancelReason",
    "StoreAway": "StoreUnavailable",
    "TakeBack": "UndoForfeit",
    "TerminalFace": "the name of the front end",
    "Told": "translatable text",
    "TookBack": "RacerForfeitUndone",
    "Track": "LiveRace",
    "WentAway": "MemberDisconnected",
    "again_and_again": "repeat_every",
    "aftermath": "finished_races",
    "agenda": "schedule",
    "bugs_told": "report_exceptions",
    "clockwork": "timers",
    "crowd": "standings_window",
    "deeds": "key_actions",
    "desk": "room_log, or state",
    "face": "frontend",
    "hearing": "message_handlers",
    "nodes_agenda": "nodes_schedule",
    "patience": "retry",
    "patiently": "retry_while_unavailable",
    "piped": "pipe",
    "projections_agenda": "projections_schedule",
    "rooms_agenda": "rooms_schedule",
    "roster": "connection_registry",
    "rounds": "sweep",
    "setback": "rollback",
    "settle": "reconcile",
    "spoken": "language",
    "tell_all": "broadcast",
    "told": "server_texts",
    "track": "live_race",
}
"""Names that classes, functions and modules of the product may not have, and the word to use."""

BEING_RENAMED: Final = ()
"""Areas in which retired names remain for now."""


class Entry(NamedTuple):
    """A word of the glossary."""

    word: str
    sentence: str
    code: str
    wire: str


def entries() -> list[Entry]:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    found = []
    for part in re.split(r"^- (?=\*\*)", text, flags=re.MULTILINE)[1:]:
        flat = " ".join(part.split("\n\n")[0].split())
        match = re.fullmatch(r"\*\*(.+?)\*\* — (.+?\.) Code: (.+?\.)(?: Wire: (.+\.))?", flat)
        assert match, flat
        found.append(Entry(match[1], match[2], match[3], match[4] or ""))
    return found


def names_of(path: Path) -> Iterator[str]:
    """Yield the names that a file defines: classes, functions, and what is assigned."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.name
            case ast.Name(ctx=ast.Store()):
                yield node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr


def words_of_the_wire() -> set[str]:
    """Return message types, classes of shared objects, their fields, and the values of enums."""
    words = set(CLASSES)
    fields = {**CLASSES}
    for module in (protocol.parts, protocol.record, protocol.errors, protocol.notices, protocol.refusals):
        for name, value in vars(module).items():
            if isinstance(value, type) and issubclass(value, msgspec.Struct):
                fields[name] = value
            elif isinstance(value, type) and issubclass(value, Enum):
                words |= {name, *(str(each.value) for each in value)}
    words |= set(fields)
    return words | {
        f"{name}.{field}" for name, cls in fields.items() for field in cls.__struct_encode_fields__
    }


def test_a_word_is_explained_once() -> None:
    words = [entry.word for entry in entries()]
    assert len(words) > 70
    assert [word for word in words if words.count(word) > 1] == []


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.word)
def test_the_code_of_a_word_exists(entry: Entry) -> None:
    """A file or folder is there, and defines the names that stand behind it in brackets."""
    places = re.findall(r"`([^`]*/[^`]*)`(?: \(([^)]*)\))?", entry.code)
    assert places
    for place, names in places:
        path = ROOT / place
        assert path.exists(), place
        wanted = set(re.findall(r"`(\w+)`", names))
        assert wanted <= (set(names_of(path)) if wanted else set()), place


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.word)
def test_the_wire_uses_the_word_as_stated(entry: Entry) -> None:
    assert set(re.findall(r"`([^`]+)`", entry.wire)) - words_of_the_wire() == set()


def test_every_message_has_a_word() -> None:
    """Add a new message to the entry of what it is about."""
    named = {name for entry in entries() for name in re.findall(r"`([^`]+)`", entry.wire)}
    assert set(CLASSES) - named == set()


def test_retired_names_stay_retired() -> None:
    """Use the word of the glossary instead."""
    found = [
        f"{path.relative_to(ROOT)}: {name}; use {RETIRED[name]}"
        for package in PRODUCT
        for path in (ROOT / package).rglob("*.py")
        if not str(path.relative_to(ROOT)).startswith(BEING_RENAMED)
        for name in definitions(path)
        if name in RETIRED
    ]
    assert found == []


def definitions(path: Path) -> Iterator[str]:
    """Yield the name of a module and those of its classes and functions."""
    yield path.stem
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
