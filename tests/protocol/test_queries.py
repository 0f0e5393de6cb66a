"""Requests that only read: none of them changes a room."""

from typing import get_args

from protocol.base import Request
from protocol.errors import ErrorCode
from protocol.queries import Query
from protocol.room_requests import RoomRequest


def test_they_are_requests_and_none_changes_a_room() -> None:
    assert all(issubclass(cls, Request) for cls in get_args(Query))
    assert not set(get_args(Query)) & set(get_args(RoomRequest))


def test_none_can_fail_because_a_log_is_full() -> None:
    for cls in get_args(Query):
        assert not {ErrorCode.ROOM_LOG_FULL, ErrorCode.CHAT_LIMIT_REACHED} & set(cls.errors)
