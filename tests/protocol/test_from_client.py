"""Messages from a client: defaults that clients rely on, and the two kinds of messages."""

from typing import get_args

from protocol import from_client
from protocol.codec import JSON_CODEC
from protocol.from_client import (
    Action,
    AutoMove,
    Create,
    FromClient,
    Hello,
    Join,
    Lock,
    Ready,
    Request,
)


def test_every_message_is_a_request_or_an_action() -> None:
    """A request has a `ref` that its answer echoes, an action its number `n`; none has both."""
    for cls in get_args(FromClient):
        assert issubclass(cls, Request) != issubclass(cls, Action)


def test_every_message_of_a_client_can_be_imported_from_here() -> None:
    """There is one place for all of them, actions and requests to a room included."""
    unions = {"AnyAction", "FromClient", "Query", "RoomRequest"}
    bases = {"Action", "Request"}
    assert {cls.__name__ for cls in get_args(FromClient)} == set(from_client.__all__) - unions - bases


def test_the_shortest_form_of_a_message_has_the_usual_meaning() -> None:
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
