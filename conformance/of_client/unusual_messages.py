"""Checks of a client with messages that are rare and valid."""

from collections.abc import Sequence

from conformance.checks import Check
from conformance.errors import CheckSkippedError
from conformance.of_client import wide_msgpack
from conformance.of_client.client_under_test import ClientUnderTest
from protocol import from_server


class UnusualMessages:
    """Checks of an error that answers nothing, and of MessagePack in its widest form."""

    def __init__(self, client: ClientUnderTest) -> None:
        self.client, self.server = client, client.server

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        return (
            Check("it goes on after an error without `ref`", "Errors", self._error_without_ref, True),
            Check("it reads MessagePack integers and headers of any width", "Encodings", self._wide, True),
        )

    async def _error_without_ref(self) -> None:
        action = await self.server.next_action("an action")
        await self.server.send(from_server.Error(code="windy", text="It is too windy."))
        await self.server.accept(action)
        await self.server.accept(await self.server.next_action("an action after the error without `ref`"))

    async def _wide(self) -> None:
        if not self.server.binary:
            raise CheckSkippedError("the client uses JSON")
        self.server.encode = wide_msgpack.encode
        try:
            await self.server.accept(await self.server.next_action("an action"))
        finally:
            self.server.encode = None
        await self.server.accept(await self.server.next_action("an action after wide MessagePack"))
