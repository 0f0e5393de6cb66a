"""The terminal client as people run it: its own process, a real server's process, real sockets."""

import asyncio
import contextlib
import json
import os
import pty
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest

from client_cli.core.addresses import Server
from client_cli.net.local_server import local_server
from engine import Game, GameCode, Move, deal
from engine.solver import Solved, solve

CODE: Final = "SS1-S1-AAAAABD"
PATIENCE_SECONDS: Final = 60.0


def winning_moves() -> list[Move]:
    found = solve(deal(GameCode.parse(CODE)))
    assert isinstance(found, Solved)
    return list(found.moves)


def winning_lines() -> list[str]:
    return [move.text() for move in winning_moves()]


class Person:
    """A user whose client runs in a pipe."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines: list[str] = []
        self._at = 0
        self._errors = ""

    async def type(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        await self.process.stdin.drain()

    async def sees(self, start: str) -> dict[str, str]:
        """Skip to the next line that begins with this text, and return its values."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                while self._at < len(self.lines):
                    line = self.lines[self._at]
                    self._at += 1
                    if line.startswith(start):
                        return dict(pair.split("=", 1) for pair in line.split() if "=" in pair)
                await self._read()

    async def ends(self) -> int:
        """Close the input, read what is left, and return the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        async with asyncio.timeout(PATIENCE_SECONDS):
            with contextlib.suppress(EOFError):
                while True:
                    await self._read()
            return await self.process.wait()

    async def errors(self) -> str:
        assert self.process.stderr is not None
        self._errors += (await self.process.stderr.read()).decode()
        return self._errors

    async def _read(self) -> None:
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        if not line:
            raise EOFError(f"it ended after: {self.lines[-5:]}\n{await self.errors()}")
        self.lines.append(line.decode().rstrip("\n"))


Run = Callable[..., Awaitable[Person]]


@pytest.fixture
async def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    async with local_server() as started:
        yield started


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    others = {name: value for name, value in os.environ.items() if not name.startswith("SIMONRACE_")}
    return {**others, "SIMONRACE_HOME": str(tmp_path / "home"), "PYTHONUTF8": "1", "LANG": "C.UTF-8"}


@pytest.fixture
async def simonrace(environment: dict[str, str]) -> AsyncIterator[Run]:
    """Run the client in a pipe."""
    people: list[Person] = []

    async def run(*words: str, server: Server | None = None) -> Person:
        where = {"SIMONRACE_SERVER": server.url} if server else {}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "client_cli.cli.main", *words),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**environment, **where},
        )
        people.append(Person(process))
        return people[-1]

    yield run
    for person in people:
        if person.process.returncode is None:
            person.process.kill()
        await person.process.communicate()


class Proxy:
    """Proxy between client and server that can cut every connection."""

    def __init__(self, target: Server) -> None:
        self._port = urlsplit(target.url).port
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self.connections = 0

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            writer.close()
            return
        self._writers |= {writer, there_writer}
        for source, drain in ((reader, there_writer), (there_reader, writer)):
            self._tasks.add(asyncio.create_task(self._pump(source, drain)))

    async def _pump(self, source: asyncio.StreamReader, drain: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                drain.write(data)
                await drain.drain()
        drain.close()

    def cut(self) -> None:
        """Break every connection without a close frame, as a network does."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def close(self) -> None:
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@pytest.fixture
async def proxy(server: Server) -> AsyncIterator[tuple[Proxy, Server]]:
    between = Proxy(server)
    listening = await asyncio.start_server(between.pass_on, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    yield between, Server(f"ws://127.0.0.1:{port}")
    listening.close()
    await between.close()


async def test_two_people_race_in_pipes_to_the_end(simonrace: Run, server: Server, tmp_path: Path) -> None:
    """Create, join, ready, start, moves, results, save the race, verify it."""
    ada = await simonrace("create", "--name", "Ada", "--code", CODE, "--countdown", "1", server=server)
    link = (await ada.sees("share"))["link"]
    ming = await simonrace("join", link, "--name", "陳小明")
    await ming.sees("room")
    await ming.type("ready")
    await ada.sees("ready_changed name=陳小明")

    await ada.type("ready", "start", "11 2", "jump", "1 1", *winning_lines())
    won = await ada.sees("racer_won name=Ada")
    await ming.type("3", "undo", *winning_lines())
    moves = len(winning_moves())
    assert (won["moves"], won["score"]) == (str(moves), str(900 - moves))
    results = [await ada.sees("result rank=1"), await ada.sees("result rank=2")]
    assert [(each["name"], each["state"]) for each in results] == [("Ada", "won"), ("陳小明", "won")]

    kept = tmp_path / "race.json"
    await ada.type(f"save {kept}", f"leaderboard {CODE}", "chat well played")
    assert (await ada.sees("leaderboard by=time rank=1"))["name"] == "Ada"
    await ada.sees("chat_message name=Ada")
    assert await ada.ends() == 0
    assert await ming.ends() == 0
    assert 'problem text="There is no such column. Columns are numbered from 1 to 10."' in ada.lines
    assert "refused race=1 n=1 code=same_column" in "\n".join(ada.lines)
    assert [line for line in ming.lines if line.startswith("result")] == [
        line for line in ada.lines if line.startswith("result")
    ]

    check = await simonrace("verify", str(kept))
    assert await check.ends() == 0
    assert check.lines == ["verified: 2 of 2 results replay to the same score"]

    record = json.loads(kept.read_text())
    record["results"][0]["score"] += 1
    kept.write_text(json.dumps(record))
    check = await simonrace("verify", str(kept))
    assert await check.ends() == 1
    assert check.lines == [
        f"result of Ada: score {901 - moves} in the file, {900 - moves} when replayed",
        "not verified: the file differs from the replay as listed; 1 of 2 scores are right",
    ]


async def test_a_script_needs_no_waiting(simonrace: Run, server: Server) -> None:
    """Everything is typed at once: moves wait for the race to start, the end of the input for its end."""
    alone = await simonrace("create", "--countdown", "0", "--code", CODE, "--json", server=server)
    await alone.type("ready", "start", *winning_lines())
    assert await alone.ends() == 0
    assert [line.split()[0] for line in alone.lines].count("accepted") == len(winning_moves())
    assert alone.lines[-1].startswith("result rank=1 ")
    assert " state=won " in alone.lines[-1]


async def test_the_client_leaves_a_room_without_racers_when_the_input_ends(
    simonrace: Run, server: Server
) -> None:
    """`simonrace create </dev/null` has nothing to wait for, and says so."""
    alone = await simonrace("create", "--name", "Ada", server=server)
    assert await alone.ends() == 0
    assert alone.lines[-2] == (
        'note text="The input has ended. You are not ready and nobody else is here, so you leave the room."'
    )


async def test_every_text_is_in_the_chosen_language(simonrace: Run, server: Server) -> None:
    """Help, usage errors, texts of events, of a verification and of a command that fails."""
    page = await simonrace("--lang", "zh-Hant", "spectate", "--help")
    assert await page.ends() == 0
    assert page.lines[0] == "用法：python -m client_cli.cli.main spectate [選項] 房間"
    alone = await simonrace("create", "--lang", "zh_TW", server=server)
    await alone.type("jump")
    assert await alone.ends() == 0
    assert 'problem text="沒有「jump」這個指令。輸入 help 看全部指令。"' in alone.lines
    lost = await simonrace("join", "NOSUCH", "--lang", "zh-Hant", server=server)
    assert await lost.ends() == 1
    assert await lost.errors() == "錯誤：沒有這個代碼的房間。請檢查代碼，或開一個房間。\n"


async def test_a_spectator_in_another_terminal_does_not_replace_a_racer(
    simonrace: Run, server: Server
) -> None:
    """Neither with the name that was used last nor with the racer's own name."""
    ada = await simonrace("create", "--name", "Ada", "--countdown", "0", "--code", CODE, server=server)
    link = (await ada.sees("share"))["link"]
    await ada.type("ready", "start")
    await ada.sees("race_started race=1")
    for words in ((), ("--name", "Ada")):
        watcher = await simonrace("spectate", link, *words)
        await watcher.sees("room")
        await ada.sees("member_joined")
        await watcher.type("quit")
        assert await watcher.ends() == 0
        await ada.sees("member_left")
    await ada.type(*winning_lines())
    await ada.sees("racer_won name=Ada")
    assert await ada.ends() == 0


async def test_play_creates_a_room_and_starts_a_race(simonrace: Run, server: Server) -> None:
    alone = await simonrace("play", CODE, "--name", "Ada", server=server)
    assert (await alone.sees("race_started race=1"))["code"] == CODE
    await alone.type(*winning_lines(), "save", "board", "quit")
    assert await alone.ends() == 0
    assert any(line.startswith("racer_won name=Ada ") for line in alone.lines)


async def test_a_cut_connection_loses_no_move(simonrace: Run, proxy: tuple[Proxy, Server]) -> None:
    """The connection breaks several times during a race: no move is lost, none is made twice."""
    between, address = proxy
    ada = await simonrace("create", "--name", "Ada", "--countdown", "0", "--code", CODE, server=address)
    await ada.type("ready", "start")
    await ada.sees("race_started race=1")
    lines = winning_lines()
    third = len(lines) // 3
    for part in (lines[:third], lines[third : 2 * third], lines[2 * third :]):
        await ada.type(*part[:-1])
        between.cut()
        await ada.type(part[-1])
        await ada.sees("connection state=lost")
        await ada.sees("connection state=back")
    won = await ada.sees("racer_won name=Ada")
    assert won["moves"] == str(len(lines))
    assert await ada.ends() == 0
    numbers = [int(line.split()[2].removeprefix("n=")) for line in ada.lines if line.startswith("accepted")]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == len(lines)
    assert not [line for line in ada.lines if line.startswith("refused")]
    assert between.connections == 4


async def test_a_player_who_returns_later_has_the_same_seat_and_game(
    simonrace: Run, server: Server, tmp_path: Path
) -> None:
    """The identity is kept: after the program was killed, the same room has the same board."""
    ada = await simonrace("create", "--name", "Ada", "--countdown", "0", "--code", CODE, server=server)
    room = (await ada.sees("room "))["room"]
    await ada.type("ready", "start", *winning_lines()[:5], "board")
    await ada.sees("accepted race=1 n=5")
    board = await ada.sees("game n=5")
    ada.process.kill()
    again = await simonrace("join", room.lower(), server=server)
    assert (await again.sees("game n=5")) == board
    await again.type(*winning_lines()[5:])
    assert (await again.sees("racer_won "))["name"] == "Ada"
    assert await again.ends() == 0
    [kept] = json.loads((tmp_path / "home" / "identities.json").read_text())["servers"].values()
    assert list(kept) == ["ada"]


async def test_a_client_gets_a_new_identity_from_a_server_that_lost_the_old_one(
    simonrace: Run, server: Server, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    lost = {"last_name": "Ada", "servers": {server.url: {"ada": {"player": "x" * 12, "token": "y" * 32}}}}
    (home / "identities.json").write_text(json.dumps(lost))
    ada = await simonrace("create", server=server)
    await ada.sees("note text=")
    await ada.sees("room ")
    await ada.type("quit")
    assert await ada.ends() == 0
    [kept] = json.loads((home / "identities.json").read_text())["servers"].values()
    assert kept["ada"]["player"] != "x" * 12


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("join NOSUCH --name Ben", "No room has this code. Check the code, or create a room."),
        ("join {room} --name Ben", "The password of the room is missing or wrong."),
        ("join {room} --name Ben --password wrong", "The password of the room is missing or wrong."),
        ("watch {room} --name \u202eBen", "A name has 1 to 24 visible characters"),
    ],
)
async def test_a_room_that_cannot_be_entered_is_reported_in_a_sentence(
    simonrace: Run, server: Server, words: str, sentence: str
) -> None:
    host = await simonrace("create", "--name", "Host", "--password", "pw", server=server)
    room = (await host.sees("room "))["room"]
    other = await simonrace(*words.format(room=room).split(), server=server)
    assert await other.ends() == 1
    assert (await other.errors()).startswith(f"Error: {sentence}")


async def test_a_removed_member_is_told_and_the_client_ends(simonrace: Run, server: Server) -> None:
    host = await simonrace("create", "--name", "Host", "--max-members", "2", server=server)
    room = (await host.sees("room "))["room"]
    ben = await simonrace("join", room, "--name", "Ben", server=server)
    await ben.sees("room ")
    full = await simonrace("join", room, "--name", "Cleo", server=server)
    assert await full.ends() == 1
    assert await full.errors() == "Error: The room is full.\n"
    await host.sees("member_joined name=Ben")
    await host.type("kick ben", "lock")
    await ben.sees("member_left name=Ben reason=kicked")
    assert await ben.ends() == 1
    assert await ben.errors() == "Error: The host removed you from this room.\n"
    await host.sees("lock_changed locked=yes")
    late = await simonrace("join", room, "--name", "Dora", server=server)
    assert await late.ends() == 1
    assert await late.errors() == "Error: The host has locked the room.\n"


async def test_a_server_of_another_kind_is_reported(simonrace: Run) -> None:
    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
        await writer.drain()
        writer.close()

    listening = await asyncio.start_server(greet, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    ada = await simonrace("create", "--server", f"ws://127.0.0.1:{port}")
    assert await ada.ends() == 1
    assert (await ada.errors()).startswith(
        f"Error: ws://127.0.0.1:{port} does not answer as a Simon Race server ("
    )
    listening.close()
    await listening.wait_closed()


async def test_the_full_screen_restores_the_terminal(server: Server, environment: dict[str, str]) -> None:
    """Ctrl-C ends the client without a traceback."""
    ours, theirs = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "client_cli.cli.main", "create", "--line", "--name", "陳小明"),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        env={**environment, "SIMONRACE_SERVER": server.url, "TERM": "xterm-256color"},
    )
    os.close(theirs)
    loop, shown, news = asyncio.get_running_loop(), bytearray(), asyncio.Event()

    def read() -> None:
        try:
            shown.extend(os.read(ours, 65536))
        except OSError:  # the other end is closed
            loop.remove_reader(ours)
        news.set()

    async def until(text: str) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while text not in shown.decode(errors="ignore"):
                news.clear()
                await news.wait()

    loop.add_reader(ours, read)
    try:
        await until("陳小明 ")
        os.write(ours, b"jump\n")
        await until("There is no command 'jump'")
        process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), PATIENCE_SECONDS) == 130
        await until("\x1b[?1049l")
    finally:
        loop.remove_reader(ours)
        os.close(ours)
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert shown.startswith(b"\x1b[?1049h")
    assert b"Traceback" not in shown


async def test_the_demo_shows_a_race_and_verifies_it(environment: dict[str, str], tmp_path: Path) -> None:
    """At a higher speed than usual; only the saved race is left behind."""
    left = tmp_path / "left"
    left.mkdir()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "demo", "--speed", "3", "--code", CODE, "--seed", "7"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**environment, "TMPDIR": str(left)},
    )
    async with asyncio.timeout(PATIENCE_SECONDS):
        output, errors = await process.communicate()
    lines = output.decode().splitlines()
    assert errors.decode() == ""
    assert process.returncode == 0
    assert lines[-1] == "verified: 4 of 4 results replay to the same score"
    winner = next(line.split() for line in lines if line.startswith("  1 "))
    assert winner[-1] == "4"
    [kept] = left.iterdir()
    assert f"The race is saved in {kept}" in lines
    record = json.loads(kept.read_text())
    assert [len(record[each]) for each in ("racers", "results")] == [4, 4]
    assert {each["state"] for each in record["results"]} == {"won", "forfeited"}


def test_the_solution_that_these_tests_type_wins() -> None:
    game = Game(deal(GameCode.parse(CODE)))
    for move in winning_moves():
        game.move(*move)
    assert game.is_won
