"""Who somebody is: an id that everybody may know, and a token that nobody else has."""

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
    """Make an identity and wait until it is remembered."""
    minted: asyncio.Future[tuple[Identity | None, str]] = asyncio.get_running_loop().create_future()
    identities.mint(lambda *both: minted.set_result(both))
    somebody, token = await minted
    assert somebody is not None
    return somebody, token


async def forgotten(store: RedisStore, who: Identity) -> None:
    """Wait until nothing is known of somebody."""

    async def nothing() -> bool:
        return await store.length(keys.player_log(who.player)) == 0

    await until(nothing)


async def test_the_token_belongs_to_its_player_alone(store: RedisStore, journal: Journal) -> None:
    """On every node of the cluster, since the store knows it."""
    identities = Identities(store, journal, forget_s=3600)
    (ada, token), (ben, other) = await mint(identities), await mint(identities)
    assert len({ada.player, ben.player, token, other}) == 4
    elsewhere = Identities(store, journal, forget_s=3600)
    assert await elsewhere.authenticate(ada.player, token) == ada
    assert await elsewhere.authenticate(ada.player, other) is None
    assert await elsewhere.authenticate(ada.player, token.lower()) is None
    assert await elsewhere.authenticate(ada.player, "") is None
    assert await elsewhere.authenticate("nobody", token) is None


async def test_the_store_never_sees_the_token(store: RedisStore, journal: Journal) -> None:
    """Who reads the store cannot be anybody: it keeps a hash."""
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


async def test_a_journal_that_is_full_takes_no_newcomers(store: RedisStore) -> None:
    """The session is told, and may try again."""
    full = Journal(store, max_waiting=0)
    await full.start()
    told: list[tuple[Identity | None, str]] = []
    Identities(store, full, forget_s=3600).mint(lambda *minted: told.append(minted))
    assert told == [(None, "")]
    await full.aclose()


async def test_an_id_that_is_taken_is_drawn_again_or_given_up(
    store: RedisStore, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever says hello is answered in either case, when the journal has become full meanwhile too."""
    identities = Identities(store, journal, forget_s=3600)
    ada, _ = await mint(identities)
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _: ada.player)
    told: asyncio.Future[Identity | None] = asyncio.get_running_loop().create_future()
    identities.mint(lambda somebody, _: told.set_result(somebody))
    monkeypatch.setattr(journal, "_max_waiting", 0)
    assert await told is None


async def test_who_does_not_come_back_for_long_is_forgotten(store: RedisStore, journal: Journal) -> None:
    """And who does is kept anew."""
    identities = Identities(store, journal, forget_s=1)
    ada, token = await mint(identities)
    assert await identities.authenticate(ada.player, token) == ada
    await forgotten(store, ada)
    assert await identities.authenticate(ada.player, token) is None


async def test_who_never_came_into_a_room_is_forgotten_sooner(
    store: RedisStore, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody can say hello, as often as they like, and once more with what they got."""
    monkeypatch.setattr(identity, "NEWCOMER_HOURS", 1 / 3600)
    identities = Identities(store, journal, forget_s=3600)
    (ada, _), (ben, token) = await mint(identities), await mint(identities)
    identities.establish(ada)
    assert await identities.authenticate(ben.player, token) == ben
    await forgotten(store, ben)
    assert len(await store.read(keys.player_log(ada.player))) == 2


async def test_who_has_come_into_a_room_is_known_for_it(store: RedisStore, journal: Journal) -> None:
    """It is written once, though two connections of one player come into rooms."""
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


async def test_who_comes_into_a_room_at_last_is_remembered_anew(store: RedisStore, journal: Journal) -> None:
    """A client that was connected, in no room, for longer than a newcomer is kept."""
    identities = Identities(store, journal, forget_s=3600)
    ada, token = await mint(identities)
    log = keys.player_log(ada.player)
    await store.commit([Commit((Append(log, 1, (), ttl_s=0),))])
    await forgotten(store, ada)
    identities.establish(ada)
    await journal.drain()
    await journal.drain()
    known = await identities.authenticate(ada.player, token)
    assert known is not None
    assert (known.entries[:1], known.established) == (ada.entries, True)


def test_a_password_is_kept_as_a_hash_of_its_room() -> None:
    """Equal passwords of two rooms look different; a room without one has none."""
    assert password_hash("BCDFG", None) is None
    assert password_hash("BCDFG", "sesame") == password_hash("BCDFG", "sesame")
    hashes = {password_hash(room, word) for room in ("BCDFG", "BCDFH") for word in ("sesame", "Sesame")}
    assert len(hashes) == 4
    assert not [each for each in hashes if each is None or "sesame" in each]
