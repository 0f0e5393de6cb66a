"""Connections to servers, and a local server process."""
