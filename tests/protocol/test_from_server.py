"""What a server says: events, answers, and how they are told apart."""

from typing import get_args

from protocol.from_server import Event, FromServer, Message, RoomEvent
from protocol.schema import SERVER_CLASSES


def test_the_events_of_a_room_are_the_messages_with_a_place_in_its_log() -> None:
    """A client can tell an event by its `seq`, except in the two answers that set where it stands."""
    with_seq = {name for name, cls in SERVER_CLASSES.items() if "seq" in cls.__struct_fields__}
    events = {name for name, cls in SERVER_CLASSES.items() if issubclass(cls, Event)}
    assert with_seq - events == {"room", "resumed"}
    assert {SERVER_CLASSES[name] for name in events} == set(get_args(RoomEvent))


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
