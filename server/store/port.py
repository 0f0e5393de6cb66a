"""What the server asks of a store, in the server's own verbs.

A store keeps append-only logs, leaderboards, agendas and signs of life, and carries messages to the
inboxes of nodes. Every argument that names a place is a key made by `server.store.keys`; nodes and players go
by their ids.
"""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, TypeAlias

import msgspec

Keep: TypeAlias = Literal["lowest", "highest"]
"""Which of a member's values a leaderboard keeps, and therefore which end of it is the top."""


class Append(msgspec.Struct, frozen=True, gc=False):
    """Entries for the end of one log, if the log has exactly the expected length.

    With no entries it is a condition only. A log is named at most once in a commit. With `keep_s` the log
    vanishes so many seconds from now, if nothing puts that off; without, its end stays as it was.
    """

    log: str
    expected: int
    entries: tuple[bytes, ...] | list[bytes]
    keep_s: int | None = None


class Notice(msgspec.Struct, frozen=True, gc=False):
    """A message for a node's inbox, sent only if its commit is made."""

    inbox: str
    payload: bytes


class Commit(msgspec.Struct, frozen=True, gc=False):
    """Appends that are made together or not at all, and the notices that tell of them."""

    appends: tuple[Append, ...]
    notices: tuple[Notice, ...] = ()


class Committed(msgspec.Struct, frozen=True, gc=False):
    """The commit was made, at this time of the store's clock, in milliseconds of the Unix epoch."""

    at_ms: int


class Conflict(msgspec.Struct, frozen=True, gc=False):
    """Nothing of the commit was written: this log, the first of them, was not as expected.

    The length may equal the expected one when the commit was refused for standing on another that was
    refused before it; read the log and decide again in either case.
    """

    log: str
    length: int


Outcome: TypeAlias = Committed | Conflict


class Ranked(msgspec.Struct, frozen=True, gc=False):
    """One line of a leaderboard."""

    member: str
    value: int
    detail: bytes


class StoreTrouble(Exception):  # noqa: N818 - named like its two kinds
    """The store did not do what it was asked; one of the two below."""


class StoreAway(StoreTrouble):
    """The store could not be reached or did not answer; nothing is known to be lost, try again."""


class StoreRefused(StoreTrouble):
    """The store answers but will not serve; the message says what somebody has to do about it."""


class Listener(Protocol):
    """The receiving end of one inbox; it reconnects for ever until it is closed."""

    async def opened(self) -> None:
        """Return when the inbox has been subscribed to for the first time."""

    def silence(self) -> float:
        """Seconds since the listener last received its own probe, or since it was made."""

    async def aclose(self) -> None:
        """Stop listening. Once it returns, neither callback is called again."""


class Store(Protocol):
    """Where everything that must outlive a process is kept.

    Every coroutine raises `StoreAway` or `StoreRefused`.
    """

    async def commit(self, batch: Sequence[Commit]) -> list[Outcome]:
        """Make independent commits in order, each all or nothing, and answer for each.

        A later commit sees what an earlier one of the batch appended. A commit that names a log of a
        commit refused earlier in the batch is refused too: it was decided on what never came to be.
        After an exception any of them may have been made; see `server.store.reconcile`.
        """

    async def read(self, log: str, start: int = 0) -> list[bytes]:
        """Return the entries of a log from an index on; a log nobody wrote to is empty."""

    async def length(self, log: str) -> int:
        """Return how many entries a log has."""

    async def now_ms(self) -> int:
        """Return the time of the store's clock, in milliseconds of the Unix epoch."""

    async def post(
        self, board: str, member: str, value: int, keep: Keep, detail: bytes, *, most: int, keep_s: int
    ) -> bool:
        """Offer a value to a leaderboard and return whether it is the member's new best there.

        An equal value keeps the older detail, so that posting again changes nothing. The best `most` lines
        stay; the board vanishes `keep_s` seconds after the last offer. Values are exact below 2**53. A board
        is always used with the same `keep`.
        """

    async def top(self, board: str, count: int, keep: Keep) -> list[Ranked]:
        """Return the best of a leaderboard, best first, equal values in order of member."""

    async def schedule(self, agenda: str, item: str, at_ms: int) -> None:
        """Put an item on an agenda, or move it to another time."""

    async def due(self, agenda: str, now_ms: int, limit: int) -> list[str]:
        """Return the items whose time has come, earliest first, leaving them on the agenda."""

    async def unschedule(self, agenda: str, item: str, if_at_most_ms: int) -> bool:
        """Take an item off unless it was moved to a later time; return whether it was taken off."""

    async def beat(self, node: str, ttl_ms: int) -> None:
        """Show that the node of this id lives, for so long."""

    async def alive(self, nodes: Sequence[str]) -> set[str]:
        """Return those of these node ids whose sign of life has not run out."""

    def listen(self, inbox: str, on_message: Callable[[bytes], None], on_gap: Callable[[], None]) -> Listener:
        """Listen to an inbox from now on.

        `on_gap` is called whenever messages may have been lost: on every subscription but the first.
        """

    async def aclose(self) -> None:
        """Let go of all connections. Listeners are closed by those who opened them."""
