"""Identities: a public player id and secret tokens."""

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator

import msgspec
import pytest
from racetest import until

from server.services import identity
from server.services.identity import Identities, Identity, password_hash
from server.store import keys
from server.store.embedded import EmbeddedRedis
from server.store.journal import Journal
from server.store.port import Append, Commit
from server.store.redis.store import RedisStore


@pytest.fixture
async def store(redis_server: EmbeddedRedis, prefix: str) -> AsyncIterator[RedisStore]:
    """A real store."""
    store = await RedisStore.open(redis_server.url, prefix)
    yield store
    await store.aclose()


@pytest.fixture
async def journal(store: RedisStore) -> AsyncIterator[Journal]:
    """A journal on it."""
    journal = Journal(store)
    await journal.start()
    yield journal
    await journal.aclose()


async def mint(identities: Identities) -> tuple[Identity, str]:
    """Create an identity and wait until it is stored."""
    minted: asyncio.Future[tuple[Identity | None, str]] = asyncio.get_running_loop().create_future()
    identities.mint(lambda *both: minted.set_result(both))
    somebody, token = await minted
    assert somebody is not None
    return somebody, token


async def expired(store: RedisStore, who: Identity) -> None:
    """Wait until an identity has expired."""

    async def nothing() -> bool:
        return await store.length(keys.player_log(who.player)) == 0

    await until(nothing)


async def test_a_token_authenticates_only_its_player(store: RedisStore, journal: Journal) -> None:
    """On every node of the cluster, because the store has the hash."""
    identities = Identities(store, journal, forget_s=3600)
    (ada, token), (ben, other) = await mint(identities), await mint(identities)
    assert len({ada.player, ben.player, token, other}) == 4
    elsewhere = Identities(store, journal, forget_s=3600)
    assert await elsewhere.authenticate(ada.player, token) == ada
    assert await elsewhere.authenticate(ada.player, other) is None
    assert await elsewhere.authenticate(ada.player, token.lower()) is None
    assert await elsewhere.authenticate(ada.player, "") is None
    assert await elsewhere.authenticate("nobody", token) is None


async def test_the_store_never_gets_a_token(store: RedisStore, journal: Journal) -> None:
    """It has only a hash, so that reading the store does not give access to an identity."""
    ada, token = await mint(Identities(store, journal, forget_s=3600))
    entries = await store.read(keys.player_log(ada.player))
    assert tuple(entries) == ada.entries
    assert token.encode() not in entries[0]


async def test_a_player_is_authenticated_by_each_of_several_tokens(
    store: RedisStore, journal: Journal
) -> None:
    """A token for each device: a stored identity has room for more than one, in any place of its log."""
    identities = Identities(store, journal, forget_s=3600)
    ada, token = await mint(identities)
    identities.establish(ada)
    await journal.drain()
    log = keys.player_log(ada.player)
    second = msgspec.msgpack.encode(["token_added", 0, hashlib.sha256(b"second").digest()])
    await store.commit([Commit((Append(log, 2, (second,)),))])
    for each in (token, "second"):
        known = await identities.authenticate(ada.player, each)
        assert known is not None
        assert known.established
    assert await identities.authenticate(ada.player, "third") is None


async def test_a_full_journal_takes_no_new_players(store: RedisStore) -> None:
    """The session can send an error, and the client can try again."""
    full = Journal(store, max_waiting=0)
    await full.start()
    answered: list[tuple[Identity | None, str]] = []
    Identities(store, full, forget_s=3600).mint(lambda *minted: answered.append(minted))
    assert answered == [(None, "")]
    await full.aclose()


async def test_a_player_id_that_is_taken_is_drawn_again(
    store: RedisStore, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the journal is full then, the client is answered too."""
    identities = Identities(store, journal, forget_s=3600)
    ada, _ = await mint(identities)
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _: ada.player)
    answered: asyncio.Future[Identity | None] = asyncio.get_running_loop().create_future()
    identities.mint(lambda found, _: answered.set_result(found))
    monkeypatch.setattr(journal, "_max_waiting", 0)
    assert await answered is None


async def test_an_identity_expires_if_it_is_not_used(store: RedisStore, journal: Journal) -> None:
    """Each use prolongs it."""
    identities = Identities(store, journal, forget_s=1)
    ada, token = await mint(identities)
    assert await identities.authenticate(ada.player, token) == ada
    await expired(store, ada)
    assert await identities.authenticate(ada.player, token) is None


async def test_an_identity_that_never_joined_a_room_expires_sooner(
    store: RedisStore, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody can send `hello`, any number of times, and once more with the identity."""
    monkeypatch.setattr(identity, "NEWCOMER_HOURS", 1 / 3600)
    identities = Identities(store, journal, forget_s=3600)
    (ada, _), (ben, token) = await mint(identities), await mint(identities)
    identities.establish(ada)
    assert await identities.authenticate(ben.player, token) == ben
    await expired(store, ben)
    assert len(await store.read(keys.player_log(ada.player))) == 2


async def test_an_identity_that_joined_a_room_is_established(store: RedisStore, journal: Journal) -> None:
    """The entry is written once, even if two connections of one player join rooms."""
    identities = Identities(store, journal, forget_s=3600)
    ada, token = await mint(identities)
    identities.establish(ada)
    identities.establish(ada)
    await journal.drain()
    known = await identities.authenticate(ada.player, token)
    assert known is not None
    assert (known.player, known.established) == (ada.player, True)
    identities.establish(known)
    await journal.drain()
    assert len(await store.read(keys.player_log(ada.player))) == 2


async def test_an_identity_that_expired_before_its_first_room_is_stored_again(
    store: RedisStore, journal: Journal
) -> None:
    """Its client was connected, in no room, for longer than a newcomer is kept."""
    identities = Identities(store, journal, forget_s=3600)
    ada, token = await mint(identities)
    log = keys.player_log(ada.player)
    await store.commit([Commit((Append(log, 1, (), ttl_s=0),))])
    await expired(store, ada)
    identities.establish(ada)
    await journal.drain()
    await journal.drain()
    known = await identities.authenticate(ada.player, token)
    assert known is not None
    assert (known.entries[:1], known.established) == (ada.entries, True)


def test_the_hash_of_a_password_depends_on_the_room() -> None:
    """Equal passwords of two rooms have different hashes; a room without one has none."""
    assert password_hash("BCDFG", None) is None
    assert password_hash("BCDFG", "sesame") == password_hash("BCDFG", "sesame")
    hashes = {password_hash(room, word) for room in ("BCDFG", "BCDFH") for word in ("sesame", "Sesame")}
    assert len(hashes) == 4
    assert not [each for each in hashes if each is None or "sesame" in each]
