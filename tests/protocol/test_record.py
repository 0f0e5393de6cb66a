"""The record of a race: replaying the frozen example gives its results."""

from dataclasses import dataclass

import pytest

from engine.board import Board
from engine.code import GameCode
from engine.deal import deal
from engine.game import Game
from engine.progress import progress
from engine.ranking import Placing, Status, rank
from engine.refusal import Refusal
from protocol.codec import JSON_CODEC
from protocol.docs.vectors import Vector
from protocol.from_server import RecordSent
from protocol.parts import RacerState
from protocol.record import FORMAT, ActionKind, Entry, FinishedRace, RacerRecord


@pytest.fixture(scope="module")
def record(server_vectors: list[Vector]) -> FinishedRace:
    [vector] = [vector for vector in server_vectors if vector.case == "a whole race"]
    message = JSON_CODEC.from_server(vector.json)
    assert isinstance(message, RecordSent)
    return message.record


@dataclass
class Replayed:
    board: Board
    placing: Placing
    state: RacerState


def replay(code: str, racer: RacerRecord) -> Replayed:
    """Replay a racer's actions with the engine alone, as anybody can who has the record."""
    game = Game(deal(GameCode.parse(code)))
    reached_ms, forfeited = 0, False
    for entry in racer.actions:
        match entry:
            case Entry(
                type=ActionKind.MOVE | ActionKind.AUTO_MOVE,
                source=int(source),
                target=int(target),
                cards=int(count),
            ):
                assert not isinstance(game.move(source, target, count), Refusal)
            case Entry(type=ActionKind.UNDO):
                step = game.undo()
                assert not isinstance(step, Refusal)
                assert (step.source, step.target, step.cards) == (entry.source, entry.target, entry.cards)
            case Entry(type=ActionKind.RESTART):
                game.restart()
        forfeited = entry.type is ActionKind.FORFEIT
        if entry.type not in (ActionKind.FORFEIT, ActionKind.UNDO_FORFEIT):
            reached_ms = entry.at_ms
    if forfeited:
        state, status = RacerState.FORFEITED, Status.OUT
    elif game.is_won:
        state, status = RacerState.WON, Status.WON
    else:
        state, status = RacerState.UNFINISHED, Status.UNFINISHED
    in_order = progress(game.board, game.runs)
    placing = Placing(status, game.score, game.moves, game.runs, in_order, reached_ms)
    return Replayed(game.board, placing, state)


def test_the_record_has_its_format(record: FinishedRace) -> None:
    assert record.format == FORMAT == "simonrace-record-2"


def test_every_racers_actions_lead_to_the_recorded_board(record: FinishedRace) -> None:
    for racer in record.racers:
        assert replay(record.code, racer).board.columns_text() == racer.columns


def test_every_result_follows_from_the_actions(record: FinishedRace) -> None:
    """Code and actions give score, moves, runs and times; with who was inactive, also the ranks."""
    replayed = {racer.player: replay(record.code, racer) for racer in record.racers}
    inactive = {result.player for result in record.results if result.inactive}
    placings = [
        each.placing._replace(status=Status.OUT) if player in inactive else each.placing
        for player, each in replayed.items()
    ]
    ranks = rank(placings, record.ranking.mode)
    places = dict(zip(replayed, ranks, strict=True))
    assert [(result.player, result.rank, result.state) for result in record.results] == [
        (result.player, places[result.player], replayed[result.player].state) for result in record.results
    ]
    for result in record.results:
        placing = replayed[result.player].placing
        assert (result.score, result.moves, result.runs, result.reached_ms) == (
            placing.score,
            placing.moves,
            placing.runs,
            placing.reached_ms,
        )


def test_an_entry_names_cards_only_if_cards_moved(record: FinishedRace) -> None:
    """An undo has the move that was undone; restart, forfeit and undo_forfeit move no cards."""
    for racer in record.racers:
        for entry in racer.actions:
            cards = (entry.source, entry.target, entry.cards)
            moved = entry.type in (ActionKind.MOVE, ActionKind.AUTO_MOVE, ActionKind.UNDO)
            assert [number is not None for number in cards] == [moved] * 3


def test_the_actions_of_a_racer_are_in_the_order_of_their_times(record: FinishedRace) -> None:
    for racer in record.racers:
        times = [entry.at_ms for entry in racer.actions]
        assert times == sorted(times)
