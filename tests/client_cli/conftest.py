"""The fixtures that the client's tests share."""

from clienttest import (
    columns,
    glass,
    lobby,
    make_glass,
    on_the_wire,
    race_started,
    racing,
    room,
    standings,
    told,
)

__all__ = [
    "columns",
    "glass",
    "lobby",
    "make_glass",
    "on_the_wire",
    "race_started",
    "racing",
    "room",
    "standings",
    "told",
]
