"""What the handlers of requests and the node need of a session."""

from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from protocol.close_codes import CloseCode
from protocol.from_server import FromServer
from server.rooms.live_room import LiveRoom
from server.rooms.subscriber import Subscriber
from server.services.identity import Identity
from server.sessions.replies import Reply


class OpenSession(Protocol):
    """An open session, as the node sees it."""

    @property
    def opened_at(self) -> float:
        """When the connection was opened, in seconds of a monotonic clock."""

    @property
    def lang(self) -> str:
        """Language of texts for people."""

    def send(self, message: FromServer) -> None:
        """Send a message."""

    def close(self, code: CloseCode) -> None:
        """Close the connection."""


class Requester(Subscriber, OpenSession, Protocol):
    """A session, as the handlers of requests see it."""

    @property
    def address(self) -> str:
        """Address that the client connects from."""

    @property
    def player(self) -> str:
        """The client's player id, empty before `hello`."""

    @property
    def name(self) -> str:
        """The client's name."""

    @property
    def newcomer(self) -> Identity | None:
        """The identity of a client that has never entered a room."""

    @property
    def room(self) -> LiveRoom | None:
        """The room that the client is in."""

    @property
    def subscriptions(self) -> set[str]:
        """Game codes whose leaderboards the client receives."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work in the background; an exception in it ends the connection."""

    def hold(self) -> None:
        """Keep later messages waiting until `release`."""

    def hold_requests(self) -> None:
        """Keep later requests waiting until `release`, but not actions."""

    def release(self) -> None:
        """Handle the messages that waited."""

    def when_next(self, reply: Reply, act: Callable[[], None]) -> None:
        """Call `act` once all earlier requests have been answered; later messages wait until then."""

    def take_tokens(self, tokens: float) -> None:
        """Take what a request costs beyond one message from the token bucket."""

    def introduce(self, name: str, lang: str) -> None:
        """Set the name and the language of the client."""

    def identify(self, identity: Identity) -> None:
        """Set who the client is."""

    def entered(self, room: LiveRoom) -> None:
        """Set the room that the client is in."""

    def established(self) -> None:
        """Record that the client has entered a room: it is not a newcomer any more."""
