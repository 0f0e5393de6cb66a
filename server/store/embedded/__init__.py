"""Private Redis-compatible server, for hosts that run none."""

from server.store.embedded.server import EmbeddedRedis
from server.store.embedded.setup import EmbeddedError

__all__ = ["EmbeddedError", "EmbeddedRedis"]
