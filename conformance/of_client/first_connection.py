"""Checks of a client's first connection: from the handshake to its first action."""

from collections.abc import Callable, Sequence

from conformance.checks import Check
from conformance.errors import CheckFailedError
from conformance.of_client.client_under_test import ClientUnderTest
from conformance.of_client.fake_room import ROOM
from conformance.wire import Listener
from protocol import from_client
from protocol.version import SUBPROTOCOLS


class FirstConnection:
    """Checks of a client without an identity. `instruct` shows a line to its author."""

    def __init__(self, client: ClientUnderTest, listener: Listener, instruct: Callable[[str], None]) -> None:
        self.client, self.server, self.listener, self.instruct = client, client.server, listener, instruct

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        connecting, life = "Connecting", "Life of a connection"
        numbers, behaves = "Ordering, acknowledgement, repetition", "How a client behaves"
        return (
            Check("it connects", connecting, self._connects, True),
            Check("it offers a subprotocol of this protocol", connecting, self._subprotocol),
            Check("it sends `hello` first", life, self._hello, True),
            Check("it names its program and version", behaves, self._says_who),
            Check(
                "it ignores unknown fields and messages, and enters a room", "Versions", self._enters, True
            ),
            Check(
                "it gets ready, and its first action names the race and number 1", numbers, self._races, True
            ),
        )

    async def _connects(self) -> None:
        self.instruct(
            f"Let your client connect to {self.listener.url}, join room {ROOM}, get ready and make moves"
        )
        self.instruct("until its connection is closed with 4002. About twenty legal moves are enough.")
        await self.client.wait_for_connection(self.server.timeout_s, "a client")

    async def _subprotocol(self) -> None:
        connection = self.client.connection
        if connection is None or connection.subprotocol not in SUBPROTOCOLS:
            raise CheckFailedError(f"one of {', '.join(SUBPROTOCOLS)}", "none of them")

    async def _hello(self) -> None:
        await self.client.expect_hello()
        await self.client.send_welcome(new=True)

    async def _says_who(self) -> None:
        program = self.client.hello.client
        if "/" not in program:
            raise CheckFailedError("`client` as in myclient/1.2", repr(program))

    async def _enters(self) -> None:
        request = await self.server.next_request("`create` or `join`", from_client.Create, from_client.Join)
        await self.server.send(*self.server.room.answer(request))

    async def _races(self) -> None:
        room = self.server.room
        request = await self.server.next_request("`ready`", from_client.Ready)
        await self.server.send(*room.answer(request))
        await self.server.send(*room.start_race())
        await self.server.accept(await self.server.next_action("an action"))
