"""Where logs and leaderboards are kept: one port, a Redis and an in-memory implementation."""
