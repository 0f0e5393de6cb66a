"""The bases of messages: what a class says about itself is no field of the message."""

import pytest

from protocol.base import HOST_ERRORS, IN_ROOM_ERRORS, Event, Request
from protocol.docs.classes import CLASSES
from protocol.from_client import Ping
from protocol.from_server import Done


@pytest.mark.parametrize("name", CLASSES)
def test_when_answers_and_errors_are_never_on_the_wire(name: str) -> None:
    assert not {"when", "answers", "errors"} & set(CLASSES[name].__struct_fields__)


def test_the_shared_fields_are_these() -> None:
    assert (Request.__struct_fields__, Event.__struct_fields__) == (("ref",), ("seq",))


def test_each_group_of_errors_contains_the_one_before() -> None:
    assert set(IN_ROOM_ERRORS) < set(HOST_ERRORS)


def test_a_message_cannot_be_changed() -> None:
    """Decisions and answers pass messages on; nobody may change them underway."""
    for message in (Ping(ref=1), Done(ref=1)):
        with pytest.raises(AttributeError):
            message.ref = 2  # type: ignore[misc]
