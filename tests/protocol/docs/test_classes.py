"""What classes say about themselves: every field, value and message is described where it is defined."""

from collections.abc import Iterator
from enum import Enum
from typing import Annotated

import msgspec
import pytest
from msgspec import Meta, Struct

from protocol.actions import Action
from protocol.base import COMMON_ERRORS, Event
from protocol.described import Described
from protocol.docs import classes
from protocol.docs.classes import CLASSES, CLIENT_CLASSES, SERVER_CLASSES, fields, moment, shared
from protocol.errors import ErrorCode


def texts() -> Iterator[str]:
    for cls in (*CLASSES.values(), *shared().values()):
        if issubclass(cls, Struct):
            yield from (field.description for field in fields(cls))
        elif issubclass(cls, Described):
            yield from (each.description for each in cls)


def test_client_and_server_share_one_name_space_of_types() -> None:
    """A log of both sides is unambiguous."""
    assert len(CLASSES) == len(CLIENT_CLASSES) + len(SERVER_CLASSES)


@pytest.mark.parametrize("name", CLASSES)
def test_every_field_of_a_message_has_a_description(name: str) -> None:
    assert all(field.description for field in fields(CLASSES[name]))


@pytest.mark.parametrize("name", shared())
def test_every_field_or_value_of_a_shared_object_has_a_description(name: str) -> None:
    cls = shared()[name]
    if issubclass(cls, Struct):
        assert all(field.description for field in fields(cls))
    else:
        assert issubclass(cls, Described)
        assert all(each.description for each in cls)


def test_a_field_without_a_description_is_a_value_error() -> None:
    class Careless(Struct):
        colour: str

    with pytest.raises(ValueError, match=r"Careless\.colour has no description"):
        list(fields(Careless))


def test_a_description_is_found_wherever_the_annotation_has_it() -> None:
    text = Annotated[int, Meta(description="x")]
    kinds = [text, text | None, Annotated[int | None, Meta(description="x")], Annotated[text, Meta(ge=1)]]
    for kind in kinds:
        assert classes.description(msgspec.inspect.type_info(kind)) == "x"
    assert classes.description(msgspec.inspect.type_info(list[int])) == ""


def test_descriptions_fit_into_a_cell_of_a_table() -> None:
    for text in texts():
        assert "\n" not in text
        assert "|" not in text
        assert text.endswith("...") or not text.endswith(".")


def test_every_message_has_a_docstring_of_its_own() -> None:
    """It is the first thing that the reference says about a message."""
    docs = [cls.__doc__ for cls in CLASSES.values()]
    assert all(docs)
    assert len(set(docs)) == len(docs)


@pytest.mark.parametrize("name", CLASSES)
def test_every_message_says_when_it_is_sent(name: str) -> None:
    assert moment(name)


def test_an_answer_without_a_moment_names_the_requests_that_it_answers() -> None:
    assert moment("welcome") == "answer to `hello`"
    assert moment("room") == "answer to `create` and `join`"


@pytest.mark.parametrize("name", [name for name, cls in SERVER_CLASSES.items() if issubclass(cls, Event)])
def test_the_moment_of_an_event_starts_with_event(name: str) -> None:
    assert moment(name).startswith("event: ")


def test_every_request_has_answers_that_echo_what_ties_them_to_it() -> None:
    for cls in CLIENT_CLASSES.values():
        assert cls.answers
        keys = {"race", "n"} if issubclass(cls, Action) else {"ref"}
        assert all(keys <= set(answer.__struct_fields__) for answer in cls.answers)


def test_every_message_with_a_reference_answers_a_request() -> None:
    answers = {answer for cls in CLIENT_CLASSES.values() for answer in cls.answers}
    with_ref = {
        cls for name, cls in SERVER_CLASSES.items() if "ref" in cls.__struct_fields__ and name != "error"
    }
    assert with_ref <= answers


def test_every_error_can_occur_somewhere() -> None:
    """A new error code needs to be named at the requests that can get it."""
    named = {*COMMON_ERRORS, *(code for cls in CLIENT_CLASSES.values() for code in cls.errors)}
    assert sorted(set(ErrorCode) - named) == []


def test_errors_that_any_request_can_get_are_not_repeated() -> None:
    for cls in CLIENT_CLASSES.values():
        assert not set(cls.errors) & set(COMMON_ERRORS)
        assert len(set(cls.errors)) == len(cls.errors)


def test_the_shared_classes_are_those_within_messages_in_the_order_of_the_alphabet() -> None:
    assert list(shared()) == sorted(shared())
    assert {"Settings", "Phase", "Entry", "ActionKind"} <= shared().keys()
    assert all(issubclass(cls, Struct | Enum) for cls in shared().values())
