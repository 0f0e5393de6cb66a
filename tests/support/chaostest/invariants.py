"""Invariants that hold after every chaos test."""

import asyncio
import random
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from racetest import until
from redis import Redis

from chaostest.client_group import ClientGroup
from chaostest.connection import Message
from chaostest.fleet import CLIENT_NAME, Fleet, Server
from chaostest.racing_client import RacingClient
from client_cli.core.verify import verify
from protocol.parts import RacerState
from protocol.record import FinishedRace
from server.core import events as ev
from server.core import room_messages
from server.services.leaderboards import KEPT
from server.store import keys
from server.store.redis.store import PREFIX

_VOLATILE_FIELDS: Final = {"clock_ms", "elapsed_ms", "starts_in_ms"}
"""Fields of an event that depend on when it was sent. The `at_ms` of a win does not."""


async def check_invariants(group: ClientGroup) -> None:
    """Check that logs, events, results and leaderboards of the race that has just ended agree everywhere."""
    errors = {client.name: client.errors for client in group.clients if client.errors}
    assert errors == {}
    record = await _record(group)
    _check_logs(group, record)
    _check_events(group)
    await _check_results(group, record)
    await _check_leaderboard(group, record)


async def stop_and_check(group: ClientGroup | None, fleet: Fleet, *, expected: str = "") -> None:
    """Disconnect every client and stop every server; check that the store has no key without an owner.

    No server may have logged an error, except those that contain `expected`.
    """
    if group is not None:
        await group.leave()
    for server in fleet.running:
        await until(partial(_has_no_clients, server))
    stopped = {server.node for server in fleet.running}
    for server in fleet.running:
        await server.stop()
    for server in fleet.servers:
        assert [line for line in server.logged_errors() if not expected or expected not in line] == []
    for url in fleet.store_urls:
        with Redis.from_url(url, client_name=CLIENT_NAME) as redis:
            assert redis.pubsub_channels() == []
            assert {client["name"] for client in redis.client_list()} == {CLIENT_NAME}
    with fleet.contents() as redis:
        assert keys_without_owner(redis) == set()
        assert stopped.isdisjoint(nodes_with_keys(redis))


def _has_no_clients(server: Server) -> bool:
    return connections_to(server.address[1]) == 0


def nodes_with_keys(redis: Any, prefix: str = PREFIX) -> set[str]:
    """Return the nodes that have a heartbeat in the store; that of a killed node stays for some seconds."""
    signs = {
        key.decode().removeprefix(prefix + keys.node("")) for key in redis.scan_iter(prefix + keys.node("*"))
    }
    return signs | {node.decode() for node in redis.zrange(prefix + keys.nodes_schedule(), 0, -1)}


def keys_without_owner(redis: Any, prefix: str = PREFIX) -> set[str]:
    """Return the keys without expiry that belong to no scheduled room and to no leaderboard."""
    found = {key.decode() for key in redis.scan_iter(f"{prefix}*")}
    owned = {f"{prefix}{key}" for key in _owned(redis, prefix, found)}
    return found - owned


def _owned(redis: Any, prefix: str, found: Iterable[str]) -> Iterable[str]:
    yield from (keys.data_format(), keys.clock_log(), keys.rooms_schedule(), keys.nodes_schedule())
    rooms = {item.decode() for item in redis.zrange(prefix + keys.rooms_schedule(), 0, -1)}
    codes: set[str] = set()
    for key in found:
        kind, _, rest = key.removeprefix(prefix).partition(":")
        if kind == "{room" and rest.endswith("}:log") and rest.removesuffix("}:log") in rooms:
            yield from _owned_by_room(redis, prefix, rest.removesuffix("}:log"), codes)
        elif kind in ("player", "node") and redis.ttl(key) != -1:
            yield key.removeprefix(prefix)
    for code in codes:
        for kind in ("time", "score", "moves"):
            yield keys.leaderboard(code, kind)
            yield f"{keys.leaderboard(code, kind)}:details"


def _owned_by_room(redis: Any, prefix: str, room: str, codes: set[str]) -> Iterable[str]:
    yield keys.room_log(room)
    for event in room_events(redis, room, prefix):
        if isinstance(event, ev.RaceStarted):
            codes.add(event.code)
            yield from (keys.game_log(room, event.race, player) for player, _ in event.racers)


def room_events(redis: Any, room: str, prefix: str = PREFIX) -> list[ev.Event]:
    """Return the log of a room from the store."""
    return [ev.from_bytes(entry) for entry in redis.lrange(prefix + keys.room_log(room), 0, -1)]


def connections_to(port: int) -> int:
    """Count the sockets of a server on this port, including those that the client has closed."""
    address = f":{port:04X}"
    listening, closed = "0A", ("06", "04", "05")
    count = 0
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, _, state, *_ = line.split()
        count += local.endswith(address) and state != listening and state not in closed
    return count


async def _record(group: ClientGroup) -> FinishedRace:
    answer = await group.host.ask("get_record", race=group.races)
    assert answer["type"] == "record", answer
    return msgspec.convert(answer["record"], FinishedRace)


def _check_logs(group: ClientGroup, record: FinishedRace) -> None:
    """Check that the logs have every acknowledged action once, in order, unchanged, and nothing else.

    An answer that came after its race must name that race.
    """
    assert verify(record).faults == []
    logs = {racer.player: racer.actions for racer in record.racers}
    assert logs.keys() == {client.player for client in group.clients}
    for client in group.clients:
        acknowledged = [
            (answer["race"], n, answer["at_ms"], answer.get("from"), answer.get("to"), answer.get("cards"))
            for n, answer in sorted(client.answers.items())
        ]
        logged = [
            (record.race, n, entry.at_ms, entry.source, entry.target, entry.cards)
            for n, entry in enumerate(logs[client.player], start=1)
        ]
        assert acknowledged == logged, client.name
        named = {(race, answer["race"]) for race, late in client.earlier.items() for answer in late.values()}
        assert named == {(race, race) for race, late in client.earlier.items() if late}, client.name


def _check_events(group: ClientGroup) -> None:
    """Check that every client received each event once and in order, except those a snapshot replaces."""
    with group.fleet.contents() as redis:
        log = room_events(redis, group.room)
    visible = {}
    for seq, event in enumerate(log, start=1):
        message = room_messages.message_of(event, seq, 0)
        if message is not None:
            visible[seq] = _lasting(msgspec.to_builtins(message))
    for client in group.clients:
        skipped: set[int] = set()
        for before, after in client.jumps:
            skipped.update(range(before + 1, after + 1))
        due = {seq: visible[seq] for seq in visible if seq <= client.seq and seq not in skipped}
        assert [seq for seq, _ in client.events] == sorted(due), client.name
        assert {seq: _lasting(message) for seq, message in client.events} == due, client.name


def _lasting(message: Message) -> Message:
    won = message["type"] == "racer_won"
    return {name: value for name, value in message.items() if won or name not in _VOLATILE_FIELDS}


async def _check_results(group: ClientGroup, record: FinishedRace) -> None:
    """Check that every client and every running server have the results of the record."""
    results = msgspec.to_builtins(record.results)
    for client in group.clients:
        assert client.results[group.races] == results, client.name
    for server in group.fleet.running:
        assert await _results_at(server, group.room) == results


async def _check_leaderboard(group: ClientGroup, record: FinishedRace) -> None:
    """Check that the leaderboard has the best time of each winner in all races of the room.

    It keeps the best rows only; of equal ones those whose player id comes first, like a sorted set.
    """
    best = group.best.setdefault(record.code, {})
    for result in record.results:
        if result.state is RacerState.WON:
            best[result.player] = min(result.reached_ms, best.get(result.player, result.reached_ms))
    with group.fleet.contents() as redis:
        await until(lambda: not redis.exists(PREFIX + keys.projections_schedule()), within=20)
        lines = redis.zrange(PREFIX + keys.leaderboard(record.code, "time"), 0, -1, withscores=True)
    kept = sorted((value, player) for player, value in best.items())[:KEPT]
    assert [(value, player.decode()) for player, value in lines] == kept


async def _results_at(server: Server, room: str) -> list[Message]:
    watcher = RacingClient("Watcher", lambda: server.address, random.randrange(2**32))
    watcher.start_client()
    try:
        async with asyncio.timeout(10):
            await watcher.ask("ping")
            seen = await watcher.ask("join", room=room, spectate=True)
            await watcher.ask("leave")
        return list(seen["results"])
    finally:
        await watcher.leave()
