"""Which protocol this is: its major version and the WebSocket subprotocols that carry it."""

from typing import Final

VERSION: Final = 1
"""Major version. It changes only when an older client could no longer take part."""

MSGPACK: Final = f"simonrace.v{VERSION}.msgpack"
JSON: Final = f"simonrace.v{VERSION}.json"

SUBPROTOCOLS: Final = (MSGPACK, JSON)
"""What a server offers, the one it prefers first."""
