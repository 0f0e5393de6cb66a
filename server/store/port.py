"""Interface between the server and its store, in the server's own verbs.

A store keeps append-only logs, leaderboards, schedules and heartbeats, and carries messages to the inboxes of
nodes. Every argument that names one of these is a key made by `server.store.keys`; nodes and players are
named by their ids.
"""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, TypeAlias

import msgspec

Keep: TypeAlias = Literal["lowest", "highest"]
"""Which of a member's values a leaderboard keeps, and therefore which values rank first."""


class Append(msgspec.Struct, frozen=True, gc=False):
    """Entries to append to one log, on condition that the log has exactly the expected length.

    Without entries it is a condition only. A commit names each log at most once. With `ttl_s` the log expires
    so many seconds from now, unless a later append moves that time; without it the expiry stays as it was.
    """

    log: str
    expected: int
    entries: tuple[bytes, ...] | list[bytes]
    ttl_s: int | None = None


class Publish(msgspec.Struct, frozen=True, gc=False):
    """A message for a node's inbox, sent only if its commit is made."""

    inbox: str
    payload: bytes


class Commit(msgspec.Struct, frozen=True, gc=False):
    """Appends that are made together or not at all, and the messages that announce them."""

    appends: tuple[Append, ...]
    messages: tuple[Publish, ...] = ()


class Committed(msgspec.Struct, frozen=True, gc=False):
    """The commit was made, at this time of the store's clock, in milliseconds of the Unix epoch."""

    at_ms: int


class Conflict(msgspec.Struct, frozen=True, gc=False):
    """The commit was refused and nothing of it written: `log` is the first that had an unexpected length.

    The length may equal the expected one if the commit depends on another that was refused before it. In
    either case read the log and decide again.
    """

    log: str
    length: int


Outcome: TypeAlias = Committed | Conflict


class RankedMember(msgspec.Struct, frozen=True, gc=False):
    """One row of a leaderboard: a member, its best value and the detail of that value."""

    member: str
    value: int
    detail: bytes


class StoreError(Exception):
    """The store did not carry out a call; base of `StoreUnavailable` and `StoreRefused`."""


class StoreUnavailable(StoreError):  # noqa: N818 - named by the state of the store
    """The store could not be reached or did not answer in time; no loss is known, so try again."""


class StoreRefused(StoreError):  # noqa: N818 - likewise
    """The store answers but refuses to serve; the message says what an operator has to do."""


class Subscriber(Protocol):
    """Subscription to one inbox; it reconnects until it is closed."""

    async def subscribed(self) -> None:
        """Return when the inbox has been subscribed to for the first time."""

    def probe_age_s(self) -> float:
        """Return the seconds since the subscriber last received its own probe, or since it was created."""

    async def aclose(self) -> None:
        """End the subscription. After this returns, neither callback is called again."""


class Store(Protocol):
    """Storage of everything that must outlive a process.

    Every coroutine raises `StoreUnavailable` or `StoreRefused`.
    """

    async def claim_format(self, number: int) -> int:
        """Record the format of the data if the store is empty, and return the format that the store has.

        If several nodes claim an empty store at once, all get the number of the same one of them. Data
        without a number has format 1, and the number is then not recorded. A node claims the format before it
        writes anything else.
        """

    async def commit(self, batch: Sequence[Commit]) -> list[Outcome]:
        """Make independent commits in order, each all or nothing, and return the outcome of each.

        A later commit sees what an earlier one of the batch appended. A commit that names a log of a commit
        refused earlier in the batch is refused too, because it was decided on entries that do not exist.
        After an exception any of them may have been made; see `server.store.reconcile`.
        """

    async def read(self, log: str, start: int = 0) -> list[bytes]:
        """Return the entries of a log from an index on; a log that does not exist is empty."""

    async def length(self, log: str) -> int:
        """Return the number of entries of a log."""

    async def now_ms(self) -> int:
        """Return the time of the store's clock, in milliseconds of the Unix epoch."""

    async def post(
        self,
        leaderboard: str,
        member: str,
        value: int,
        keep: Keep,
        detail: bytes,
        *,
        max_rows: int,
        ttl_s: int,
    ) -> bool:
        """Submit a value to a leaderboard and return whether it is the member's new best there.

        An equal value keeps the older detail, so that posting twice changes nothing. The best `max_rows` rows
        stay; the leaderboard expires `ttl_s` seconds after the last post. Values are exact below 2**53.
        Always use a leaderboard with the same `keep`.
        """

    async def top(self, leaderboard: str, count: int, keep: Keep) -> list[RankedMember]:
        """Return the best rows of a leaderboard, best first, equal values in order of member."""

    async def schedule(self, schedule: str, item: str, at_ms: int) -> None:
        """Add an item to a schedule, or move it to another time."""

    async def due(self, schedule: str, now_ms: int, limit: int) -> list[str]:
        """Return the items whose time has come, earliest first, without removing them."""

    async def unschedule(self, schedule: str, item: str, if_at_most_ms: int) -> bool:
        """Remove an item unless it was moved to a later time; return whether it was removed."""

    async def heartbeat(self, node: str, ttl_ms: int) -> None:
        """Report that a node is alive, for this long; also record a claimed format again if it was lost."""

    async def alive(self, nodes: Sequence[str]) -> set[str]:
        """Return those of the nodes whose last heartbeat has not expired."""

    def subscribe(
        self, inbox: str, on_message: Callable[[bytes], None], on_gap: Callable[[], None]
    ) -> Subscriber:
        """Subscribe to an inbox.

        `on_gap` is called whenever messages may have been lost: on every subscription but the first.
        """

    async def aclose(self) -> None:
        """Close all connections but those of subscribers, which have an `aclose` of their own."""
