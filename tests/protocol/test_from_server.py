"""What a server says: answers, and how they are told apart from events."""

from typing import get_args

from protocol import from_server
from protocol.from_server import Event, FromServer, Message, RoomEvent
from protocol.schema import SERVER_CLASSES


def test_whatever_a_server_says_has_its_name_here() -> None:
    """Whoever reads or writes messages has one place for all of them, the events of a room included."""
    assert {cls.__name__ for cls in get_args(FromServer)} == set(from_server.__all__) - {
        "Event",
        "FromServer",
        "Message",
        "RoomEvent",
    }
    assert set(get_args(RoomEvent)) < set(get_args(FromServer))


def test_an_answer_carries_a_reference_and_an_event_does_not() -> None:
    for cls in get_args(FromServer):
        assert issubclass(cls, Message)
        assert not (issubclass(cls, Event) and "ref" in cls.__struct_fields__)


def test_the_answers_that_carry_a_reference_are_these() -> None:
    """Whoever adds an answer says here, and in protocol/exchanges.py, to what it is one."""
    assert sorted(name for name, cls in SERVER_CLASSES.items() if "ref" in cls.__struct_fields__) == [
        "board",
        "done",
        "error",
        "game",
        "leaderboard",
        "pong",
        "record",
        "resumed",
        "room",
        "welcome",
    ]
