"""Checks of a client's first connection: from the handshake to its first action."""

from collections.abc import Callable, Sequence

from conformance.chapter import Step
from conformance.errors import UnmetError
from conformance.of_client.examinee import Examinee
from conformance.of_client.fake_room import ROOM
from conformance.wire import Door
from protocol import from_client as say
from protocol.version import SUBPROTOCOLS


class FirstVisit:
    """A client that nobody knows comes to our door; `tell` gets what its author has to do."""

    def __init__(self, client: Examinee, door: Door, tell: Callable[[str], None]) -> None:
        self.client, self.stage, self.door, self.tell = client, client.stage, door, tell

    def steps(self) -> Sequence[Step]:
        """Return what to check."""
        connecting, life = "Connecting", "Life of a connection"
        numbers, behaves = "Ordering, acknowledgement, repetition", "How a client behaves"
        return (
            Step("it connects", connecting, self._connects, True),
            Step("it offers a subprotocol of this protocol", connecting, self._subprotocol),
            Step("it says `hello` first", life, self._hello, True),
            Step("it says which program it is", behaves, self._says_who),
            Step("it takes unknown fields and messages, and enters a room", "Versions", self._enters, True),
            Step(
                "it gets ready, and its first action names the race and number 1", numbers, self._races, True
            ),
        )

    async def _connects(self) -> None:
        self.tell(f"Let your client connect to {self.door.url}, join room {ROOM}, get ready and make moves")
        self.tell("until it is told that it was replaced; ten that the rules allow are enough.")
        await self.client.arrives(self.stage.patience, "a client")

    async def _subprotocol(self) -> None:
        guest = self.client.guest
        if guest is None or guest.subprotocol not in SUBPROTOCOLS:
            raise UnmetError(f"one of {', '.join(SUBPROTOCOLS)}", "none of them")

    async def _hello(self) -> None:
        await self.client.greets()
        await self.client.welcome(new=True)

    async def _says_who(self) -> None:
        program = self.client.hello.client
        if "/" not in program:
            raise UnmetError("`client` as in myclient/1.2", repr(program))

    async def _enters(self) -> None:
        request = await self.stage.next_request("`create` or `join`", say.Create, say.Join)
        await self.stage.tell(*self.stage.pretence.answer(request))

    async def _races(self) -> None:
        pretence = self.stage.pretence
        request = await self.stage.next_request("`ready`", say.Ready)
        await self.stage.tell(*pretence.answer(request))
        await self.stage.tell(*pretence.begin())
        await self.stage.accept(await self.stage.next_action("an action"))
