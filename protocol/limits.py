"""Every limit of the protocol, as a number with its unit; what breaks one is said beside it."""

from typing import Final

MESSAGE_BYTES: Final = 16 * 1024
"""Largest message from a client; a larger one closes the connection with 1009."""

HELLO_SECONDS: Final = 10.0
"""Time for `hello` after the handshake; then the connection is closed with 4004."""

MESSAGES_PER_SECOND: Final = 20.0
"""Refill of a connection's token bucket; every message takes one token."""

MESSAGE_BURST: Final = 60
"""Size of the token bucket; an empty one answers `too_fast`, and staying there closes with 4005."""

REFUSED_COST: Final = 3
"""Tokens that a refused action, a bad message or a failed request costs instead of one."""

ROOM_EVENT_COST: Final = 2
"""Tokens that a request to a room costs, of which all in it hear: `say`, `ready` and what a host asks."""

REREAD_PER_TOKEN: Final = 500
"""Sent again, an action that was accepted costs a token more for so many that were made before it."""

NAME_LENGTH: Final = 24
"""Characters of a name after normalization; see `bad_name`."""

PASSWORD_LENGTH: Final = 64
"""Characters of a room's password; a longer one is a `bad_message`."""

CHAT_LENGTH: Final = 300
"""Characters of a chat line; a longer one is a `bad_message`."""

CLIENT_LENGTH: Final = 64
"""Characters of the client's name and version in `hello`."""

WHOLE_STANDINGS: Final = 40
"""Racers up to whom `standings` have all rows; of more there are the first ten and those around one's own."""

RACE_ACTIONS: Final = 20_000
"""Actions that one racer may make in one race; then `too_many_actions` refuses more."""

UNDO_ACTIONS: Final = 100
"""Actions that can be taken back, the last ones."""

FORFEIT_UNDO_SECONDS: Final = 10.0
"""Time in which `undo` takes a forfeit back."""

ROOM_MEMBERS: Final = 1_000
"""Most people in one room, whatever its `seats` say."""

ROOM_EVENTS: Final = 50_000
"""Events of one room; then `room_used_up` refuses what is new. Its people may come back until twice that."""

ROOM_CHAT: Final = 1_000_000
"""Characters that are said in one room; then `chat_used_up` refuses more, and all else goes on."""

COUNTDOWN_SECONDS: Final = 60
"""Longest countdown of a room."""

TIME_LIMIT_SECONDS: Final = 24 * 60 * 60
"""Longest time limit of a race."""

STANDINGS_MS: Final = 50
"""Standings of one room are sent at most this often, the latest only."""

LEADERBOARD_ROWS: Final = 20
"""Rows of each leaderboard that is sent."""

ROOMS_PER_HOUR: Final = 60.0
"""Rooms that one address may open in an hour; more answer `too_many_rooms`."""

ROOMS_BURST: Final = 20
"""Rooms that one address may open at once."""

PLAYERS_PER_HOUR: Final = 600.0
"""New identities that one address may get in an hour; more answer `too_many_players`."""

PLAYERS_BURST: Final = 200
"""New identities that one address may get at once."""

NEWCOMER_HOURS: Final = 24
"""Time after its last `hello` when an identity is forgotten that never came into a room."""

PASSWORD_TRIES: Final = 20
"""Wrong passwords for one room that one address may try at once; more answer `too_many_tries`."""

PASSWORD_TRIES_PER_MINUTE: Final = 10.0
"""The same in a minute, in the long run."""

LEADERBOARD_SUBSCRIPTIONS: Final = 20
"""Game codes whose leaderboards one connection may follow; more answer `too_many_followed`."""
