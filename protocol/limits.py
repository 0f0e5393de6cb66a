"""Every limit of the protocol: a number with its unit, and what happens beyond it."""

from typing import Final

MESSAGE_BYTES: Final = 16 * 1024
"""Size of a message from a client. A larger one closes the connection with 1009."""

HELLO_SECONDS: Final = 10.0
"""Time from the handshake to `hello`. A connection without `hello` is then closed with 4004."""

MESSAGES_PER_SECOND: Final = 20.0
"""Refill rate of a connection's token bucket. Every message takes one token."""

MESSAGE_BURST: Final = 60
"""Size of the token bucket. Without a token a message gets `rate_limited`; many of those close with 4005."""

REFUSED_COST: Final = 3
"""Tokens that a refused action, a bad message or a failed request takes instead of one."""

ROOM_EVENT_COST: Final = 2
"""Tokens that a request takes whose event goes to the whole room: `chat`, `ready` and those of the host."""

WHOLE_FLOATS_COST: Final = 1
"""Extra tokens of a message whose integers are written as floats, such as `1.0`."""

REREAD_PER_TOKEN: Final = 500
"""Actions per extra token: an accepted action `n` that is sent again costs `n` / 500 extra tokens."""

NAME_LENGTH: Final = 24
"""Characters of a name after normalization. A longer one gets `bad_name`."""

PASSWORD_LENGTH: Final = 64
"""Characters of a room's password. A longer one gets `bad_message`."""

CHAT_LENGTH: Final = 300
"""Characters of a line of chat. A longer one gets `bad_message`."""

CLIENT_LENGTH: Final = 64
"""Characters of the client's name and version in `hello`. A longer text gets `bad_message`."""

WHOLE_STANDINGS: Final = 40
"""Largest race whose `standings` have every row. Larger ones: the first ten, and those around one's own."""

RACE_ACTIONS: Final = 20_000
"""Accepted actions of one racer in one race. More are refused with `too_many_actions`."""

UNDO_MOVES: Final = 100
"""Moves that can be undone: the last ones. More are refused with `nothing_to_undo`."""

FORFEIT_UNDO_SECONDS: Final = 10.0
"""Time in which `undo` undoes a forfeit. Later it is refused with `forfeited`."""

ROOM_MEMBERS: Final = 1_000
"""Largest value of `max_members`."""

ROOM_EVENTS: Final = 50_000
"""Entries of a room's log after which requests get `room_log_full`. Members can return up to twice that."""

ROOM_CHAT: Final = 1_000_000
"""Characters of chat in one room. More get `chat_limit_reached`."""

COUNTDOWN_SECONDS: Final = 60
"""Largest value of `countdown_s`."""

TIME_LIMIT_SECONDS: Final = 24 * 60 * 60
"""Largest value of `time_limit_s`."""

STANDINGS_MS: Final = 50
"""Shortest time between two `standings` of a room. Only the latest are sent."""

LEADERBOARD_ROWS: Final = 20
"""Rows of each leaderboard that is sent."""

ROOMS_PER_HOUR: Final = 60.0
"""Rooms that one address can create in an hour. More get `too_many_rooms`."""

ROOMS_BURST: Final = 20
"""Rooms that one address can create at once."""

PLAYERS_PER_HOUR: Final = 600.0
"""New identities for one address in an hour. More get `too_many_players`."""

PLAYERS_BURST: Final = 200
"""New identities for one address at once."""

NEWCOMER_HOURS: Final = 24
"""Time from the last `hello` until an identity that has never entered a room is deleted."""

PASSWORD_TRIES: Final = 20
"""Wrong passwords for one room from one address at once. More get `too_many_tries`."""

PASSWORD_TRIES_PER_MINUTE: Final = 10.0
"""Wrong passwords for one room from one address in a minute, on average."""

LEADERBOARD_SUBSCRIPTIONS: Final = 20
"""Game codes whose leaderboards one connection can subscribe to. More get `too_many_subscriptions`."""
