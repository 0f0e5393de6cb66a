"""Requests that change a room: answered by `done`; those of the host say so."""

from typing import get_args

from protocol.answers import Done
from protocol.base import IN_ROOM_ERRORS, Request
from protocol.errors import ErrorCode
from protocol.room_requests import CancelCountdown, Configure, Kick, Lock, RoomRequest, StartCountdown


def test_every_one_is_a_request_of_a_member_that_is_answered_by_done() -> None:
    for cls in get_args(RoomRequest):
        assert issubclass(cls, Request)
        assert cls.answers == (Done,)
        assert set(IN_ROOM_ERRORS) < set(cls.errors)


def test_the_requests_of_the_host_are_these() -> None:
    of_host = {cls for cls in get_args(RoomRequest) if ErrorCode.NOT_HOST in cls.errors}
    assert of_host == {StartCountdown, CancelCountdown, Configure, Lock, Kick}
