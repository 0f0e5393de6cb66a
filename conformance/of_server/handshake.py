"""A chapter about the handshake: subprotocols, paths, pages, extensions."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from conformance.chapter import Step
from conformance.errors import SkippedError, UnmetError
from conformance.of_server.visitor import Stage, Visitor, same
from conformance.wire import Caller, RefusedError
from protocol.version import JSON, MSGPACK

STRANGE_PAGE: Final = "https://strangers.invalid"
"""Where nobody has pages: an operator who lets this one in lets in all."""

_WEB: Final = {"ws": ("http", 80), "wss": ("https", 443)}


class Connecting:
    """The handshake and the subprotocols."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def steps(self) -> Sequence[Step]:
        """Return what to check."""
        about = "Connecting"
        return (
            Step("JSON is spoken under its subprotocol", about, lambda: self._speaks(JSON), gate=True),
            Step("MessagePack is spoken under its subprotocol", about, lambda: self._speaks(MSGPACK)),
            Step("of two subprotocols the client's first is taken", about, self._first),
            Step("no subprotocol: a text frame brings JSON", about, lambda: self._none(JSON)),
            Step("no subprotocol: a binary frame brings MessagePack", about, lambda: self._none(MSGPACK)),
            Step("only unknown subprotocols are refused with HTTP 400", about, self._unknown),
            Step("an unknown path is refused with HTTP 404", about, self._path),
            Step("a page of another host is refused with HTTP 403", about, self._stranger),
            Step("a page of the server's own host is let in", about, self._own_page),
            Step("no extension is negotiated", about, self._extensions),
        )

    async def _speaks(self, subprotocol: str) -> None:
        visitor = await Visitor.arrive(self.stage, "Ann", subprotocol)
        same(visitor.caller.subprotocol, subprotocol, "the subprotocol of the answer")
        await visitor.ask("ping", "pong")

    async def _first(self) -> None:
        for offered in ((JSON, MSGPACK), (MSGPACK, JSON), ("simonrace.v99.json", JSON)):
            wanted = next(each for each in offered if each in (JSON, MSGPACK))
            caller = await Caller.open(self.stage.url, *offered)
            await caller.close()
            same(caller.subprotocol, wanted, f"the subprotocol when {offered} are offered")

    async def _none(self, encoding: str) -> None:
        caller = await Caller.open(self.stage.url)
        same(caller.subprotocol, None, "the subprotocol when none is offered")
        await Visitor(self.stage, "Ann", caller, encoding).ask("ping", "pong")

    async def _unknown(self) -> None:
        await self._refused(self.stage.url, 400, "simonrace.v99.json")

    async def _path(self) -> None:
        await self._refused(f"{self.stage.url.rstrip('/')}/no/such/path", 404, JSON)

    async def _stranger(self) -> None:
        try:
            caller = await Caller.open(self.stage.url, JSON, origin=STRANGE_PAGE)
        except RefusedError as refused:
            same(refused.status, 403, "the HTTP status")
            return
        await caller.close()
        raise SkippedError("it lets in pages of any host: its operator wants that, or it ignores `Origin`")

    async def _own_page(self) -> None:
        own = page_of(self.stage.url)
        try:
            caller = await Caller.open(self.stage.url, JSON, origin=own)
        except RefusedError as refused:
            raise UnmetError(f"a WebSocket for a page of {own}", str(refused)) from None
        await caller.close()

    async def _refused(self, url: str, status: int, subprotocol: str) -> None:
        try:
            caller = await Caller.open(url, subprotocol)
        except RefusedError as refused:
            same(refused.status, status, "the HTTP status")
            return
        await caller.close()
        raise UnmetError(f"HTTP {status}", "a WebSocket")

    async def _extensions(self) -> None:
        caller = await Caller.open(self.stage.url, JSON)
        await caller.close()
        same(caller.extensions, None, "the extensions of the answer")


def page_of(url: str) -> str:
    """Return the `Origin` that a browser sends for a page of the host at a WebSocket's address."""
    address = urlsplit(url)
    scheme, usual = _WEB[address.scheme]
    name = f"[{address.hostname}]" if ":" in (address.hostname or "") else address.hostname
    port = "" if address.port in (None, usual) else f":{address.port}"
    return f"{scheme}://{name}{port}"
