"""The server that the referee pretends to be."""

from typing import Any

import msgspec

from client_cli.conformance.pretence import CODE, HOST, Pretence
from engine import Game, GameCode, Refusal, deal
from protocol import from_client as say
from protocol import from_server as msg
from protocol.codec import JSON_CODEC
from protocol.parts import Phase


def racing() -> Pretence:
    pretence = Pretence()
    list(pretence.begin())
    return pretence


def test_the_race_is_on_the_deal_of_its_code() -> None:
    countdown, start = Pretence().begin()
    assert isinstance(countdown, msg.CountdownStarted)
    assert isinstance(start, msg.RaceStarted)
    assert start.columns == deal(GameCode.parse(CODE)).columns_text()
    assert (countdown.seq, start.seq) == (3, 4)


def test_what_was_missed_are_the_events_after_seen() -> None:
    pretence = racing()
    said = pretence.happens(msg.ChatMessage(seq=0, player=HOST.player, text="x"))
    assert said.seq == 5
    assert pretence.after(4) == [said]
    assert pretence.after(5) == []


def test_actions_are_carried_out_by_the_rules() -> None:
    pretence = racing()
    accepted = pretence.carry_out(say.AutoMove(n=1, source=0))
    assert isinstance(accepted, msg.Accepted)
    assert (accepted.n, accepted.source, accepted.target, accepted.count) == (1, 0, 4, 1)
    assert pretence.would_refuse(say.Move(n=2, source=0, target=0, count=1)) is Refusal.SAME_COLUMN
    assert pretence.n == 1
    view = pretence.view()
    assert view is not None
    assert (view.n, view.moves) == (1, 1)


def test_whether_an_action_is_refused_can_be_asked_without_doing_it() -> None:
    pretence = racing()
    before = pretence.view()
    assert pretence.would_refuse(say.AutoMove(n=1, source=0)) is None
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
    assert pretence.carried_out[1][0] == say.Restart(n=1)


def test_every_request_has_an_answer_with_its_ref() -> None:
    """Whatever a client asks, it does not wait in vain."""
    filled = {
        "room": "RFCMJ",
        "player": "x",
        "text": "x",
        "race": 1,
        "code": CODE,
        "settings": {},
        "name": "x",
    }
    kinds: tuple[Any, ...]
    kinds = (say.Hello, say.Ping, say.Create, say.Join, say.Leave, say.Ready, say.StartCountdown, say.CancelCountdown)
    for kind in kinds:
        request: Any = msgspec.convert({"type": kind.__struct_config__.tag, "ref": 7, **filled}, kind)
        assert getattr(Pretence().answer(request)[-1], "ref", 0) == 7, kind


def test_the_room_is_one_by_its_table() -> None:
    for pretence, phase in ((Pretence(), Phase.LOBBY), (racing(), Phase.RACING)):
        room = JSON_CODEC.from_server(JSON_CODEC.encode(pretence.room(3)))
        assert isinstance(room, msg.Room)
        assert (room.phase, room.game is None) == (phase, phase is Phase.LOBBY)
