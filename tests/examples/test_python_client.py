"""The example client in Python."""

import asyncio
import runpy
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pytest
from racetest import CODE, PATIENCE_S, Connect, StartNode, detour, solution
from websockets.asyncio.server import ServerConnection, serve

from engine import Game, GameCode, deal
from server.core.rules import Rules

EXAMPLE = Path(__file__).parents[2] / "examples" / "python_client.py"


def typed(step: dict[str, int]) -> str:
    return "move {from} {to} {cards}".format(**step)


def field(line: str, name: str) -> str:
    return line.partition(f"{name}='")[2].partition("'")[0]


def test_it_is_short_and_needs_two_packages() -> None:
    """Somebody who copies it reads all of it."""
    lines = EXAMPLE.read_text().splitlines()
    assert len(lines) < 155
    start = lines.index("from typing import Any") + 2
    imports = [line.split()[1] for line in lines[start : lines.index("Message = dict[str, Any]")] if line]
    assert imports == ["msgpack", "websockets"]


async def test_it_wins_a_race_that_is_typed(node: StartNode, person: Connect, run: Any) -> None:
    """In a pipe: it waits for the race, plays it, and ends with it."""
    ada = await person(await node(), "Ada")
    ben = await run("python_client.py", ada.url, await ada.create(CODE), "Ben")
    ben.types("ready", "auto_move 0", "undo", "restart", *map(typed, detour()))
    await ada.expect("ready_changed", ready=True)
    await ada.start()
    assert await ben.ends() == 0
    assert ben.printed[-1] == "the race is over"
    won = await ada.expect("racer_won")
    assert (won["moves"], won["score"]) == (len(detour()), 900 - len(detour()))
    record = (await ada.ask("get_record", race=1))["record"]
    types = [each["type"] for each in record["racers"][0]["actions"]]
    assert types == ["auto_move", "undo", "restart", *["move"] * len(detour())]


@pytest.mark.parametrize("before", [(), ("ready",)])
async def test_it_leaves_when_its_input_ends_after_the_race(
    node: StartNode, person: Connect, run: Any, before: tuple[str, ...]
) -> None:
    """It does not wait for a race that nobody can play in it."""
    ada = await person(await node(rules=Rules(forfeit_undo_ms=30)), "Ada")
    ben = await run("python_client.py", ada.url, await ada.create(CODE), "Ben")
    ben.types("ready", "forfeit")
    await ada.expect("ready_changed", ready=True)
    await ada.start()
    await ben.prints("type='race_ended'")
    ben.types(*before)
    assert await ben.ends() == 0
    assert ben.printed[-1] == "left"
    assert (await ada.expect("member_left"))["reason"] == "left"


async def test_it_shows_the_board_of_the_server(node: StartNode, person: Connect, run: Any) -> None:
    """Also after a complete run and after an undo, of which only the server knows the result."""
    ada = await person(await node(), "Ada")
    ben = await run("python_client.py", ada.url, await ada.create(CODE), "Ben")
    steps = solution()[:-1]
    game = Game(deal(GameCode.parse(CODE)))
    for step in steps:
        game.move(step["from"], step["to"], step["cards"])
    runs = game.runs
    game.undo()
    ben.types("ready", *map(typed, steps), "undo")
    await ada.expect("ready_changed")
    await ada.start()
    await ben.prints(f"type='accepted' race=1 n={len(steps) + 1} ")
    await ben.prints("type='game'")
    board = [(await ben.prints(f" {column}: ")).split()[1:] for column in range(10)]
    assert runs > 0
    assert board == game.board.columns_text()


@pytest.mark.parametrize(("second", "same"), [("Ben", True), ("Cleo", False)])
async def test_it_keeps_the_identity_of_each_name(
    node: StartNode, person: Connect, run: Any, tmp_path: Path, second: str, *, same: bool
) -> None:
    """The file with the token can be read only by its owner."""
    ada = await person(await node(), "Ada")
    room = await ada.create(CODE)
    players = []
    for name in ("Ben", second):
        ben = await run("python_client.py", ada.url, room, name)
        welcome = await ben.prints("type='welcome'")
        assert "token" not in welcome
        players.append(field(welcome, "player"))
        ben.types("leave")
        assert await ben.ends() == 0
        assert ben.printed[-1] == "left"
    assert (players[0] == players[1]) is same
    kept = [each.stat().st_mode & 0o777 for each in tmp_path.glob("simonrace-*.json")]  # noqa: ASYNC240
    assert kept == [0o600] * (1 if same else 2)


async def test_it_ends_with_the_reason_when_it_must_not_reconnect(
    node: StartNode, person: Connect, run: Any
) -> None:
    ada = await person(await node(), "Ada")
    lost = await run("python_client.py", ada.url, "BBBBB", "Ben")
    assert await lost.ends() == 0
    assert lost.printed[-1] == "No room has this code. Check the code, or create a room."
    ben = await run("python_client.py", ada.url, await ada.create(CODE), "Ben")
    joined = await ada.expect("member_joined")
    await ada.do("kick", player=joined["member"]["player"])
    assert await ben.ends() == 0
    assert ben.printed[-1] == "kicked"


async def test_it_opens_a_room_on_a_named_deal(node: StartNode, person: Connect, run: Any) -> None:
    where = await node()
    ben = await run("python_client.py", "ws://{}:{}".format(*where.address), "new", "Ben", f"code={CODE}")
    room = field(await ben.prints("type='room'"), "room")
    ada = await person(where, "Ada")
    assert (await ada.join(room))["named_code"] is True


async def test_it_reads_the_last_messages_although_it_is_about_to_send(tmp_path: Path) -> None:
    """A bot thinks between two messages; it must not miss when to reconnect."""
    entered: list[float] = []

    async def restart(connection: ServerConnection) -> None:
        entered.append(asyncio.get_running_loop().time())
        await connection.recv()
        await connection.send(msgpack.packb({"type": "welcome", "player": "ada"}))
        await connection.send(msgpack.packb({"type": "notice", "code": "restarting", "retry_in_ms": 500}))
        await connection.close(1012)

    client = runpy.run_path(str(EXAMPLE))["Client"]
    async with serve(restart, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        ada = client(f"ws://127.0.0.1:{port}", "BKMRT", "Ada")
        ada.file = tmp_path / "ada.json"

        async def think(_: dict[str, Any]) -> None:
            ada.over = "enough" if len(entered) == 2 else ""
            await ada.socket.wait_closed()
            await ada.send(type="ping")

        ada.on_message = think
        async with asyncio.timeout(PATIENCE_S):
            assert await ada.run() == "enough"
    assert entered[1] - entered[0] >= 0.5


@pytest.mark.parametrize(("code", "more"), [("rate_limited", {}), ("busy", {"retry_in_ms": 600})])
async def test_it_sends_nothing_during_a_required_pause(
    tmp_path: Path, code: str, more: dict[str, int]
) -> None:
    """Messages that are typed meanwhile wait too."""
    received: list[tuple[float, dict[str, Any]]] = []
    action = {"type": "auto_move", "from": 0, "race": 3, "n": 1}

    async def haste(connection: ServerConnection) -> None:
        async def send(**message: Any) -> None:
            await connection.send(msgpack.packb(message))

        async def receive() -> None:
            message = msgpack.unpackb(await connection.recv())
            received.append((asyncio.get_running_loop().time(), message))

        await receive()
        await send(type="welcome", player="ada")
        await receive()  # `join`
        await receive()  # `get_game`
        await send(type="room", room="BKMRT", seq=1)
        await send(type="game", race=3, game={"n": 0, "columns": [["KS"], []]})
        await receive()
        await send(type="refused", race=2, n=1, code="not_racing")  # an answer of another race
        await send(type="refused", race=3, n=1, code=code, **more)
        async with asyncio.TaskGroup() as both:
            impatient = both.create_task(types_on())
            await receive()
            impatient.cancel()
        await connection.close(1000)

    async def types_on() -> None:
        while True:
            await ada.submit({"type": "ping"})
            await asyncio.sleep(0.02)

    async with serve(haste, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        ada = runpy.run_path(str(EXAMPLE))["Client"](f"ws://127.0.0.1:{port}", "BKMRT", "Ada")
        ada.file = tmp_path / "ada.json"
        await ada.submit({"type": "auto_move", "from": 0})
        async with asyncio.timeout(PATIENCE_S):
            await ada.run()
    (sent, first), (again, second) = received[-2:]
    assert (first, second) == (action, action)
    assert again - sent >= more.get("retry_in_ms", 1000) / 1000
