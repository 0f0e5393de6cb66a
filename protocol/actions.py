"""Actions of a racer: the messages that change a game. Each is numbered and names its race."""

from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct, field

from protocol.base import POSITIVE, Message
from protocol.errors import ErrorCode
from protocol.fields import ActionNumber, CardCount, RaceNumber, SourceColumn, TargetColumn
from protocol.race_messages import Accepted, Refused

_SMALL: Final = Meta(ge=0, lt=100)
"""Bounds of columns and cards. An impossible value within them is `refused`, beyond them a `bad_message`."""


class Action(Struct, frozen=True, tag_field="type", kw_only=True, omit_defaults=True):
    """Base of a racer's actions: the race that the action belongs to and its number in the racer's log."""

    when: ClassVar[str] = "in a race that the client takes part in"
    answers: ClassVar[tuple[type[Message], ...]] = (Accepted, Refused)
    errors: ClassVar[tuple[ErrorCode, ...]] = ()

    race: Annotated[RaceNumber, POSITIVE]
    n: Annotated[ActionNumber, POSITIVE]


class Move(Action, frozen=True, kw_only=True, tag="move"):
    """Move the last `cards` cards of a column to another column."""

    source: Annotated[SourceColumn, _SMALL] = field(name="from")
    target: Annotated[TargetColumn, _SMALL] = field(name="to")
    cards: Annotated[CardCount, _SMALL]


class AutoMove(Action, frozen=True, kw_only=True, tag="auto_move"):
    """Move the group at the end of a column to the best column, like a double click."""

    source: Annotated[SourceColumn, _SMALL] = field(name="from")
    cards: Annotated[int, _SMALL, Meta(description="how many cards; absent for the whole group")] | None = (
        None
    )


class Undo(Action, frozen=True, kw_only=True, tag="undo"):
    """Undo the last move; within 10 seconds after `forfeit`, undo the forfeit."""


class Restart(Action, frozen=True, kw_only=True, tag="restart"):
    """Reset board, score, moves and undo history to the start of the deal. The race time goes on."""


class Forfeit(Action, frozen=True, kw_only=True, tag="forfeit"):
    """Forfeit the race."""


AnyAction = Move | AutoMove | Undo | Restart | Forfeit
