"""Plain HTTP: health, a room's page, and the protocol for machines."""

import json

from protocol.docs import asyncapi, schema
from server.http import WELL_KNOWN, HttpRoutes


def get(path: str, not_ready: str | None = None, **headers: str) -> tuple[int, str] | None:
    answer = HttpRoutes("9.9.9", lambda: not_ready, {"message_burst": 7})(
        path, {"host": "race.example:7466"} | headers
    )
    return None if answer is None else (answer.status, answer.body.decode())


def test_a_living_server_is_healthy_even_when_it_is_not_ready() -> None:
    """A service manager must not restart a server that only waits for its store."""
    assert get("/healthz", "the store is away") == (200, "alive\n")


def test_a_server_that_is_not_ready_says_why() -> None:
    """Nobody is sent here by a proxy, and its host reads the reason."""
    assert get("/readyz") == (200, "ready\n")
    assert get("/readyz", "draining") == (503, "not ready: draining\n")


def test_a_room_s_link_tells_what_to_type() -> None:
    """Somebody who opens the link in a browser is not lost; the code may be in any case."""
    page = (200, "A room of Simon Race. To join it:\n\n    simonrace join ws://race.example:7466/BCDFG\n")
    assert get("/BCDFG") == page
    assert get("/bcdfg") == page


def test_a_room_s_link_behind_a_proxy_with_tls_is_a_secure_one() -> None:
    """The proxy says how the friend came; the server itself sees plain HTTP."""
    _, page = get("/BCDFG", **{"x-forwarded-proto": "https", "host": "race.example"}) or (0, "")
    assert "simonrace join wss://race.example/BCDFG" in page


def test_other_paths_have_no_answer() -> None:
    """They are not found, and nothing of the path comes back."""
    assert [get(path) for path in ("/", "/AEIOU", "/BCDFGH", f"{WELL_KNOWN}/else", "/favicon.ico")] == [
        None
    ] * 5


def test_the_protocol_is_served_for_machines() -> None:
    """A client author finds versions, limits and features, and from there schema and AsyncAPI.

    A limit that the host has changed is there as it is on this server.
    """
    facts = json.loads((get(WELL_KNOWN) or (0, ""))[1])
    known = asyncapi.facts()
    assert facts == {
        "server": "9.9.9",
        "schema": f"{WELL_KNOWN}/schema.json",
        "asyncapi": f"{WELL_KNOWN}/asyncapi.json",
        **known,
        "limits": {**known["limits"], "message_burst": 7},
    }
    assert json.loads((get(facts["schema"]) or (0, ""))[1]) == schema.document()
    assert json.loads((get(facts["asyncapi"]) or (0, ""))[1]) == asyncapi.document()
