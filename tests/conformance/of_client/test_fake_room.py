"""The server that the referee pretends to be."""

from typing import Any

import msgspec

from conformance.of_client.fake_room import CODES, HOST, RACES_BEFORE, Pretence
from engine import Game, GameCode, Refusal, deal
from protocol import from_client as say
from protocol import from_server as msg
from protocol.codec import JSON_CODEC
from protocol.parts import Phase

RACE = RACES_BEFORE + 1


def racing() -> Pretence:
    pretence = Pretence()
    list(pretence.begin())
    return pretence


def test_the_race_is_on_the_deal_of_its_code() -> None:
    countdown, start = Pretence().begin()
    assert isinstance(countdown, msg.CountdownStarted)
    assert isinstance(start, msg.RaceStarted)
    assert start.columns == deal(GameCode.parse(CODES[0])).columns_text()
    assert (countdown.seq, start.seq) == (3, 4)
    assert (countdown.race, start.race) == (RACE, RACE)


def test_what_was_missed_are_the_events_after_seen() -> None:
    pretence = racing()
    said = pretence.happens(msg.ChatMessage(seq=0, player=HOST.player, text="x"))
    assert said.seq == 5
    assert pretence.after(4) == [said]
    assert pretence.after(5) == []


def test_actions_are_carried_out_by_the_rules() -> None:
    pretence = racing()
    accepted = pretence.carry_out(say.AutoMove(race=RACE, n=1, source=0))
    assert isinstance(accepted, msg.Accepted)
    assert accepted.race == RACE
    assert (accepted.n, accepted.source, accepted.target, accepted.cards) == (1, 0, 4, 1)
    assert pretence.would_refuse(say.Move(race=RACE, n=2, source=0, target=0, cards=1)) is Refusal.SAME_COLUMN
    assert pretence.n == 1
    view = pretence.view()
    assert view is not None
    assert (view.n, view.moves) == (1, 1)


def test_whether_an_action_is_refused_can_be_asked_without_doing_it() -> None:
    pretence = racing()
    before = pretence.view()
    assert pretence.would_refuse(say.AutoMove(race=RACE, n=1, source=0)) is None
    assert pretence.view() == before


def test_it_can_move_by_itself() -> None:
    """As if the client had played on another device."""
    pretence = racing()
    pretence.plays_itself()
    assert pretence.n == 1


def test_where_no_move_is_left_it_begins_again_by_itself() -> None:
    """The client may have played itself into a corner."""
    pretence = racing()
    pretence.game = Game(deal(GameCode.parse("SS1-S1-YNDHMKT")))  # nothing moves there
    pretence.plays_itself()
    assert pretence.carried_out[RACE, 1][0] == say.Restart(race=RACE, n=1)


def test_the_next_race_is_another_deal_and_begins_with_number_1() -> None:
    """What was carried out in the earlier one is still known."""
    pretence = racing()
    pretence.carry_out(say.AutoMove(race=RACE, n=1, source=0))
    seen = pretence.seq
    pretence.race_again()
    kinds = [type(event) for event in pretence.after(seen)]
    assert kinds == [msg.RaceEnded, msg.LobbyOpened, msg.ReadyChanged, msg.CountdownStarted, msg.RaceStarted]
    assert pretence.deal.columns_text() == deal(GameCode.parse(CODES[1])).columns_text()
    pretence.carry_out(say.AutoMove(race=RACE + 1, n=1, source=0))
    assert sorted(pretence.carried_out) == [(RACE, 1), (RACE + 1, 1)]


def test_a_refusal_names_the_race_and_only_in_the_running_one_a_next_number() -> None:
    pretence = racing()
    for race, expected in ((RACE, 1), (RACE - 1, 0)):
        refused = pretence.refusal(say.Undo(race=race, n=4), Refusal.NOTHING_TO_UNDO)
        assert (refused.race, refused.n, refused.expected) == (race, 4, expected)


def test_every_request_has_an_answer_with_its_ref() -> None:
    """Whatever a client asks, it does not wait in vain."""
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
        say.Hello,
        say.Ping,
        say.Create,
        say.Join,
        say.Leave,
        say.Ready,
        say.StartCountdown,
        say.CancelCountdown,
    )
    for kind in kinds:
        request: Any = msgspec.convert({"type": kind.__struct_config__.tag, "ref": 7, **filled}, kind)
        assert getattr(Pretence().answer(request)[-1], "ref", 0) == 7, kind


def test_the_room_is_one_by_its_table() -> None:
    for pretence, phase in ((Pretence(), Phase.LOBBY), (racing(), Phase.RACING)):
        room = JSON_CODEC.from_server(JSON_CODEC.encode(pretence.room(3)))
        assert isinstance(room, msg.Room)
        assert (room.phase, room.game is None) == (phase, phase is Phase.LOBBY)
