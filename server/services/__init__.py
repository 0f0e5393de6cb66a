"""Services of a node: identities, leaderboards, records, finished races, deals, the other nodes."""
