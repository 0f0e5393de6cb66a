"""Where everything that must outlive a process is kept.

Each key has the store's prefix in front, `simonrace:` unless configured otherwise.

| key | kind | holds | goes |
|---|---|---|---|
| `{room:CODE}:log` | list | ordered events of a room | when the room expires |
| `{room:CODE}:race:N:PLAYER` | list | one player's actions in race N, number = place | with the room |
| `player:PLAYER` | list | what is known of a player | when the player stays away for too long |
| `{board:GAME:KIND}` | sorted set | leaderboard: the best, member and value | when long unchanged |
| `{board:GAME:KIND}:details` | hash | leaderboard: member and detail of the value | with the board |
| `agenda:rooms` | sorted set | room code and when it must be looked at | never |
| `agenda:projections` | sorted set | finished race and when to look whether it is on the boards | never |
| `agenda:nodes` | sorted set | node and until when it has shown that it lives | never |
| `node:NODE` | string | a node's sign of life | by itself, when the node stops |

Channels: `inbox:NODE`, one for each node. `keys` spells all of these but the details, which are the business
of the Redis store alone.
"""
