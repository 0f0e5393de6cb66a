"""Who somebody is: a public player id and a secret token, minted at the first hello, kept as a hash.

Anybody can say hello, as often as they like. So an identity is kept for long only once it has come into a
room; the second entry of its log tells of that.
"""

import contextlib
import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Final

from msgspec import Struct, msgpack

from protocol.limits import NEWCOMER_HOURS
from server.store import keys
from server.store.journal import Journal, JournalFull
from server.store.port import Append, Commit, Committed, Conflict, Outcome, Store

_ID_BYTES: Final = 9
_TOKEN_BYTES: Final = 24


class _Minted(Struct, frozen=True, array_like=True):
    """The first entry of a player's log."""

    at: int
    token_hash: bytes


class _Settled(Struct, frozen=True, array_like=True):
    """The second: the player has come into a room."""

    at: int


class Identity(Struct, frozen=True):
    """Somebody who is who they say; `entry` is the first of the player's log."""

    player: str
    entry: bytes
    settled: bool = False


class Identities:
    """Mints identities and tells whether somebody is who they say.

    Who has not come back for `forget_s` seconds is forgotten; who never came into a room, sooner.
    """

    def __init__(self, store: Store, journal: Journal, forget_s: int) -> None:
        self._store = store
        self._journal = journal
        self._forget_s = forget_s
        self._newcomer_s = min(forget_s, NEWCOMER_HOURS * 3600)

    def mint(self, done: Callable[[Identity | None, str], None]) -> None:
        """Make an identity and its token; `done` gets both once they are remembered.

        Or None, and that at once, when the store has been away too long to take more.
        """
        player = secrets.token_urlsafe(_ID_BYTES)
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        entry = msgpack.encode(_Minted(self._journal.now_ms(), _hash(token)))

        def remembered(outcome: Outcome) -> None:
            if isinstance(outcome, Committed):
                done(Identity(player, entry), token)
            else:
                self.mint(done)  # the id was taken: draw another

        try:
            self._journal.submit(_kept(player, self._newcomer_s, 0, entry), remembered)
        except JournalFull:
            done(None, "")

    async def recognized(self, player: str, token: str) -> Identity | None:
        """Return who this is, and keep them anew; None for a wrong token. Raises StoreError."""
        entries = await self._store.read(keys.player_log(player))
        if not entries:
            return None
        if not hmac.compare_digest(msgpack.decode(entries[0], type=_Minted).token_hash, _hash(token)):
            return None
        settled = len(entries) > 1
        with contextlib.suppress(JournalFull):  # then the next hello puts the end off
            keep_s = self._forget_s if settled else self._newcomer_s
            self._journal.submit(_kept(player, keep_s, len(entries)))
        return Identity(player, entries[0], settled)

    def settle(self, identity: Identity) -> None:
        """Keep for long somebody who has come into a room. If the store takes no more, the next time."""
        settled = msgpack.encode(_Settled(self._journal.now_ms()))
        again = _kept(identity.player, self._forget_s, 0, identity.entry, settled)

        def remembered(outcome: Outcome) -> None:
            # Nothing is left of it: the client was connected all the time that a newcomer is kept.
            if isinstance(outcome, Conflict) and outcome.length == 0:
                with contextlib.suppress(JournalFull):
                    self._journal.submit(again)

        if not identity.settled:
            with contextlib.suppress(JournalFull):
                self._journal.submit(_kept(identity.player, self._forget_s, 1, settled), remembered)


def _kept(player: str, keep_s: int, expected: int, *entries: bytes) -> Commit:
    return Commit((Append(keys.player_log(player), expected, entries, ttl_s=keep_s),))


def password_hash(room: str, password: str | None) -> str | None:
    """Return what is kept of a room's password: a hash, salted with the room's code.

    People choose short ones, so guessing must cost something: scrypt with these numbers takes about 3 ms.
    """
    if password is None:
        return None
    salt = room.encode()
    return hashlib.scrypt(password.encode(), salt=salt, n=1024, r=8, p=1).hex()


def _hash(token: str) -> bytes:
    """A token is long and random, so one round of SHA-256 keeps it."""
    return hashlib.sha256(token.encode()).digest()
