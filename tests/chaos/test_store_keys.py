"""Every key in the store has an owner or expires."""

import asyncio
from collections.abc import Iterator
from typing import Final

import pytest
from chaostest import keys_without_owner
from racetest import CODE, OTHER_CODE, PATIENCE_S, Client, Connect, StartNode, until
from redis import Redis

from server.node import Node
from server.store import keys
from server.store.embedded import EmbeddedRedis

DAY_S: Final = 86_400
KEEP_HOURS: Final = 1 / 3600
"""One second: longer than anything here takes, and short enough to wait for."""


@pytest.fixture
def redis(redis_server: EmbeddedRedis) -> Iterator[Redis]:
    """A client of the store of the test's nodes."""
    with Redis.from_url(redis_server.url) as client:
        yield client


async def test_an_identity_expires_a_long_time_after_its_last_hello(
    node: StartNode, person: Connect, redis: Redis, prefix: str
) -> None:
    """Every `hello` restarts the time, which is long for a player who has been in a room."""
    where = await node(forget_players_days=10)
    ada = await person(where, "Ada")
    key = prefix + keys.player_log(ada.player)
    assert 0 < redis.ttl(key) <= DAY_S
    await ada.create()
    await where.journal.drain()
    assert 9 * DAY_S < redis.ttl(key) <= 10 * DAY_S
    redis.expire(key, 100)
    again = await ada.new_connection().open()
    assert (await again.hello())["player"] == ada.player
    await until(lambda: 9 * DAY_S < redis.ttl(key) <= 10 * DAY_S)


async def test_a_wrong_token_does_not_prolong_an_identity(
    node: StartNode, person: Connect, redis: Redis, prefix: str
) -> None:
    ada = await person(await node(), "Ada")
    key = prefix + keys.player_log(ada.player)
    redis.expire(key, 100)
    thief = await ada.new_connection().open()
    assert (await thief.hello(token="guessed"))["code"] == "bad_token"  # noqa: S106 - it is none
    assert 0 < redis.ttl(key) <= 100


async def test_every_key_has_an_owner_and_few_are_left_after_the_rooms(
    node: StartNode,
    person: Connect,
    redis: Redis,
    prefix: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rooms are deleted with their games; leaderboards and identities stay."""
    monkeypatch.setattr("server.rooms.registry.RENEWAL_MS", 0)  # each sweep looks at everything
    here, there = await node(keep_rooms_hours=KEEP_HOURS), await node(keep_rooms_hours=KEEP_HOURS)
    people = await _live_for_a_day(here, there, person)
    await until(lambda: not redis.exists(prefix + keys.projections_schedule()))
    found = set(redis.scan_iter(prefix + "*"))
    assert keys_without_owner(redis, prefix) == set()
    assert len({key for key in found if b"{room:" in key}) == 3 + 5  # three rooms' logs, five games'
    for each in people:
        await each.close()
    async with asyncio.timeout(PATIENCE_S):
        while redis.exists(prefix + keys.rooms_schedule()):
            await here.rooms.sweep()
            await there.rooms.sweep()
            await asyncio.sleep(0.01)
    for where in (here, there):
        assert where.counters.rooms == 0
        await where.stop()
    await until(lambda: not list(redis.scan_iter(prefix + keys.node("*"))))  # a millisecond after the stop
    left = {key.decode().removeprefix(prefix) for key in redis.scan_iter(prefix + "*")}
    leaderboards = {keys.leaderboard(CODE, kind) for kind in ("time", "score", "moves")}
    assert left == leaderboards | {f"{leaderboard}:details" for leaderboard in leaderboards} | {
        keys.player_log(each.player) for each in people
    }


async def _live_for_a_day(here: Node, there: Node, person: Connect) -> list[Client]:
    """Play two races over two nodes, with a forfeit, a kick, a password and a room without a race."""
    ada, ben = await person(here, "Ada"), await person(here, "Ben")
    cyd, dan = await person(there, "Cyd"), await person(there, "Dan")
    room = await ada.create(CODE)
    for each in (ben, cyd, dan):
        await each.join(room)
    for each in (ada, ben, cyd):
        await each.ready()
    await ada.start()
    for each in (ada, ben, cyd):
        await each.racing()
    await ada.win()
    await ben.act("forfeit")
    await cyd.win()
    await ada.expect("race_ended")
    await ada.do("kick", player=dan.player)
    await dan.expect("member_left", player=dan.player)
    await dan.create(OTHER_CODE, password="hidden")  # noqa: S106 - it opens nothing
    eve = await person(here, "Eve")
    assert await eve.error_code("join", room=dan.room) == "wrong_password"
    await eve.create(CODE)
    await eve.do("chat", text="Nobody here?")
    await ada.do("configure", settings={"countdown_s": 0}, code=CODE)
    for each in (ada, cyd):
        await each.ready()
    await ada.start()
    for each in (ada, cyd):
        await each.racing()
        await each.win()
    await ada.expect("race_ended", race=2)
    return [ada, ben, cyd, dan, eve]
