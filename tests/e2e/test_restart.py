"""Crashes and restarts of real processes during a race: nothing acknowledged is lost."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from racetest import CODE, Client, Process, endless, play_on, solution, until

from engine.code import GameCode
from engine.deal import deal
from engine.game import Game

NAMES = ("Ada", "Ben", "Cleo")
FAST = ("--messages-per-second", "100000", "--message-burst", "100000")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The data folder, the same after each restart."""
    return tmp_path / "data"


@pytest.fixture
async def server(folder: Path) -> AsyncIterator[Process]:
    """The first server on that folder."""
    server = await Process.serving("--data", folder, *FAST)
    yield server
    await server.close()


async def racing(url: str) -> list[Client]:
    """Start a race of several clients on a server."""
    racers = [Client(url, name) for name in NAMES]
    for racer in racers:
        await racer.open()
        await racer.hello()
    host, *others = racers
    room = await host.create(CODE)
    for other in others:
        await other.join(room)
    for racer in racers:
        await racer.ready()
    await host.start()
    for racer in racers:
        await racer.racing()
    return racers


def game_after(n: int) -> Game:
    """Return the game after `n` actions of the endless plan."""
    game = Game(deal(GameCode.parse(CODE)))
    for number in range(1, n + 1):
        step = endless(number)
        if step["type"] == "restart":
            game.restart()
        else:
            game.move(step["from"], step["to"], step["cards"])
    return game


async def play_until(racers: list[Client], enough: int) -> list[asyncio.Task[None]]:
    """Let all clients play until each has this many accepted actions."""
    playing = [asyncio.create_task(play_on(racer)) for racer in racers]
    await until(lambda: all(racer.n >= enough for racer in racers) or any(task.done() for task in playing))
    return playing


async def all_return(racers: list[Client], url: str) -> list[Client]:
    """Reconnect all clients; each has at least its accepted actions and exactly their board."""
    back = []
    for racer in racers:
        other = await racer.reconnect(url, seen=racer.seen)
        view = other.received[1]
        assert view["type"] in ("room", "resumed")
        game = view["game"]
        assert game["n"] >= racer.n, f"{racer.name} was promised {racer.n} actions: {game['n']} are left"
        expected = game_after(game["n"])
        assert game["columns"] == expected.board.columns_text()
        assert (game["score"], game["moves"]) == (expected.score, expected.moves)
        back.append(other)
    return back


async def win_in_turn(racers: list[Client]) -> None:
    """Let the clients end the race one after the other; all get the same results."""
    for racer in racers:
        if racer.n % 21 != 0:
            await racer.act("restart")
        await racer.moves(solution())
    results = (await racers[0].expect("race_ended"))["results"]
    assert [(row["name"], row["rank"], row["state"]) for row in results] == [
        (racer.name, place, "won") for place, racer in enumerate(racers, start=1)
    ]
    for racer in racers:
        await racer.close()


async def test_a_killed_server_loses_nothing(server: Process, folder: Path) -> None:
    """`kill -9` of the server, then another one on the same folder: every client resumes."""
    racers = await racing(server.url)
    playing = await play_until(racers, 60)
    server.kill()
    await asyncio.gather(*playing)
    await server.ended()
    second = await Process.serving("--data", folder, *FAST)
    try:
        back = await all_return(racers, second.url)
        await win_in_turn(back)
        second.terminate()
        assert await second.ended() == 0
        assert "Traceback" not in second.errors
    finally:
        await second.close()


async def test_a_killed_store_is_restarted_and_loses_nothing(server: Process, folder: Path) -> None:
    """`kill -9` of the private store: it is restarted, connections stay, no action is lost or made twice."""
    racers = await racing(server.url)
    playing = await play_until(racers, 60)
    before = int((folder / "store.pid").read_text())
    os.kill(before, signal.SIGKILL)
    reached = [racer.n for racer in racers]
    await until(lambda: all(racer.n > n + 60 for racer, n in zip(racers, reached, strict=True)))
    assert not any(task.done() for task in playing)
    assert int((folder / "store.pid").read_text()) != before
    server.terminate()
    await asyncio.gather(*playing)
    assert await server.ended() == 0
    assert [racer.socket.close_code for racer in racers] == [1012] * len(racers)
    second = await Process.serving("--data", folder, *FAST)
    try:
        await win_in_turn(await all_return(racers, second.url))
    finally:
        await second.close()


async def test_all_processes_killed_at_once_lose_nothing(server: Process, folder: Path) -> None:
    """`kill -9` of the store and the server at the same time."""
    racers = await racing(server.url)
    playing = await play_until(racers, 30)
    os.kill(int((folder / "store.pid").read_text()), signal.SIGKILL)
    server.kill()
    await asyncio.gather(*playing)
    await server.ended()
    second = await Process.serving("--data", folder, *FAST)
    try:
        await win_in_turn(await all_return(racers, second.url))
    finally:
        await second.close()


async def test_a_server_that_gets_sigterm_sends_a_notice_and_ends(server: Process) -> None:
    """A notice with `retry_in_ms`, 1012 and exit code 0, although one client does not read."""
    racers = await racing(server.url)
    stuck = racers[2]
    stuck.socket.transport.pause_reading()
    playing = await play_until(racers[:2], 10)
    started = asyncio.get_running_loop().time()
    server.terminate()
    await asyncio.gather(*playing)
    assert await server.ended() == 0
    assert asyncio.get_running_loop().time() - started < 8.0
    for racer in racers[:2]:
        assert await racer.closed() == (
            1012,
            "The server is restarting. Wait for a random time, then connect again.",
        )
        (notice,) = racer.messages("notice")
        assert notice["code"] == "restarting"
        assert 0 <= notice["retry_in_ms"] <= 3000
    for racer in racers:
        racer.abort()
    assert "Traceback" not in server.errors


async def test_a_folder_holds_one_server_at_a_time(server: Process, folder: Path) -> None:
    """A second one ends with a message that names the first, which is not disturbed."""
    second = await Process.start("--data", folder, "--port", "0")
    assert await second.ended() == 1
    assert second.errors == (
        f"simonrace-server: The data folder {folder} is in use by another server (process {server.pid}): "
        "stop that one, or choose another folder.\n"
    )
    ada = await Client(server.url, "Ada").open()
    await ada.hello()
    await ada.create()
    await ada.close()
