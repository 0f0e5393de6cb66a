"""Fixtures of the client's tests for the demo's."""

from clienttest import columns, folded, lobby, race_started, racing, room, standings

__all__ = ["columns", "folded", "lobby", "race_started", "racing", "room", "standings"]
