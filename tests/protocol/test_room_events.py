"""The events of a room."""

from typing import get_args

from protocol.base import Event
from protocol.docs.classes import SERVER_CLASSES
from protocol.room_events import RoomEvent


def test_the_events_of_a_room_are_the_messages_with_a_place_in_its_log() -> None:
    """A client can tell an event by its `seq`, except in the two answers that set where it stands."""
    with_seq = {name for name, cls in SERVER_CLASSES.items() if "seq" in cls.__struct_fields__}
    events = {name for name, cls in SERVER_CLASSES.items() if issubclass(cls, Event)}
    assert with_seq - events == {"room", "resumed"}
    assert {SERVER_CLASSES[name] for name in events} == set(get_args(RoomEvent))
