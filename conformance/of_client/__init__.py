"""Checks of a client."""
