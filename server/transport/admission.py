"""Admission: whether a client may open a TCP connection or a WebSocket connection."""

from http import HTTPStatus
from typing import Final

from websockets.datastructures import Headers

from server.transport.addresses import is_trusted
from server.transport.connection_registry import ConnectionRegistry
from server.transport.handshake import WEBSOCKET_PATHS
from server.transport.origin import origin_allowed, refused_origin_text, shown
from server.transport.responses import HttpResponse, text_response
from server.transport.settings import ListenerSettings
from server.transport.stats import Refused

_RETRY_AFTER: Final = ("Retry-After", "5")
"""Nobody knows when other clients leave; the delay only keeps a client from retrying at once."""


def opening_refusal(peer: str, settings: ListenerSettings, registry: ConnectionRegistry) -> Refused | None:
    """Return why a TCP connection that was just added to the registry must be aborted, or None."""
    limits = settings.limits
    if registry.draining:
        return Refused.DRAINING
    if len(registry.openings) > limits.max_handshakes:
        return Refused.TOO_MANY_HANDSHAKES
    many = registry.openings_from(peer) > limits.handshakes_per_address
    if many and not is_trusted(peer, settings.trusted_proxies):
        return Refused.TOO_MANY_HANDSHAKES
    return None


def upgrade_refusal(
    path: str, headers: Headers, address: str, settings: ListenerSettings, registry: ConnectionRegistry
) -> tuple[Refused, HttpResponse] | None:
    """Return why a client may not open a WebSocket connection, and the response, or None.

    A request that passes all other checks is charged to the quota of its address.
    """
    limits = settings.limits
    if path not in WEBSOCKET_PATHS:
        text = f"The WebSocket endpoint is {' or '.join(sorted(WEBSOCKET_PATHS))}."
        return Refused.NOT_FOUND, text_response(HTTPStatus.NOT_FOUND, text)
    origins, hosts = headers.get_all("Origin"), headers.get_all("Host")
    if not origin_allowed(origins, hosts, settings.origins):
        settings.on_refused_origin(shown(origins), shown(hosts))
        text = refused_origin_text(origins, hosts)
        return Refused.ORIGIN, text_response(HTTPStatus.FORBIDDEN, text)
    if len(registry.connections) >= limits.max_connections:
        text = "The server is full; try again later."
        return Refused.TOO_MANY, text_response(HTTPStatus.SERVICE_UNAVAILABLE, text, _RETRY_AFTER)
    if registry.connections_from(address) >= limits.connections_per_address:
        text = f"There are {limits.connections_per_address} connections from your address; close one first."
        return Refused.TOO_MANY_OF_ADDRESS, text_response(HTTPStatus.TOO_MANY_REQUESTS, text, _RETRY_AFTER)
    if not registry.allow_open(address, settings.clock()):
        text = "Your address opens connections too fast; try again later."
        return Refused.TOO_FAST_OF_ADDRESS, text_response(HTTPStatus.TOO_MANY_REQUESTS, text, _RETRY_AFTER)
    return None
