"""A running race on a node: its racers' games, its standings and its end."""
