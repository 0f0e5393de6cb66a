"""Every key in the store has an owner and an end."""

from collections.abc import Iterator

import pytest
from racetest import Connect, StartNode, until
from redis import Redis

from server.store import keys
from server.store.embedded import EmbeddedRedis

DAY_S = 86_400


@pytest.fixture
def redis(redis_server: EmbeddedRedis) -> Iterator[Redis]:
    """The store of the test's nodes, to be looked into."""
    with Redis.from_url(redis_server.url) as client:
        yield client


async def test_an_identity_lasts_until_its_owner_has_stayed_away_for_long(
    node: StartNode, person: Connect, redis: Redis, prefix: str
) -> None:
    """Every hello begins the time anew, in which it is kept."""
    where = await node(forget_players_days=10)
    ada = await person(where, "Ada")
    key = prefix + keys.player_log(ada.player)
    assert 9 * DAY_S < redis.ttl(key) <= 10 * DAY_S
    redis.expire(key, 100)
    again = await ada.again().open()
    assert (await again.hello())["player"] == ada.player
    await until(lambda: 9 * DAY_S < redis.ttl(key) <= 10 * DAY_S)


async def test_a_wrong_token_keeps_nobody_s_identity_alive(
    node: StartNode, person: Connect, redis: Redis, prefix: str
) -> None:
    ada = await person(await node(), "Ada")
    key = prefix + keys.player_log(ada.player)
    redis.expire(key, 100)
    thief = await ada.again().open()
    assert (await thief.hello(token="guessed"))["code"] == "bad_token"  # noqa: S106 - it is none
    assert 0 < redis.ttl(key) <= 100
