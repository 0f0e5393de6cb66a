"""Every request has its answers and errors written down, every answer its moment."""

import pytest

from protocol.errors import ErrorCode
from protocol.exchanges import ANYWHERE, REQUESTS, TOLD, moment
from protocol.from_client import Action
from protocol.from_server import Event
from protocol.schema import CLIENT_CLASSES, SERVER_CLASSES


def test_every_message_of_a_client_has_its_exchange() -> None:
    """A new message needs an entry in `REQUESTS` of protocol/exchanges.py, in the order of the union."""
    assert list(REQUESTS) == list(CLIENT_CLASSES)


def test_every_message_of_a_server_has_its_moment() -> None:
    """A new message needs an entry in `TOLD` of protocol/exchanges.py, in the order of the union."""
    assert list(TOLD) == list(SERVER_CLASSES)


def test_every_answer_is_a_message_that_can_carry_the_number_of_its_question() -> None:
    for name, exchange in REQUESTS.items():
        key = "n" if issubclass(CLIENT_CLASSES[name], Action) else "ref"
        for answer in exchange.answers:
            assert key in SERVER_CLASSES[answer].__struct_fields__


def test_every_answer_with_a_reference_answers_something() -> None:
    answers = {answer for exchange in REQUESTS.values() for answer in exchange.answers}
    with_ref = {name for name, cls in SERVER_CLASSES.items() if "ref" in cls.__struct_fields__}
    assert with_ref - {"error"} <= answers


def test_every_error_can_be_met_somewhere() -> None:
    """A new error code needs to be named at the requests that can meet it."""
    met = {*ANYWHERE, *(code for exchange in REQUESTS.values() for code in exchange.errors)}
    assert sorted(set(ErrorCode) - met) == []


def test_what_can_be_met_anywhere_is_not_repeated() -> None:
    for exchange in REQUESTS.values():
        assert not set(exchange.errors) & set(ANYWHERE)
        assert len(set(exchange.errors)) == len(exchange.errors)


def test_each_message_has_its_moment_and_an_unknown_one_is_a_key_error() -> None:
    assert moment("ping") == REQUESTS["ping"].when
    assert moment("pong") == TOLD["pong"]
    with pytest.raises(KeyError, match="has an entry for wave"):
        moment("wave")


@pytest.mark.parametrize("name", [name for name, cls in SERVER_CLASSES.items() if issubclass(cls, Event)])
def test_an_event_says_that_it_is_one(name: str) -> None:
    assert moment(name).startswith("event: ")
