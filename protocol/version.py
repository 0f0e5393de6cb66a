"""The major version of the protocol, and the WebSocket subprotocols that carry it."""

from typing import Final

VERSION: Final = 1
"""Major version. It changes only when older clients could not take part any more."""

MSGPACK: Final = f"simonrace.v{VERSION}.msgpack"
JSON: Final = f"simonrace.v{VERSION}.json"

SUBPROTOCOLS: Final = (MSGPACK, JSON)
"""The subprotocols that a server supports."""
