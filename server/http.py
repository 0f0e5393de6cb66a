"""Plain HTTP on the port of the WebSocket: health checks, links to rooms, schemas of the protocol."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from protocol.docs import asyncapi, schema
from server.core.room_codes import ALPHABET, LENGTH, normalize
from server.transport import HttpResponse

_TEXT: Final = "text/plain; charset=utf-8"
_JSON: Final = "application/json"
WELL_KNOWN: Final = "/.well-known/simonrace"
_SCHEMA: Final = f"{WELL_KNOWN}/schema.json"
_ASYNCAPI: Final = f"{WELL_KNOWN}/asyncapi.json"


@cache
def documents() -> dict[str, bytes]:
    """Return the documents under the well-known path, by path: JSON Schema and AsyncAPI."""
    return {_SCHEMA: _json(schema.document()), _ASYNCAPI: _json(asyncapi.document())}


def facts(version: str, limits: Mapping[str, float]) -> bytes:
    """Return the facts about this server for programs; `limits` are those that this server configures."""
    known = asyncapi.facts()
    own = {"limits": known["limits"] | limits}
    return _json({"server": version, "schema": _SCHEMA, "asyncapi": _ASYNCAPI, **known, **own})


class HttpRoutes:
    """Answers GET requests by their path, given without its query.

    `not_ready` returns why the node takes no new connections, or None. `limits` are the node's, by name.
    """

    def __init__(
        self, version: str, not_ready: Callable[[], str | None], limits: Mapping[str, float]
    ) -> None:
        self._not_ready = not_ready
        self._documents = documents() | {WELL_KNOWN: facts(version, limits)}

    def __call__(self, path: str, headers: Mapping[str, str]) -> HttpResponse | None:
        """Return the answer to a path, or None if there is none."""
        if path == "/healthz":
            return _answer(200, "alive\n")
        if path == "/readyz":
            reason = self._not_ready()
            return _answer(200, "ready\n") if reason is None else _answer(503, f"not ready: {reason}\n")
        if path.startswith(WELL_KNOWN):
            document = self._documents.get(path)
            return None if document is None else HttpResponse(200, document, content_type=_JSON)
        room = normalize(path.removeprefix("/"))
        if len(room) == LENGTH and not set(room) - set(ALPHABET):
            host = headers.get("host", "THIS-SERVER")
            scheme = "wss" if headers.get("x-forwarded-proto") == "https" else "ws"
            return _answer(
                200, f"A room of Simon Race. To join it:\n\n    simonrace join {scheme}://{host}/{room}\n"
            )
        return None


def _json(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode()


def _answer(status: int, text: str) -> HttpResponse:
    return HttpResponse(status, text.encode(), content_type=_TEXT)
