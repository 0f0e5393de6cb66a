"""Measurements of the cost of a move, a message, a commit and a racer, compared with other servers."""
