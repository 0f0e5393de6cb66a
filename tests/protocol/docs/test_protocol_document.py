"""PROTOCOL.md says what the code says, and its examples are true; test_pages.py checks the reference."""

import re
from pathlib import Path
from typing import Any

import pytest

from engine.board import Board
from engine.code import COUNT, GameCode
from engine.deal import deal
from engine.game import Game
from engine.refusal import Refusal
from protocol import limits
from protocol.base import COMMON_ERRORS
from protocol.codec import JSON_CODEC
from protocol.docs import vectors
from protocol.docs.classes import CLASSES
from protocol.docs.schema import definitions
from protocol.errors import ErrorCode
from protocol.from_client import AutoMove, Forfeit, Move, Undo
from protocol.from_server import Accepted, Event, RaceStarted, Refused
from protocol.notices import NoticeCode
from protocol.record import FORMAT
from protocol.refusals import RefusalCode
from protocol.version import SUBPROTOCOLS
from server.core.room_codes import ALPHABET
from server.core.rules import Rules
from server.rooms.race.racer_game import MAX_WAITING
from server.rooms.recent_events import REPLAYED_EVENTS

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "PROTOCOL.md").read_text(encoding="utf-8")
LIMITS = (ROOT / "docs" / "protocol" / "limits.md").read_text(encoding="utf-8")
RACE = vectors.read_race((ROOT / "tests" / "data" / "wire" / "race.json").read_text(encoding="utf-8"))


def section(title: str) -> str:
    """Return what stands under a heading of the second rank."""
    [found] = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE)
    return str(found)


def prose(title: str) -> str:
    """Return what stands under a heading, wherever its lines are broken."""
    return " ".join(section(title).split())


def test_the_numbers_of_the_guide_are_those_of_the_code() -> None:
    rules = Rules()
    room = prose("Life of a room")
    assert f"disconnected for {rules.host_grace_ms // 1000} seconds, the connected member" in room
    assert f"lost the connection: for {rules.seat_ms // 60_000} minutes" in room
    assert f"been disconnected for {rules.absent_ms // 1000} seconds" in room
    assert f"sent no action for {rules.idle_ms // 60_000} minutes" in room
    assert f"let {rules.forfeit_undo_ms // 1000} seconds pass" in room
    ranking = prose("Ranking and ties")
    assert (
        f"disconnected for {rules.absent_ms // 1000} seconds or idle for {rules.idle_ms // 60_000} minutes"
        in (ranking)
    )
    ordering = prose("Ordering, acknowledgement, repetition")
    assert f"until {MAX_WAITING:,} of its actions wait is closed with 4005" in ordering
    assert f"at most every {limits.STANDINGS_MS} ms" in ordering
    assert f"in races of more than {limits.WHOLE_STANDINGS}" in ordering
    assert f"At most {REPLAYED_EVENTS} log entries are replayed" in prose("Resuming")
    assert f"within {limits.HELLO_SECONDS:g} seconds" in prose("Life of a connection")
    short = f"{limits.MESSAGE_BURST} messages at once and {limits.MESSAGES_PER_SECOND:g} a second"
    assert short in prose("Limits")
    assert f"at most 16 KiB ({limits.MESSAGE_BYTES:,} bytes)" in prose("Connecting")
    assert f"`format` `{FORMAT}`" in prose("Checking a race offline")


def test_both_subprotocols_and_all_errors_that_any_request_can_get_are_named() -> None:
    assert all(f"| `{name}` |" in section("Connecting") for name in SUBPROTOCOLS)
    assert set(re.findall(r"`([a-z_]+)`", section("Errors"))) >= {code.value for code in COMMON_ERRORS}


def test_every_refusal_that_is_no_rule_of_the_game_is_explained() -> None:
    """In the order of the code; the rules of the game explain themselves."""
    explained = re.findall(r"^\| `([a-z_]+)` \|", section("Refusals"), re.MULTILINE)
    assert explained == [code.value for code in RefusalCode][len(Refusal) :]
    assert len(Refusal) == 11
    assert "The first eleven codes" in prose("Refusals")


@pytest.mark.parametrize("text", [TEXT, LIMITS], ids=["guide", "limits"])
def test_names_in_code_letters_exist(text: str) -> None:
    """What looks like a code, a field or a message in the prose is one."""
    known = {*CLASSES, *ErrorCode, *RefusalCode, *NoticeCode, *definitions()}
    for each in definitions().values():
        known |= {*each.get("properties", ()), *each.get("enum", ())}
    written = re.sub(r"<!-- generated: [a-z-]+ -->.*?<!-- end -->", "", text, flags=re.DOTALL)
    written = re.sub(r"```.*?```", "", written, flags=re.DOTALL)
    others = {"generated", "end", "true", "null", "str", "bin"}
    words = set(re.findall(r"`([a-z][a-z_]+)`", written)) - others
    assert sorted(words - known) == []


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
    heard = [JSON_CODEC.from_server(line.receives) for line in RACE if line.who == who and line.receives]
    numbers = [message.seq for message in heard if isinstance(message, Event)]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


@pytest.mark.parametrize("who", ["Ann", "Bo"])
def test_the_engine_agrees_with_the_transcript(who: str) -> None:
    """Replaying the actions gives every answer in it: score, moves, runs, cards, refusals."""
    heard = [JSON_CODEC.from_server(line.receives) for line in RACE if line.who == who and line.receives]
    answers = iter([message for message in heard if isinstance(message, Accepted | Refused)])
    [start] = [message for message in heard if isinstance(message, RaceStarted)]
    board = deal(GameCode.parse(start.code))
    assert board.columns_text() == start.columns
    game = Game(board)
    for line in RACE:
        if line.who == who and line.sends:
            match JSON_CODEC.from_client(line.sends):
                case Move() as move:
                    check(game, game.move(move.source, move.target, move.cards), next(answers))
                case AutoMove() as auto:
                    check(game, game.auto_move(auto.source, auto.cards), next(answers))
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


def test_every_file_that_the_document_names_is_there() -> None:
    for name in re.findall(r"`((?:docs|tests|protocol)/[a-z_/.]+)`", TEXT):
        assert (ROOT / name).is_file(), name
