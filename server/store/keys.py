"""The names under which everything is kept: the only place that spells a key.

A store puts its prefix before each of them. What stands in braces is the hash tag, which puts all keys of one
room, or of one board, in the same place of a cluster. The docstring of `server.store` has the table.
"""


def room_log(code: str) -> str:
    """Name the log of a room's ordered events."""
    return f"{{room:{code}}}:log"


def game_log(code: str, race: int, player: str) -> str:
    """Name the log of one player's actions in one race of a room."""
    return f"{{room:{code}}}:race:{race}:{player}"


def player_log(player: str) -> str:
    """Name the log of what is known of a player: since when, and the hash of the token."""
    return f"player:{player}"


def board(game_code: str, kind: str) -> str:
    """Name a leaderboard of one game code."""
    return f"{{board:{game_code}:{kind}}}"


def rooms_agenda() -> str:
    """Name the agenda of rooms that must be looked at: deadlines of races, rooms to expire."""
    return "agenda:rooms"


def projections_agenda() -> str:
    """Name the agenda of finished races whose leaderboards may still have to be written."""
    return "agenda:projections"


def nodes_agenda() -> str:
    """Name the agenda of nodes: each with the time until which it has shown that it lives."""
    return "agenda:nodes"


def node(node_id: str) -> str:
    """Name a node's sign of life."""
    return f"node:{node_id}"


def inbox(node_id: str) -> str:
    """Name the channel on which a node receives what other nodes tell it."""
    return f"inbox:{node_id}"
