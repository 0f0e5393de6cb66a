"""Addresses and links that people type."""

import pytest

from client_cli.core.addresses import InvalidAddressError, RoomAddress, Server

HOME = Server("ws://localhost:7466")


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("ws://localhost:7466", "ws://localhost:7466"),
        ("ws://localhost", "ws://localhost:7466"),
        ("localhost:9000", "ws://localhost:9000"),
        (" play.example.org ", "ws://play.example.org:7466"),
        ("wss://play.example.org", "wss://play.example.org"),
        ("wss://play.example.org:8443/", "wss://play.example.org:8443"),
        ("ws://[::1]:7466", "ws://[::1]:7466"),
    ],
)
def test_scheme_and_port_of_a_server_are_optional(text: str, url: str) -> None:
    assert Server.parse(text).url == url


@pytest.mark.parametrize(
    "text",
    [
        "http://localhost",
        "ws://",
        "",
        "ws://localhost:99999",
        "ws://localhost:x",
        "ws://a b",
        "ws://u:p@host",
        "ws://h/room",
        "ws://h?x=1",
    ],
)
def test_an_invalid_server_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidAddressError, match=r"ws://localhost:7466"):
        Server.parse(text)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("ktqmx", RoomAddress(HOME, "KTQMX")),
        ("ws://localhost:7466/KTQMX", RoomAddress(HOME, "KTQMX")),
        ("play.example.org/KTQMX", RoomAddress(Server("ws://play.example.org:7466"), "KTQMX")),
        ("wss://play.example.org/ktqmx/", RoomAddress(Server("wss://play.example.org"), "KTQMX")),
    ],
)
def test_a_room_is_given_by_code_or_link(text: str, place: RoomAddress) -> None:
    assert RoomAddress.parse(text, HOME) == place


@pytest.mark.parametrize("text", ["", "K7 QMX", "房間", "ws://localhost:7466/", "ws://localhost:7466/a/b"])
def test_an_invalid_room_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidAddressError, match="KTQMX"):
        RoomAddress.parse(text, HOME)


def test_the_link_of_a_room_parses_to_the_room() -> None:
    place = RoomAddress(Server("wss://play.example.org"), "KTQMX")
    assert RoomAddress.parse(place.server.room_link(place.room), HOME) == place
    assert place.server.socket_url == "wss://play.example.org/ws"
