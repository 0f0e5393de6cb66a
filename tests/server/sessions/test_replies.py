"""Replies: answers to requests are sent in the order of the requests."""

import pytest

from protocol import from_client as ask
from protocol.errors import ErrorCode
from protocol.from_server import Done, Error, FromServer
from server.sessions.replies import Replies, error_for


@pytest.fixture
def sent() -> list[FromServer]:
    return []


@pytest.fixture
def replies(sent: list[FromServer]) -> Replies:
    return Replies(sent.append)


def test_an_answer_waits_for_those_of_earlier_requests(replies: Replies, sent: list[FromServer]) -> None:
    """Then all that can be sent are sent at once."""
    first, second, third = (replies.expect(ask.Ping(ref=ref)) for ref in (1, 2, 3))
    third.send(Done(ref=3))
    second.send(Done(ref=2))
    assert (sent, len(replies)) == ([], 3)
    first.send(Done(ref=1))
    assert sent == [Done(ref=1), Done(ref=2), Done(ref=3)]
    assert len(replies) == 0


def test_an_error_takes_the_place_of_an_answer(replies: Replies, sent: list[FromServer]) -> None:
    """It repeats the reference and the type of its request."""
    first = replies.expect(ask.Leave(ref=1))
    replies.expect(ask.Ping(ref=2)).send(Done(ref=2))
    first.error(ErrorCode.NOT_IN_ROOM)
    error = sent[0]
    assert isinstance(error, Error)
    assert (error.ref, error.request, error.code) == (1, "leave", ErrorCode.NOT_IN_ROOM)
    assert error.text == ErrorCode.NOT_IN_ROOM.sentence
    assert sent[1] == Done(ref=2)


def test_what_is_to_be_done_next_waits_for_earlier_answers(replies: Replies, sent: list[FromServer]) -> None:
    """It is done once, and at once if there is nothing to wait for."""
    done: list[int] = []
    first, second, third = (replies.expect(ask.Ping(ref=ref)) for ref in (1, 2, 3))
    second.when_next(lambda: done.append(2))
    third.when_next(lambda: done.append(3))
    assert done == []
    first.when_next(lambda: done.append(1))
    assert done == [1]
    first.send(Done(ref=1))
    assert done == [1, 2]
    second.send(Done(ref=2))
    third.send(Done(ref=3))
    assert done == [1, 2, 3]
    assert sent == [Done(ref=1), Done(ref=2), Done(ref=3)]


def test_what_is_done_next_may_answer(replies: Replies, sent: list[FromServer]) -> None:
    """Also several in a row."""
    first, second, third = (replies.expect(ask.Ping(ref=ref)) for ref in (1, 2, 3))
    second.when_next(lambda: second.send(Done(ref=2)))
    third.when_next(lambda: third.send(Done(ref=3)))
    first.send(Done(ref=1))
    assert sent == [Done(ref=1), Done(ref=2), Done(ref=3)]


@pytest.mark.parametrize(
    ("message", "request_", "race", "n"),
    [
        (None, None, None, None),
        (ask.Undo(race=3, n=7), "undo", 3, 7),
        (ask.GetRecord(ref=9, race=2), "get_record", 2, None),
    ],
)
def test_an_error_repeats_what_identifies_its_message(
    message: ask.FromClient | None, request_: str | None, race: int | None, n: int | None
) -> None:
    """And says whether the request may succeed later."""
    error = error_for(message, ErrorCode.STORE_UNAVAILABLE, "for now")
    assert (error.request, error.race, error.n) == (request_, race, n)
    assert error.text == f"{ErrorCode.STORE_UNAVAILABLE.sentence} (for now)"
    assert error.temporary is True
    assert error_for(message, ErrorCode.NOT_HOST).temporary is False
