"""Recorded conversations of clients, and what plays them again: see `record` and `replay`."""
