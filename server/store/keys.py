"""Keys and channels of the store. No other module spells a key, except the `:details` of the Redis store.

A store puts its prefix before each of them. The text in braces is the hash tag, which keeps all keys of one
room, or of one leaderboard, in the same slot of a cluster. The docstring of `server.store` has the table.
"""


def data_format() -> str:
    """Return the key of the data format's number; see `server.store.data_format`."""
    return "format"


def clock_log() -> str:
    """Return the key of the log of corrections of the clock that all nodes share."""
    return "clock"


def room_log(code: str) -> str:
    """Return the key of the log of a room's events."""
    return f"{{room:{code}}}:log"


def game_log(code: str, race: int, player: str) -> str:
    """Return the key of the log of one player's actions in one race of a room."""
    return f"{{room:{code}}}:race:{race}:{player}"


def player_log(player: str) -> str:
    """Return the key of a player's log: hashes of the tokens, and that the player has entered a room."""
    return f"player:{player}"


def leaderboard(game_code: str, kind: str) -> str:
    """Return the key of one leaderboard of a game code."""
    return f"{{board:{game_code}:{kind}}}"


def rooms_schedule() -> str:
    """Return the key of the schedule of rooms: when each needs attention, for a deadline or its expiry."""
    return "schedule:rooms"


def projections_schedule() -> str:
    """Return the key of the schedule of finished races whose leaderboards may still have to be written."""
    return "schedule:projections"


def nodes_schedule() -> str:
    """Return the key of the schedule of nodes: until when each has reported that it is alive."""
    return "schedule:nodes"


def node(node_id: str) -> str:
    """Return the key of a node's heartbeat."""
    return f"node:{node_id}"


def inbox(node_id: str) -> str:
    """Return the name of the channel on which a node receives messages of other nodes."""
    return f"inbox:{node_id}"


def is_ours(key: str) -> bool:
    """Return whether a key without its prefix belongs to our data, in this or an earlier format."""
    ours = ("{room:", "{board:", "player:", "schedule:", "agenda:", "node:")
    return key == clock_log() or key.startswith(ours)
