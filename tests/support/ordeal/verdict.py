"""What must be so after every ordeal, whatever happened in it."""

import asyncio
import random
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from racetest import until
from redis import Redis

from client_cli.core.verify import verify
from ordeal.crowd import Crowd
from ordeal.fleet import JUDGE, Fleet, Server
from ordeal.racer import Racer
from ordeal.wire import Message
from protocol.parts import RacerState
from protocol.record import FinishedRace
from server.core import events as ev
from server.core import room_messages
from server.services.leaderboards import KEPT
from server.store import keys
from server.store.redis.store import PREFIX

_OF_THE_MOMENT: Final = {"clock_ms", "elapsed_ms", "starts_in_ms"}
"""Fields of an event that tell when it was sent, not what happened; but a win's `at_ms` is the win's."""


async def judge(crowd: Crowd) -> None:
    """Check the race that has just ended: logs, events, results, everywhere alike."""
    faults = {racer.name: racer.faults for racer in crowd.people if racer.faults}
    assert faults == {}
    record = await _record(crowd)
    _judge_logs(crowd, record)
    _judge_events(crowd)
    await _judge_results(crowd, record)
    await _judge_leaderboard(crowd, record)


async def clean_up(crowd: Crowd | None, fleet: Fleet, *, expected: str = "") -> None:
    """Let everybody go, then every server; nothing may be left anywhere that has no owner.

    Nothing may have been logged as an error, but what contains the `expected`.
    """
    if crowd is not None:
        await crowd.leave()
    for server in fleet.living:
        await until(partial(_is_left_alone, server))
    stopped = {server.node for server in fleet.living}
    for server in fleet.living:
        await server.stop()
    for server in fleet.servers:
        assert [line for line in server.complaints() if not expected or expected not in line] == []
    for url in fleet.store_urls:
        with Redis.from_url(url, client_name=JUDGE) as redis:
            assert redis.pubsub_channels() == []
            assert {client["name"] for client in redis.client_list()} == {JUDGE}
    with fleet.contents() as redis:
        assert unaccounted(redis) == set()
        assert stopped.isdisjoint(lasting_signs(redis))


def _is_left_alone(server: Server) -> bool:
    return connections_to(server.address[1]) == 0


def lasting_signs(redis: Any, prefix: str = PREFIX) -> set[str]:
    """Return the nodes of which a sign of life is left; those of killed nodes last for some seconds."""
    signs = {
        key.decode().removeprefix(prefix + keys.node("")) for key in redis.scan_iter(prefix + keys.node("*"))
    }
    return signs | {node.decode() for node in redis.zrange(prefix + keys.nodes_schedule(), 0, -1)}


def unaccounted(redis: Any, prefix: str = PREFIX) -> set[str]:
    """Return the keys that belong to no room on the agenda, to no leaderboard, and have no own end."""
    found = {key.decode() for key in redis.scan_iter(f"{prefix}*")}
    owned = {f"{prefix}{key}" for key in _owned(redis, prefix, found)}
    return found - owned


def _owned(redis: Any, prefix: str, found: Iterable[str]) -> Iterable[str]:
    yield from (keys.data_format(), keys.rooms_schedule(), keys.nodes_schedule())
    minded = {item.decode() for item in redis.zrange(prefix + keys.rooms_schedule(), 0, -1)}
    codes: set[str] = set()
    for key in found:
        kind, _, rest = key.removeprefix(prefix).partition(":")
        if kind == "{room" and rest.endswith("}:log") and rest.removesuffix("}:log") in minded:
            yield from _owned_by_room(redis, prefix, rest.removesuffix("}:log"), codes)
        elif kind in ("player", "node") and redis.ttl(key) != -1:
            yield key.removeprefix(prefix)
    for code in codes:
        for kind in ("time", "score", "moves"):
            yield keys.board(code, kind)
            yield f"{keys.board(code, kind)}:details"


def _owned_by_room(redis: Any, prefix: str, room: str, codes: set[str]) -> Iterable[str]:
    yield keys.room_log(room)
    for event in room_events(redis, room, prefix):
        if isinstance(event, ev.RaceStarted):
            codes.add(event.code)
            yield from (keys.game_log(room, event.race, player) for player, _ in event.racers)


def room_events(redis: Any, room: str, prefix: str = PREFIX) -> list[ev.Event]:
    """Return a room's log as it stands in the store."""
    return [ev.from_bytes(entry) for entry in redis.lrange(prefix + keys.room_log(room), 0, -1)]


def connections_to(port: int) -> int:
    """Count the sockets that a server on this port holds, those included that the client has closed."""
    here = f":{port:04X}"
    listening, closed = "0A", ("06", "04", "05")
    count = 0
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, _, state, *_ = line.split()
        count += local.endswith(here) and state != listening and state not in closed
    return count


async def _record(crowd: Crowd) -> FinishedRace:
    answer = await crowd.host.ask("get_record", race=crowd.races)
    assert answer["type"] == "record", answer
    return msgspec.convert(answer["record"], FinishedRace)


def _judge_logs(crowd: Crowd, record: FinishedRace) -> None:
    """Every acknowledged action is in the log of the race that its answer names, once, in order, as it was.

    So is nothing else. An answer that came after its race names that one, too.
    """
    assert verify(record).faults == []
    logs = {racer.player: racer.actions for racer in record.racers}
    assert logs.keys() == {racer.player for racer in crowd.people}
    for racer in crowd.people:
        acknowledged = [
            (answer["race"], n, answer["at_ms"], answer.get("from"), answer.get("to"), answer.get("cards"))
            for n, answer in sorted(racer.answers.items())
        ]
        remembered = [
            (record.race, n, entry.at_ms, entry.source, entry.target, entry.cards)
            for n, entry in enumerate(logs[racer.player], start=1)
        ]
        assert acknowledged == remembered, racer.name
        named = {(race, answer["race"]) for race, late in racer.earlier.items() for answer in late.values()}
        assert named == {(race, race) for race, late in racer.earlier.items() if late}, racer.name


def _judge_events(crowd: Crowd) -> None:
    """Everybody saw each event of the room once and in order, but for those that a snapshot stands for."""
    with crowd.fleet.contents() as redis:
        log = room_events(redis, crowd.room)
    visible = {}
    for seq, event in enumerate(log, start=1):
        message = room_messages.message_of(event, seq, 0)
        if message is not None:
            visible[seq] = _lasting(msgspec.to_builtins(message))
    for racer in crowd.people:
        skipped: set[int] = set()
        for before, after in racer.jumps:
            skipped.update(range(before + 1, after + 1))
        due = {seq: visible[seq] for seq in visible if seq <= racer.seq and seq not in skipped}
        assert [seq for seq, _ in racer.events] == sorted(due), racer.name
        assert {seq: _lasting(message) for seq, message in racer.events} == due, racer.name


def _lasting(message: Message) -> Message:
    won = message["type"] == "racer_won"
    return {name: value for name, value in message.items() if won or name not in _OF_THE_MOMENT}


async def _judge_results(crowd: Crowd, record: FinishedRace) -> None:
    """Everybody has the results of the record, and so has every server that lives."""
    results = msgspec.to_builtins(record.results)
    for racer in crowd.people:
        assert racer.over[crowd.races] == results, racer.name
    for server in crowd.fleet.living:
        assert await _as_seen_at(server, crowd.room) == results


async def _judge_leaderboard(crowd: Crowd, record: FinishedRace) -> None:
    """The results reach the leaderboards: of each winner the best time that any race of the room has seen.

    A board keeps the best lines only; of equal ones those whose player comes first, as sorted sets do.
    """
    best = crowd.best.setdefault(record.code, {})
    for result in record.results:
        if result.state is RacerState.WON:
            best[result.player] = min(result.reached_ms, best.get(result.player, result.reached_ms))
    with crowd.fleet.contents() as redis:
        await until(lambda: not redis.exists(PREFIX + keys.projections_schedule()), within=20)
        lines = redis.zrange(PREFIX + keys.board(record.code, "time"), 0, -1, withscores=True)
    kept = sorted((value, player) for player, value in best.items())[:KEPT]
    assert [(value, player.decode()) for player, value in lines] == kept


async def _as_seen_at(server: Server, room: str) -> list[Message]:
    watcher = Racer("Watcher", lambda: server.address, random.randrange(2**32))
    watcher.live()
    try:
        async with asyncio.timeout(10):
            await watcher.ask("ping")
            seen = await watcher.ask("join", room=room, spectate=True)
            await watcher.ask("leave")
        return list(seen["results"])
    finally:
        await watcher.leave()
