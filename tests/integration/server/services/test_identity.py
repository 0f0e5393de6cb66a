"""Who somebody is: an id that everybody may know, and a token that nobody else has."""

import asyncio
import secrets
from collections.abc import AsyncIterator

import pytest
from racetest import until

from server.services import identity
from server.services.identity import Identities, Identity, password_hash
from server.store import keys
from server.store.embedded import EmbeddedRedis
from server.store.journal import Journal
from server.store.port import Append, Commit
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
    assert await elsewhere.recognized(ada.player, token) == ada
    assert await elsewhere.recognized(ada.player, other) is None
    assert await elsewhere.recognized(ada.player, token.lower()) is None
    assert await elsewhere.recognized(ada.player, "") is None
    assert await elsewhere.recognized("nobody", token) is None


async def test_the_store_never_sees_the_token(store: RedisStore, journal: Journal) -> None:
    """Who reads the store cannot be anybody: it keeps a hash."""
    ada, token = await mint(Identities(store, journal, forget_s=3600))
    entries = await store.read(keys.player_log(ada.player))
    assert entries == [ada.entry]
    assert token.encode() not in entries[0]


async def test_a_full_journal_creates_no_identities(store: RedisStore) -> None:
    """The session gets None, and may try again."""
    full = Journal(store, most_waiting=0)
    await full.start()
    told: list[tuple[Identity | None, str]] = []
    Identities(store, full, forget_s=3600).mint(lambda *minted: told.append(minted))
    assert told == [(None, "")]
    await full.aclose()


async def test_a_taken_id_is_drawn_again_or_given_up(
    store: RedisStore, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller gets an answer in either case, also when the journal has become full meanwhile."""
    identities = Identities(store, journal, forget_s=3600)
    ada, _ = await mint(identities)
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _: ada.player)
    told: asyncio.Future[Identity | None] = asyncio.get_running_loop().create_future()
    identities.mint(lambda somebody, _: told.set_result(somebody))
    monkeypatch.setattr(journal, "_most_waiting", 0)
    assert await told is None


async def test_a_player_who_stays_away_for_long_is_forgotten(store: RedisStore, journal: Journal) -> None:
    """Each return puts that off."""
    identities = Identities(store, journal, forget_s=1)
    ada, token = await mint(identities)
    assert await identities.recognized(ada.player, token) == ada
    await forgotten(store, ada)
    assert await identities.recognized(ada.player, token) is None


async def test_a_player_who_never_entered_a_room_is_forgotten_sooner(
    store: RedisStore, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody can say hello, as often as they like, and once more with what they got."""
    monkeypatch.setattr(identity, "NEWCOMER_HOURS", 1 / 3600)
    identities = Identities(store, journal, forget_s=3600)
    (ada, _), (ben, token) = await mint(identities), await mint(identities)
    identities.settle(ada)
    assert await identities.recognized(ben.player, token) == ben
    await forgotten(store, ben)
    assert len(await store.read(keys.player_log(ada.player))) == 2


async def test_entering_a_room_is_stored_once(store: RedisStore, journal: Journal) -> None:
    """It is written once, though two connections of one player come into rooms."""
    identities = Identities(store, journal, forget_s=3600)
    ada, token = await mint(identities)
    identities.settle(ada)
    identities.settle(ada)
    await journal.drain()
    known = await identities.recognized(ada.player, token)
    assert known == Identity(ada.player, ada.entry, settled=True)
    identities.settle(known)
    await journal.drain()
    assert len(await store.read(keys.player_log(ada.player))) == 2


async def test_a_forgotten_player_who_enters_a_room_is_stored_again(
    store: RedisStore, journal: Journal
) -> None:
    """A client that was connected, in no room, for longer than a newcomer is kept."""
    identities = Identities(store, journal, forget_s=3600)
    ada, token = await mint(identities)
    log = keys.player_log(ada.player)
    await store.commit([Commit((Append(log, 1, (), keep_s=0),))])
    await forgotten(store, ada)
    identities.settle(ada)
    await journal.drain()
    await journal.drain()
    assert await identities.recognized(ada.player, token) == Identity(ada.player, ada.entry, settled=True)


def test_a_password_is_kept_as_a_hash_of_its_room() -> None:
    """Equal passwords of two rooms look different; a room without one has none."""
    assert password_hash("BCDFG", None) is None
    assert password_hash("BCDFG", "sesame") == password_hash("BCDFG", "sesame")
    hashes = {password_hash(room, word) for room in ("BCDFG", "BCDFH") for word in ("sesame", "Sesame")}
    assert len(hashes) == 4
    assert not [each for each in hashes if each is None or "sesame" in each]
