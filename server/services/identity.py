"""Identities of players: a public id and a secret token, created at the first `hello`.

The token is stored as a hash. Anybody can send `hello`, any number of times, so an identity is kept for long
only after its player has joined a room; that is the second entry of the player's log.
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


class _Established(Struct, frozen=True, array_like=True):
    """The second entry: the player has joined a room."""

    at: int


class Identity(Struct, frozen=True):
    """An authenticated player. `entry` is the first of the player's log; `established`: has joined a room."""

    player: str
    entry: bytes
    established: bool = False


class Identities:
    """Creates identities and authenticates players.

    An identity is removed `forget_s` seconds after its last use, and sooner if its player has never joined a
    room.
    """

    def __init__(self, store: Store, journal: Journal, forget_s: int) -> None:
        self._store = store
        self._journal = journal
        self._forget_s = forget_s
        self._newcomer_s = min(forget_s, NEWCOMER_HOURS * 3600)

    def mint(self, done: Callable[[Identity | None, str], None]) -> None:
        """Create an identity and its token; `done` gets both once they are stored.

        While the journal is full, because the store is unavailable, `done` gets None at once.
        """
        player = secrets.token_urlsafe(_ID_BYTES)
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        entry = msgpack.encode(_Minted(self._journal.now_ms(), _hash(token)))

        def stored(outcome: Outcome) -> None:
            if isinstance(outcome, Committed):
                done(Identity(player, entry), token)
            else:
                self.mint(done)  # the id is taken: draw another one

        try:
            self._journal.submit(_commit(player, self._newcomer_s, 0, entry), stored)
        except JournalFull:
            done(None, "")

    async def authenticate(self, player: str, token: str) -> Identity | None:
        """Return the identity and prolong it; None if the token is wrong. Raises StoreTrouble."""
        entries = await self._store.read(keys.player_log(player))
        if not entries:
            return None
        if not hmac.compare_digest(msgpack.decode(entries[0], type=_Minted).token_hash, _hash(token)):
            return None
        established = len(entries) > 1
        with contextlib.suppress(JournalFull):  # then the next hello prolongs it
            keep_s = self._forget_s if established else self._newcomer_s
            self._journal.submit(_commit(player, keep_s, len(entries)))
        return Identity(player, entries[0], established)

    def establish(self, identity: Identity) -> None:
        """Keep the identity of a player who joined a room; while the journal is full, nothing happens."""
        established = msgpack.encode(_Established(self._journal.now_ms()))
        again = _commit(identity.player, self._forget_s, 0, identity.entry, established)

        def stored(outcome: Outcome) -> None:
            # The log has expired: the client stayed connected for longer than a newcomer is kept.
            if isinstance(outcome, Conflict) and outcome.length == 0:
                with contextlib.suppress(JournalFull):
                    self._journal.submit(again)

        if not identity.established:
            with contextlib.suppress(JournalFull):
                self._journal.submit(_commit(identity.player, self._forget_s, 1, established), stored)


def _commit(player: str, keep_s: int, expected: int, *entries: bytes) -> Commit:
    return Commit((Append(keys.player_log(player), expected, entries, keep_s=keep_s),))


def password_hash(room: str, password: str | None) -> str | None:
    """Return the hash of a room's password, salted with the room's code, or None without a password.

    People choose short passwords, so a guess must be slow: scrypt with these parameters takes about 3 ms.
    """
    if password is None:
        return None
    salt = room.encode()
    return hashlib.scrypt(password.encode(), salt=salt, n=1024, r=8, p=1).hex()


def _hash(token: str) -> bytes:
    """Return the hash of a token; one round of SHA-256 is enough, as tokens are long and random."""
    return hashlib.sha256(token.encode()).digest()
