"""Base classes of messages. A class says when its message is sent; a request, also what can answer it."""

from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct

from protocol import limits
from protocol.errors import ErrorCode as E

POSITIVE: Final = Meta(ge=1, lt=2**31)
"""Bounds of a number that a client sends and that counts from 1."""

Id = Annotated[str, Meta(min_length=1, max_length=64)]
Code = Annotated[str, Meta(max_length=64)]
Password = Annotated[str, Meta(min_length=1, max_length=limits.PASSWORD_LENGTH)]

COMMON_ERRORS: Final = (
    E.UNDECODABLE,
    E.BAD_MESSAGE,
    E.UNKNOWN_TYPE,
    E.HELLO_REQUIRED,
    E.RATE_LIMITED,
    E.BUSY,
)
"""Errors that any request can get. An action gets only the first four; for the others it is `refused`."""

IN_ROOM_ERRORS: Final = (E.NOT_IN_ROOM, E.STORE_UNAVAILABLE)
"""Errors of every request that needs a room."""

HOST_ERRORS: Final = (*IN_ROOM_ERRORS, E.NOT_HOST)
"""Errors of every request that only the host can make."""


class Message(Struct, frozen=True, tag_field="type", kw_only=True, omit_defaults=True):
    """Base of all messages from the server. One without `when` is sent only as an answer to a request."""

    when: ClassVar[str] = ""


class Event(Message, frozen=True, kw_only=True):
    """Base of all events of a room: the place in the room's log."""

    when = "event: to everybody in the room"

    seq: Annotated[int, Meta(description="place of the event in the room's log")]


class Request(Struct, frozen=True, tag_field="type", kw_only=True, omit_defaults=True):
    """Base of all requests except actions: a reference that the answer echoes."""

    when: ClassVar[str]
    answers: ClassVar[tuple[type[Message], ...]]
    errors: ClassVar[tuple[E, ...]] = ()
    """Errors beyond `COMMON_ERRORS`."""

    ref: Annotated[int, Meta(ge=0, lt=2**31, description="number that the answer echoes; 0 is like none")] = 0
