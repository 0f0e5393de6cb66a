"""What the demo's tests need of the client's."""

from clienttest import columns, lobby, race_started, racing, room, standings, told

__all__ = ["columns", "lobby", "race_started", "racing", "room", "standings", "told"]
