"""Who somebody is: an id that everybody may know, and a token that nobody else has."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from racetest import until

from server.identity import Identities, password_hash
from server.store import keys
from server.store.embedded import EmbeddedRedis
from server.store.journal import Journal
from server.store.redis_store import RedisStore


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


async def mint(identities: Identities) -> tuple[str, str]:
    """Make an identity and wait until it is remembered."""
    minted: asyncio.Future[tuple[str, str]] = asyncio.get_running_loop().create_future()
    assert identities.mint(lambda player, token: minted.set_result((player, token)))
    return await minted


async def test_the_token_belongs_to_its_player_alone(store: RedisStore, journal: Journal) -> None:
    """On every node of the cluster, since the store knows it."""
    identities = Identities(store, journal, forget_s=3600)
    (ada, token), (ben, other) = await mint(identities), await mint(identities)
    assert len({ada, ben, token, other}) == 4
    elsewhere = Identities(store, journal, forget_s=3600)
    assert await elsewhere.is_right(ada, token)
    assert not await elsewhere.is_right(ada, other)
    assert not await elsewhere.is_right(ada, token.lower())
    assert not await elsewhere.is_right(ada, "")
    assert not await elsewhere.is_right("nobody", token)


async def test_the_store_never_sees_the_token(store: RedisStore, journal: Journal) -> None:
    """Who reads the store cannot be anybody: it keeps a hash."""
    player, token = await mint(Identities(store, journal, forget_s=3600))
    entries = await store.read(keys.player_log(player))
    assert len(entries) == 1
    assert token.encode() not in entries[0]


async def test_a_journal_that_is_full_takes_no_newcomers(store: RedisStore) -> None:
    """The session is told, and may try again."""
    full = Journal(store, most_waiting=0)
    await full.start()
    assert not Identities(store, full, forget_s=3600).mint(lambda *_: pytest.fail("nothing was minted"))
    await full.aclose()


async def test_who_does_not_come_back_for_long_is_forgotten(store: RedisStore, journal: Journal) -> None:
    """And who does is kept anew."""
    identities = Identities(store, journal, forget_s=1)
    player, token = await mint(identities)
    assert await identities.is_right(player, token)

    async def forgotten() -> bool:
        return await store.length(keys.player_log(player)) == 0

    await until(forgotten)
    assert not await identities.is_right(player, token)


def test_a_password_is_kept_as_a_hash_of_its_room() -> None:
    """Equal passwords of two rooms look different; a room without one has none."""
    assert password_hash("BCDFG", None) is None
    assert password_hash("BCDFG", "sesame") == password_hash("BCDFG", "sesame")
    hashes = {password_hash(room, word) for room in ("BCDFG", "BCDFH") for word in ("sesame", "Sesame")}
    assert len(hashes) == 4
    assert not [each for each in hashes if each is None or "sesame" in each]
