"""The server that the referee pretends to be."""

from typing import Any

import msgspec

from conformance.of_client.fake_room import CODES, HOST, RACES_BEFORE, FakeRoom
from engine import Game, GameCode, Refusal, deal
from protocol import from_client, from_server
from protocol.codec import JSON_CODEC
from protocol.parts import Phase

RACE = RACES_BEFORE + 1


def racing() -> FakeRoom:
    room = FakeRoom()
    list(room.start_race())
    return room


def test_the_race_is_on_the_deal_of_its_code() -> None:
    countdown, start = FakeRoom().start_race()
    assert isinstance(countdown, from_server.CountdownStarted)
    assert isinstance(start, from_server.RaceStarted)
    assert start.columns == deal(GameCode.parse(CODES[0])).columns_text()
    assert (countdown.seq, start.seq) == (3, 4)
    assert (countdown.race, start.race) == (RACE, RACE)


def test_missed_events_are_those_after_seen() -> None:
    room = racing()
    transcript = room.append_event(from_server.ChatMessage(seq=0, player=HOST.player, text="x"))
    assert transcript.seq == 5
    assert room.events_after(4) == [transcript]
    assert room.events_after(5) == []


def test_actions_are_carried_out_by_the_rules() -> None:
    room = racing()
    accepted = room.apply(from_client.AutoMove(race=RACE, n=1, source=0))
    assert isinstance(accepted, from_server.Accepted)
    assert accepted.race == RACE
    assert (accepted.n, accepted.source, accepted.target, accepted.cards) == (1, 0, 4, 1)
    assert (
        room.would_refuse(from_client.Move(race=RACE, n=2, source=0, target=0, cards=1))
        is Refusal.SAME_COLUMN
    )
    assert room.n == 1
    view = room.view()
    assert view is not None
    assert (view.n, view.moves) == (1, 1)


def test_would_refuse_changes_nothing() -> None:
    room = racing()
    before = room.view()
    assert room.would_refuse(from_client.AutoMove(race=RACE, n=1, source=0)) is None
    assert room.view() == before


def test_play_elsewhere_makes_a_move() -> None:
    """As if the client had played on another device."""
    room = racing()
    room.play_elsewhere()
    assert room.n == 1


def test_play_elsewhere_restarts_if_no_move_is_legal() -> None:
    """The client can have reached a board without legal moves."""
    room = racing()
    room.game = Game(deal(GameCode.parse("SS1-S1-YNDHMKT")))  # nothing moves there
    room.play_elsewhere()
    assert room.applied[RACE, 1][0] == from_client.Restart(race=RACE, n=1)


def test_the_next_race_has_another_deal_and_starts_at_number_1() -> None:
    """The actions of the earlier race are still known."""
    room = racing()
    room.apply(from_client.AutoMove(race=RACE, n=1, source=0))
    seen = room.seq
    room.start_next_race()
    kinds = [type(event) for event in room.events_after(seen)]
    assert kinds == [
        from_server.RaceEnded,
        from_server.LobbyOpened,
        from_server.ReadyChanged,
        from_server.CountdownStarted,
        from_server.RaceStarted,
    ]
    assert room.deal.columns_text() == deal(GameCode.parse(CODES[1])).columns_text()
    room.apply(from_client.AutoMove(race=RACE + 1, n=1, source=0))
    assert sorted(room.applied) == [(RACE, 1), (RACE + 1, 1)]


def test_a_refusal_has_an_expected_number_only_in_the_running_race() -> None:
    room = racing()
    for race, expected in ((RACE, 1), (RACE - 1, 0)):
        refused = room.refusal(from_client.Undo(race=race, n=4), Refusal.NOTHING_TO_UNDO)
        assert (refused.race, refused.n, refused.expected) == (race, 4, expected)


def test_every_request_has_an_answer_with_its_ref() -> None:
    """No request stays without an answer."""
    filled = {
        "room": "RFCMJ",
        "player": "x",
        "text": "x",
        "race": 1,
        "code": CODES[0],
        "settings": {},
        "name": "x",
    }
    kinds: tuple[Any, ...]
    kinds = (
        from_client.Hello,
        from_client.Ping,
        from_client.Create,
        from_client.Join,
        from_client.Leave,
        from_client.Ready,
        from_client.StartCountdown,
        from_client.CancelCountdown,
    )
    for kind in kinds:
        request: Any = msgspec.convert({"type": kind.__struct_config__.tag, "ref": 7, **filled}, kind)
        assert getattr(FakeRoom().answer(request)[-1], "ref", 0) == 7, kind


def test_the_snapshot_is_a_valid_message() -> None:
    for fake_room, phase in ((FakeRoom(), Phase.LOBBY), (racing(), Phase.RACING)):
        room = JSON_CODEC.from_server(JSON_CODEC.encode(fake_room.snapshot(3)))
        assert isinstance(room, from_server.Room)
        assert (room.phase, room.game is None) == (phase, phase is Phase.LOBBY)
