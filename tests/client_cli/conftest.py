"""Fixtures of the client's tests."""

from clienttest import (
    columns,
    folded,
    glass,
    lobby,
    make_glass,
    on_the_wire,
    race_started,
    racing,
    room,
    standings,
)

__all__ = [
    "columns",
    "folded",
    "glass",
    "lobby",
    "make_glass",
    "on_the_wire",
    "race_started",
    "racing",
    "room",
    "standings",
]
