"""Who somebody is: a public player id and a secret token, minted at the first hello, kept as a hash."""

import contextlib
import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Final

from msgspec import Struct, msgpack

from server.store import keys
from server.store.journal import Journal, JournalFull
from server.store.port import Append, Commit, Committed, Outcome, Store

_ID_BYTES: Final = 9
_TOKEN_BYTES: Final = 24


class _Minted(Struct, frozen=True, array_like=True):
    """The one entry of a player's log."""

    at: int
    token_hash: bytes


class Identities:
    """Mints identities and tells whether somebody is who they say.

    Who has not come back for `forget_s` seconds is forgotten.
    """

    def __init__(self, store: Store, journal: Journal, forget_s: int) -> None:
        self._store = store
        self._journal = journal
        self._forget_s = forget_s

    def mint(self, done: Callable[[str, str], None]) -> bool:
        """Make a player id and its token; `done` gets both once they are remembered.

        Returns False when the store has been away too long to take more.
        """
        player = secrets.token_urlsafe(_ID_BYTES)
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        entry = msgpack.encode(_Minted(self._journal.now_ms(), _hash(token)))

        def remembered(outcome: Outcome) -> None:
            if isinstance(outcome, Committed):
                done(player, token)
            else:
                self.mint(done)  # the id was taken: draw another

        try:
            self._journal.submit(self._kept(player, 0, entry), remembered)
        except JournalFull:
            return False
        return True

    async def is_right(self, player: str, token: str) -> bool:
        """Return whether the token belongs to the player, who then is kept anew. Raises StoreTrouble."""
        entries = await self._store.read(keys.player_log(player))
        if not entries:
            return False
        right = hmac.compare_digest(msgpack.decode(entries[0], type=_Minted).token_hash, _hash(token))
        if right:
            with contextlib.suppress(JournalFull):  # then the next hello puts the end off
                self._journal.submit(self._kept(player, len(entries)))
        return right

    def _kept(self, player: str, expected: int, *entries: bytes) -> Commit:
        return Commit((Append(keys.player_log(player), expected, entries, keep_s=self._forget_s),))


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
