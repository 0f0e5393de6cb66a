"""PROTOCOL.md and the code say the same; nothing is in one and not in the other; every example is true."""

import re
import runpy
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from protocol.docs.exchanges import ANYWHERE

from engine.board import Board
from engine.code import COUNT, GameCode
from engine.deal import deal
from engine.game import Game
from engine.refusal import Refusal
from protocol import limits
from protocol.close_codes import CloseCode
from protocol.codec import JSON_CODEC, MSGPACK_CODEC
from protocol.docs import vectors
from protocol.docs.classes import CLASSES, CLIENT_CLASSES, undescribed
from protocol.errors import ErrorCode
from protocol.from_client import AutoMove, Forfeit, Move, Undo
from protocol.from_server import Accepted, Event, RaceStarted, Refused
from protocol.notices import NoticeCode
from protocol.refusals import RefusalCode
from protocol.version import SUBPROTOCOLS
from server.core.room_codes import ALPHABET
from server.core.rules import Rules
from server.rooms.race.racer_game import MOST_WAITING
from server.rooms.room_log import REPLAYED
from server.transport.limits import TransportLimits

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "PROTOCOL.md").read_text(encoding="utf-8")
RACE = vectors.read_race((ROOT / "tests" / "data" / "wire" / "race.json").read_text(encoding="utf-8"))


def section(title: str) -> str:
    """Return what stands under a heading of the second rank."""
    [found] = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE)
    return str(found)


def prose(title: str) -> str:
    """Return what stands under a heading, wherever its lines are broken."""
    return " ".join(section(title).split())


def subsections(title: str) -> dict[str, str]:
    parts = re.split(r"^### ", section(title), flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0].strip("`"): part for part in parts}


def first_cells(text: str) -> list[str]:
    """Return the first cell of each row of the tables in a text, without their heads."""
    cells = [line.split(" | ")[0].strip("| `") for line in text.splitlines() if line.startswith("| ")]
    return [
        cell for cell, below in zip(cells, [*cells[1:], ""], strict=True) if cell != "---" and below != "---"
    ]


MESSAGES = subsections("What a client says") | subsections("What a server says")


def test_the_document_is_the_one_that_is_made() -> None:
    """Tables and examples come from the code; so do the two files beside the document."""
    outputs: dict[Path, str] = runpy.run_path(str(ROOT / "docs" / "protocol" / "build.py"))["outputs"]()
    assert set(outputs) == {
        ROOT / "PROTOCOL.md",
        ROOT / "docs" / "protocol" / "schema.json",
        ROOT / "docs" / "protocol" / "asyncapi.json",
    }
    for path, text in outputs.items():
        assert path.read_text(encoding="utf-8") == text, "run: python docs/protocol/build.py"


def test_every_message_stands_in_the_document_and_no_other() -> None:
    assert list(MESSAGES) == list(CLASSES)


@pytest.mark.parametrize("name", CLASSES)
def test_every_field_of_a_message_stands_in_its_section_and_no_other(name: str) -> None:
    assert first_cells(MESSAGES[name]) == list(undescribed()[name]["properties"])


def test_every_shared_piece_stands_in_the_document_with_its_fields_or_values() -> None:
    pieces = {name: each for name, each in undescribed().items() if name not in CLASSES}
    sections = {heading.split()[0]: text for heading, text in subsections("Shared pieces").items()}
    assert sections.keys() == pieces.keys()
    for name, piece in pieces.items():
        assert sorted(first_cells(sections[name])) == sorted(piece.get("properties") or piece["enum"])


@pytest.mark.parametrize(
    ("title", "codes"),
    [
        ("Errors", [code.value for code in ErrorCode]),
        ("Refusals", [code.value for code in RefusalCode]),
        ("Notices", [code.value for code in NoticeCode]),
        ("Close codes", [str(code.value) for code in CloseCode]),
    ],
)
def test_every_code_stands_in_its_table_and_no_other(title: str, codes: list[str]) -> None:
    assert first_cells(section(title)) == codes


def test_verdicts_in_the_document_are_those_of_the_code() -> None:
    verdicts = {True: "yes", False: "no"}
    for error in ErrorCode:
        assert f"| `{error}` | {error.sentence} | {verdicts[error.temporary]} |" in section("Errors")
    for close in CloseCode:
        row = f"| {close.value} | {close.sentence} | {verdicts[close.reconnect]} |"
        assert row in section("Close codes")


def test_every_limit_stands_in_the_document_with_its_value() -> None:
    table = section("Limits").partition("<!-- end -->")[0]
    expected = [(name, f"{value:,.10g}") for name, value in vars(limits).items() if name.isupper()]
    rows = re.findall(r"^\| `([A-Z_]+)` \| ([0-9,.]+) \|", table, re.MULTILINE)
    assert rows == expected


def test_the_limits_of_the_transport_stand_in_the_document() -> None:
    table = section("Limits").partition("<!-- end -->")[2]
    for field in fields(TransportLimits):
        if field.name == "write_buffer_bytes":
            continue  # a matter between us and the event loop
        assert re.search(rf"\| {field.default:,.10g}\b", table), field.name


def test_the_waiting_times_of_rooms_stand_in_the_document() -> None:
    rules, table = Rules(), section("Limits")
    assert f"hands over | {rules.host_grace_ms // 1000} seconds |" in table
    assert f"except while racing | {rules.seat_ms // 60_000} minutes |" in table
    assert f"is away holds the race | {rules.absent_ms // 1000} seconds |" in table
    assert f"does nothing holds the race | {rules.idle_ms // 60_000} minutes |" in table
    assert f"takes a forfeit back | {rules.forfeit_undo_ms // 1000} seconds |" in table
    ordering = prose("Ordering, acknowledgement, repetition")
    assert f"until {MOST_WAITING:,} of its actions wait is closed with 4005" in ordering
    assert f"At most {REPLAYED} log entries are replayed" in prose("Resuming")


def test_every_number_of_the_bucket_is_explained() -> None:
    text = prose("Limits").partition("**How messages are counted.**")[2]
    assert (
        f"a bucket of {limits.MESSAGE_BURST} tokens that refills with {limits.MESSAGES_PER_SECOND:g} a"
        in text
    )
    assert limits.REFUSED_COST == 3
    assert "takes three in all" in text
    assert limits.ROOM_EVENT_COST == 2
    assert "of which everybody in the room hears, take two" in text


def test_both_subprotocols_and_all_errors_that_can_be_met_anywhere_are_named() -> None:
    assert all(f"| `{name}` |" in section("Connecting") for name in SUBPROTOCOLS)
    head = section("What a client says").partition("<!--")[0]
    assert set(re.findall(r"`([a-z_]+)`", head)) >= {code.value for code in ANYWHERE}


def test_names_in_code_letters_exist() -> None:
    """What looks like a code, a field or a message in the prose is one."""
    known = {*CLASSES, *ErrorCode, *RefusalCode, *NoticeCode, *undescribed()}
    for each in undescribed().values():
        known |= {*each.get("properties", ()), *each.get("enum", ())}
    written = re.sub(r"<!-- generated: [a-z-]+ -->.*?<!-- end -->", "", TEXT, flags=re.DOTALL)
    written = re.sub(r"```.*?```", "", written, flags=re.DOTALL)
    others = {"generated", "end", "true", "null", "str", "bin"}
    words = set(re.findall(r"`([a-z][a-z_]+)`", written)) - others
    assert sorted(words - known) == []


def examples() -> Iterator[Any]:
    for name, text in MESSAGES.items():
        for shown, digits in re.findall(r"```json\n(.*?)\n```\n```msgpack\n(.*?)\n```", text, re.DOTALL):
            yield pytest.param(name, shown, "".join(digits.split()), id=name)


@pytest.mark.parametrize(("name", "shown", "digits"), list(examples()))
def test_every_example_decodes_to_the_same_in_both_encodings(name: str, shown: str, digits: str) -> None:
    client = name in CLIENT_CLASSES
    read_json = JSON_CODEC.from_client if client else JSON_CODEC.from_server
    read_msgpack = MSGPACK_CODEC.from_client if client else MSGPACK_CODEC.from_server
    message: object = read_json(shown)
    assert type(message) is CLASSES[name]
    assert message == read_msgpack(bytes.fromhex(digits))


def test_every_message_has_an_example() -> None:
    assert sum(1 for _ in examples()) == len(CLASSES)


def test_every_line_of_the_transcript_decodes() -> None:
    lines = re.findall(r"^(?:Ann|Bo) +([<>]) (.*)$", section("Quick start"), re.MULTILINE)
    assert len(lines) == sum(not line.omit for line in RACE) > 30
    for direction, text in lines:
        if direction == ">":
            JSON_CODEC.from_client(text)
        else:
            JSON_CODEC.from_server(text)


@pytest.mark.parametrize("who", ["Ann", "Bo"])
def test_the_events_of_the_transcript_are_without_gaps(who: str) -> None:
    """Each hears every event from the snapshot on, until leaving."""
    heard = [JSON_CODEC.from_server(line.hears) for line in RACE if line.who == who and line.hears]
    numbers = [message.seq for message in heard if isinstance(message, Event)]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


@pytest.mark.parametrize("who", ["Ann", "Bo"])
def test_the_engine_agrees_with_the_transcript(who: str) -> None:
    """Replaying the actions gives every answer in it: score, moves, runs, cards, refusals."""
    heard = [JSON_CODEC.from_server(line.hears) for line in RACE if line.who == who and line.hears]
    answers = iter([message for message in heard if isinstance(message, Accepted | Refused)])
    [start] = [message for message in heard if isinstance(message, RaceStarted)]
    board = deal(GameCode.parse(start.code))
    assert board.columns_text() == start.columns
    game = Game(board)
    for line in RACE:
        if line.who == who and line.says:
            match JSON_CODEC.from_client(line.says):
                case Move() as move:
                    check(game, game.move(move.source, move.target, move.cards), next(answers))
                case AutoMove() as auto:
                    check(game, game.auto(auto.source, auto.cards), next(answers))
                case Undo():
                    check(game, game.undo(), next(answers))
                case Forfeit():
                    check(game, None, next(answers))
    assert next(answers, None) is None


def check(game: Game, step: Any, answer: Accepted | Refused) -> None:
    if isinstance(step, Refusal):
        assert isinstance(answer, Refused)
        assert answer.code == step
        return
    assert isinstance(answer, Accepted)
    assert (answer.score, answer.moves, answer.runs, answer.undoable) == (
        game.score,
        game.moves,
        game.runs,
        game.undoable,
    )
    assert (answer.source, answer.target, answer.cards, answer.run) == (step or (None,) * 4)


def test_the_deals_in_the_document_are_those_of_the_engine() -> None:
    rows = re.findall(r"^\| `(SS1-S[124]-[A-Z]{7})` \| (.*) \|$", section("The shuffle"), re.MULTILINE)
    assert [code for code, _ in rows] == ["SS1-S1-AAAAABD", "SS1-S2-AAAAAAA", "SS1-S4-ZZZZZZZ"]
    for code, columns in rows:
        board = Board.from_columns([column.split() for column in columns.split("<br>")])
        assert board == deal(GameCode.parse(code))


def test_numbers_and_letters_of_codes_are_those_of_the_code() -> None:
    text = prose("Names and codes")
    assert f"26^7 = {COUNT:,}" in text
    assert f"five letters of `{ALPHABET}`" in text
    assert GameCode.parse("SS1-S1-AAAAABD").number == 29


def test_every_link_within_the_document_leads_to_a_heading() -> None:
    headings = re.findall(r"^#{1,3} (.*)$", TEXT, re.MULTILINE)
    anchors = [re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-") for heading in headings]
    assert len(set(anchors)) == len(anchors)
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= set(anchors)


def test_every_file_that_the_document_names_is_there() -> None:
    for name in re.findall(r"`((?:docs|tests|protocol)/[a-z_/.]+)`", TEXT):
        assert (ROOT / name).is_file(), name
