"""Checks of the handshake: subprotocols, paths, origins, extensions."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from conformance.checks import Check
from conformance.errors import CheckFailedError, CheckSkippedError
from conformance.of_server.scripted_client import ScriptedClient, ServerUnderTest, require_equal
from conformance.wire import HandshakeRefusedError, OutgoingConnection
from protocol.version import JSON, MSGPACK

FOREIGN_ORIGIN: Final = "https://strangers.invalid"
"""An origin that nobody owns: a server that accepts it accepts every origin."""

_WEB: Final = {"ws": ("http", 80), "wss": ("https", 443)}


class Handshake:
    """Checks of the handshake and the subprotocols."""

    def __init__(self, server: ServerUnderTest) -> None:
        self.server = server

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        about = "Connecting"
        return (
            Check("the JSON subprotocol is supported", about, lambda: self._speaks(JSON), required=True),
            Check("the MessagePack subprotocol is supported", about, lambda: self._speaks(MSGPACK)),
            Check("of two subprotocols the client's first is selected", about, self._first),
            Check("without a subprotocol, a text frame selects JSON", about, lambda: self._none(JSON)),
            Check(
                "without a subprotocol, a binary frame selects MessagePack",
                about,
                lambda: self._none(MSGPACK),
            ),
            Check("only unknown subprotocols are refused with HTTP 400", about, self._unknown),
            Check("an unknown path is refused with HTTP 404", about, self._path),
            Check("a page of another origin is refused with HTTP 403", about, self._stranger),
            Check("a page of the server's own origin is accepted", about, self._own_page),
            Check("no extension is negotiated", about, self._extensions),
        )

    async def _speaks(self, subprotocol: str) -> None:
        client = await ScriptedClient.connect(self.server, "Ann", subprotocol)
        require_equal(client.connection.subprotocol, subprotocol, "the subprotocol of the answer")
        await client.request("ping", "pong")

    async def _first(self) -> None:
        for offered in ((JSON, MSGPACK), (MSGPACK, JSON), ("simonrace.v99.json", JSON)):
            wanted = next(each for each in offered if each in (JSON, MSGPACK))
            connection = await OutgoingConnection.open(self.server.url, *offered)
            await connection.close()
            require_equal(connection.subprotocol, wanted, f"the subprotocol when {offered} are offered")

    async def _none(self, encoding: str) -> None:
        connection = await OutgoingConnection.open(self.server.url)
        require_equal(connection.subprotocol, None, "the subprotocol when none is offered")
        await ScriptedClient(self.server, "Ann", connection, encoding).request("ping", "pong")

    async def _unknown(self) -> None:
        await self._refused(self.server.url, 400, "simonrace.v99.json")

    async def _path(self) -> None:
        await self._refused(f"{self.server.url.rstrip('/')}/no/such/path", 404, JSON)

    async def _stranger(self) -> None:
        try:
            connection = await OutgoingConnection.open(self.server.url, JSON, origin=FOREIGN_ORIGIN)
        except HandshakeRefusedError as refused:
            require_equal(refused.status, 403, "the HTTP status")
            return
        await connection.close()
        raise CheckSkippedError("it accepts every origin: its operator allows that, or it ignores `Origin`")

    async def _own_page(self) -> None:
        own = origin_of(self.server.url)
        try:
            connection = await OutgoingConnection.open(self.server.url, JSON, origin=own)
        except HandshakeRefusedError as refused:
            raise CheckFailedError(f"a WebSocket for a page of {own}", str(refused)) from None
        await connection.close()

    async def _refused(self, url: str, status: int, subprotocol: str) -> None:
        try:
            connection = await OutgoingConnection.open(url, subprotocol)
        except HandshakeRefusedError as refused:
            require_equal(refused.status, status, "the HTTP status")
            return
        await connection.close()
        raise CheckFailedError(f"HTTP {status}", "a WebSocket")

    async def _extensions(self) -> None:
        connection = await OutgoingConnection.open(self.server.url, JSON)
        await connection.close()
        require_equal(connection.extensions, None, "the extensions of the answer")


def origin_of(url: str) -> str:
    """Return the `Origin` that a browser sends for a page of the host at a WebSocket's address."""
    address = urlsplit(url)
    scheme, usual = _WEB[address.scheme]
    name = f"[{address.hostname}]" if ":" in (address.hostname or "") else address.hostname
    port = "" if address.port in (None, usual) else f":{address.port}"
    return f"{scheme}://{name}{port}"
