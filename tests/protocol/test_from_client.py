"""What a client says: defaults that clients rely on, and the two kinds of messages."""

from typing import get_args

from protocol.codec import JSON_CODEC
from protocol.from_client import (
    Action,
    AnyAction,
    AutoMove,
    Create,
    FromClient,
    Hello,
    Join,
    Lock,
    Move,
    Ready,
    Request,
    RoomRequest,
)


def test_every_message_is_a_request_or_an_action() -> None:
    """A request has a `ref` that comes back in its answer, an action its number `n`; none has both."""
    for cls in get_args(FromClient):
        assert issubclass(cls, Request) != issubclass(cls, Action)


def test_the_actions_are_those_with_a_number() -> None:
    assert {cls for cls in get_args(FromClient) if issubclass(cls, Action)} == set(get_args(AnyAction))


def test_all_that_a_room_is_asked_are_requests() -> None:
    assert all(issubclass(cls, Request) for cls in get_args(RoomRequest))


def test_columns_are_from_and_to_on_the_wire() -> None:
    """Python's `from` is a keyword; the wire does not have to suffer for it."""
    move = JSON_CODEC.from_client('{"type":"move","race":1,"n":1,"from":3,"to":7,"cards":2}')
    assert move == Move(race=1, n=1, source=3, target=7, cards=2)


def test_the_shortest_form_of_a_message_means_the_usual_thing() -> None:
    shortest = {
        '{"type":"hello","name":"Ann"}': Hello(
            ref=0, client="", name="Ann", player=None, token=None, lang="en"
        ),
        '{"type":"create"}': Create(ref=0, code=None, password=None),
        '{"type":"join","room":"BKMRT"}': Join(ref=0, room="BKMRT", password=None, spectate=False, seen=None),
        '{"type":"ready"}': Ready(ref=0, ready=True),
        '{"type":"lock"}': Lock(ref=0, locked=True),
        '{"type":"auto_move","race":1,"n":1,"from":0}': AutoMove(race=1, n=1, source=0, cards=None),
    }
    for text, message in shortest.items():
        assert JSON_CODEC.from_client(text) == message
        assert JSON_CODEC.encode(message) == text.encode()
