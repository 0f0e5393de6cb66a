"""Measure the full screen: time from command to first screen, from key to redraw, and bytes per move.

    PYTHONPATH=tests/support python bench/full_screen.py

The client runs in a pseudo-terminal, with a real server. Start: from exec to the link of the room on the
screen. Redraw: from a key to the first bytes of the redraw. Bytes: all output for the keys of a move, for a
whole game, including the answer and the standings; those of the clock are counted separately.
"""

import asyncio
import os
import pty
import statistics
import struct
import sys
import termios
import time
from collections.abc import Awaitable, Callable
from fcntl import ioctl
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from racetest import CODE, Process, solution

SIZES: Final = ((80, 24), (160, 50))
STARTS: Final = 5
QUIET_SECONDS: Final = 0.12
"""The redraw is over after this long without output; the clock redraws once a second."""


class Pty:
    """The client in a pseudo-terminal; `seen` is its output."""

    def __init__(self, size: tuple[int, int], words: list[str], environment: dict[str, str]) -> None:
        self.seen = bytearray()
        self.last = 0.0
        self.news = asyncio.Event()
        self.began = time.perf_counter()
        self._pid, self._end = pty.fork()
        if self._pid == 0:
            command = [sys.executable, "-m", "client_cli.cli.main", *words]
            os.execve(sys.executable, command, environment)  # noqa: S606
        ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        asyncio.get_running_loop().add_reader(self._end, self._read)

    def _read(self) -> None:
        try:
            self.seen += os.read(self._end, 1 << 16)
        except OSError:
            asyncio.get_running_loop().remove_reader(self._end)
        self.last = time.perf_counter()
        self.news.set()

    async def until(self, words: str) -> float:
        """Wait until the output contains `words`; return the seconds since the start."""
        async with asyncio.timeout(20):
            while words.encode() not in self.seen:
                self.news.clear()
                await self.news.wait()
        return self.last - self.began

    async def press(self, keys: str) -> tuple[float, int]:
        """Press keys; return the seconds to the first byte of the redraw, and the number of bytes of it."""
        before = len(self.seen)
        self.news.clear()
        at = time.perf_counter()
        os.write(self._end, keys.encode())
        await self.news.wait()
        first = self.last - at
        while time.perf_counter() - self.last < QUIET_SECONDS:  # noqa: ASYNC110 - silence is no event
            await asyncio.sleep(QUIET_SECONDS / 4)
        return first, len(self.seen) - before

    def close(self) -> None:
        """End the client."""
        asyncio.get_running_loop().remove_reader(self._end)
        os.close(self._end)
        os.waitpid(self._pid, 0)


def table(what: str, seconds: list[float]) -> None:
    """Print a line of times in ms."""
    ordered = sorted(1000 * each for each in seconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    print(
        f"{what:34} median {statistics.median(ordered):7.1f} ms   p95 {p95:7.1f} ms   max {ordered[-1]:7.1f}"
    )


async def start(environment: dict[str, str]) -> None:
    """Measure the time from the command to the first screen."""
    taken = []
    for _ in range(STARTS + 1):
        client = Pty((80, 24), ["create", "--name", "Ada"], environment)
        taken.append(await client.until("simonrace join"))
        client.close()
    table("command to first screen", taken[1:])  # the first one fills the cache of the disk


async def play(size: tuple[int, int], environment: dict[str, str]) -> None:
    """Measure redraws and bytes of a whole game."""
    client = Pty(size, ["play", CODE, "--name", "Ada"], environment)
    await client.until("1-9 0")
    await asyncio.sleep(0.5)
    picks, drops, sent, shown = [], [], [], []
    for move in solution():
        first, shown_bytes = await client.press(str((move["from"] + 1) % 10))
        picks.append(first)
        shown.append(shown_bytes)
        first, sent_bytes = await client.press(str((move["to"] + 1) % 10))
        drops.append(first)
        sent.append(sent_bytes)
    client.close()
    name = f"{size[0]}x{size[1]}"
    table(f"{name} key to redraw (pick up)", picks)
    table(f"{name} key to redraw (drop, answered)", drops)
    print(f"{name} bytes: pick up {statistics.mean(shown):.0f}, drop and answer {statistics.mean(sent):.0f}")


async def idle(environment: dict[str, str]) -> None:
    """Measure the bytes of a running clock."""
    client = Pty((80, 24), ["play", CODE, "--name", "Ada"], environment)
    await client.until("1-9 0")
    await asyncio.sleep(1)
    before = len(client.seen)
    await asyncio.sleep(5)
    print(f"80x24 bytes of the clock: {(len(client.seen) - before) / 5:.0f} a second")
    client.close()


async def main() -> None:
    """Start a server and measure everything."""
    with TemporaryDirectory() as folder:
        server = await Process.serving("--data", Path(folder) / "data")
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("SIMONRACE_")},
            "SIMONRACE_SERVER": server.url,
            "SIMONRACE_HOME": str(Path(folder) / "home"),
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LANG": "C.UTF-8",
        }
        parts: list[Callable[[], Awaitable[None]]] = [
            lambda: start(environment),
            *(lambda size=size: play(size, environment) for size in SIZES),
            lambda: idle(environment),
        ]
        for part in parts:
            await part()
        await server.close()


if __name__ == "__main__":
    asyncio.run(main())
