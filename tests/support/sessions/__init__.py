"""Recorded sessions of clients: `record` writes them, `replay` plays them against a server."""
