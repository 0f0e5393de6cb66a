"""Storage of everything that must outlive a process.

Each key begins with the store's prefix, `simonrace:` unless configured otherwise.

| key | kind | content | removed |
|---|---|---|---|
| `format` | string | number of the data format, see `data_format` | never |
| `clock` | list | corrections of the clock that all nodes share | never |
| `{room:CODE}:log` | list | ordered events of a room | when the room expires |
| `{room:CODE}:race:N:PLAYER` | list | one player's actions in race N, number = place | with the room |
| `player:PLAYER` | list | token hashes of a player, first room entered | when the player is away too long |
| `{board:GAME:KIND}` | sorted set | leaderboard: best values, member and value | when long unchanged |
| `{board:GAME:KIND}:details` | hash | leaderboard: member and detail of the value | with the leaderboard |
| `schedule:rooms` | sorted set | room code and time when it needs attention | never |
| `schedule:projections` | sorted set | finished race and time to check its leaderboards | never |
| `schedule:nodes` | sorted set | node and time until which it is known to be alive | never |
| `node:NODE` | string | heartbeat of a node | by expiry, after the node's last heartbeat |

Channels: `inbox:NODE`, one for each node. `keys` spells all of these but `:details`, which only the Redis
store uses.
"""
