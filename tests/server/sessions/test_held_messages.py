"""Messages that wait for an earlier request: which one is handled next."""

from protocol.from_client import GetGame, Ping, Undo
from server.sessions.held_messages import HeldMessages
from server.sessions.replies import Replies

REPLY = Replies(lambda _: None).expect(Ping())
FIRST, SECOND, ACTION = Ping(ref=1), GetGame(ref=2), Undo(race=1, n=1)


def held() -> HeldMessages:
    """Two requests, and an action between them."""
    messages = HeldMessages()
    for message, reply in ((FIRST, REPLY), (ACTION, None), (SECOND, REPLY)):
        messages.append(message, reply)
    return messages


def test_messages_are_taken_in_the_order_in_which_they_came() -> None:
    messages = held()
    assert [messages.take() for _ in range(4)] == [(FIRST, REPLY), (ACTION, None), (SECOND, REPLY), None]
    assert len(messages) == 0


def test_while_all_are_held_nothing_is_taken() -> None:
    messages = held()
    messages.hold_all()
    assert messages.take() is None
    messages.resume()
    assert messages.take() == (FIRST, REPLY)


def test_an_action_does_not_wait_for_a_request_that_only_reads() -> None:
    messages = held()
    messages.hold_requests()
    assert messages.take() == (ACTION, None)
    assert messages.take() is None
    messages.resume()
    assert messages.take() == (FIRST, REPLY)


def test_nothing_is_taken_after_the_connection_has_ended() -> None:
    messages = held()
    messages.clear()
    assert messages.take() is None
