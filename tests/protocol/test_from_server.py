"""Messages from the server: answers, and how they differ from events."""

from typing import get_args

from protocol import from_server
from protocol.docs.classes import SERVER_CLASSES
from protocol.from_server import Event, FromServer, Message, RoomEvent


def test_every_message_of_a_server_can_be_imported_from_here() -> None:
    """There is one place for all of them, the events of a room included."""
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
    """A new answer is added here; the requests that it answers name it in `answers`."""
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
