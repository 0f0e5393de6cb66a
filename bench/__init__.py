"""Measurements: what a move, a message, a commit and a racer cost, ours beside others."""
