"""Checks of a server."""
