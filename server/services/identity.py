"""Identities: a public player id, and secret tokens of which only hashes are stored.

Anybody can send `hello`, any number of times. So an identity that has never entered a room is soon deleted. A
player can have several tokens, one for each device.
"""

import contextlib
import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct, msgpack

from protocol.limits import NEWCOMER_HOURS
from server.store import keys
from server.store.journal import Journal, JournalFull
from server.store.port import Append, Commit, Committed, Conflict, Outcome, Store

_ID_BYTES: Final = 9
_TOKEN_BYTES: Final = 24


class _TokenAdded(Struct, frozen=True, array_like=True, tag="token_added"):
    """An entry of a player's log: this token belongs to the player. The first entry is one of these."""

    clock_ms: int
    token_hash: bytes


class _RoomEntered(Struct, frozen=True, array_like=True, tag="room_entered"):
    """An entry of a player's log: the player has entered a room, so the identity is kept for long."""

    clock_ms: int


_DECODER: Final = msgpack.Decoder[_TokenAdded | _RoomEntered](_TokenAdded | _RoomEntered)


class Identity(Struct, frozen=True):
    """A player whose token was checked. `entries` is the player's log; `established`: has joined a room."""

    player: str
    entries: tuple[bytes, ...]
    established: bool = False


class Identities:
    """Creates identities and checks tokens.

    A player who does not return for `forget_s` seconds is forgotten; one who never entered a room, sooner.
    """

    def __init__(self, store: Store, journal: Journal, forget_s: int) -> None:
        self._store = store
        self._journal = journal
        self._forget_s = forget_s
        self._newcomer_s = min(forget_s, NEWCOMER_HOURS * 3600)

    def mint(self, done: Callable[[Identity | None, str], None]) -> None:
        """Create an identity and its token; `done` gets both once they are committed.

        It gets None at once if the journal is full, because the store is unavailable.
        """
        player = secrets.token_urlsafe(_ID_BYTES)
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        entry = msgpack.encode(_TokenAdded(self._journal.now_ms(), _hash(token)))

        def stored(outcome: Outcome) -> None:
            if isinstance(outcome, Committed):
                done(Identity(player, (entry,)), token)
            else:
                self.mint(done)  # the id is taken: draw another one

        try:
            self._journal.submit(_append(player, self._newcomer_s, 0, (entry,)), stored)
        except JournalFull:
            done(None, "")

    async def authenticate(self, player: str, token: str) -> Identity | None:
        """Return the identity and prolong it; None if the token is wrong. Raises StoreError."""
        entries = tuple(await self._store.read(keys.player_log(player)))
        log = [_DECODER.decode(entry) for entry in entries]
        hashes = [entry.token_hash for entry in log if isinstance(entry, _TokenAdded)]
        if not _is_one_of(_hash(token), hashes):
            return None
        established = any(isinstance(entry, _RoomEntered) for entry in log)
        with contextlib.suppress(JournalFull):  # then the next hello prolongs it
            ttl_s = self._forget_s if established else self._newcomer_s
            self._journal.submit(_append(player, ttl_s, len(entries), ()))
        return Identity(player, entries, established)

    def establish(self, identity: Identity) -> None:
        """Record that a player has entered a room: the identity is then kept for `forget_s` seconds.

        If the journal is full, or a token was added meanwhile, nothing is recorded until the next room.
        """
        if identity.established:
            return
        entered = msgpack.encode(_RoomEntered(self._journal.now_ms()))
        again = _append(identity.player, self._forget_s, 0, (*identity.entries, entered))

        def stored(outcome: Outcome) -> None:
            # The log has expired, because the client was connected for longer than a newcomer is kept.
            if isinstance(outcome, Conflict) and outcome.length == 0:
                with contextlib.suppress(JournalFull):
                    self._journal.submit(again)

        with contextlib.suppress(JournalFull):
            length = len(identity.entries)
            self._journal.submit(_append(identity.player, self._forget_s, length, (entered,)), stored)


def _append(player: str, ttl_s: int, expected: int, entries: tuple[bytes, ...]) -> Commit:
    return Commit((Append(keys.player_log(player), expected, entries, ttl_s=ttl_s),))


def _is_one_of(token_hash: bytes, hashes: Iterable[bytes]) -> bool:
    """Return whether one of the hashes is equal; the time does not depend on which."""
    equal = [hmac.compare_digest(token_hash, each) for each in hashes]
    return any(equal)


def password_hash(room: str, password: str | None) -> str | None:
    """Return the stored form of a room's password: a hash, salted with the room's code.

    People choose short passwords, so guessing must cost something: scrypt with these numbers takes 3 ms.
    """
    if password is None:
        return None
    salt = room.encode()
    return hashlib.scrypt(password.encode(), salt=salt, n=1024, r=8, p=1).hex()


def _hash(token: str) -> bytes:
    """Return the stored form of a token: it is long and random, so one round of SHA-256 is enough."""
    return hashlib.sha256(token.encode()).digest()
