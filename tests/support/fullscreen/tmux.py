"""A real terminal, that of tmux, in which the client runs: keys and the mouse go in, the screen comes out."""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from racetest import PATIENCE_S


class Terminal:
    """A terminal of tmux in which the client runs."""

    def __init__(self, socket: Path, name: str) -> None:
        self.socket, self.name = socket, name

    async def tmux(self, *words: str) -> str:
        process = await asyncio.create_subprocess_exec(
            *("tmux", "-S", str(self.socket), *words),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said, _ = await process.communicate()
        assert process.returncode == 0, said.decode()
        return said.decode()

    async def start(self, size: tuple[int, int], words: str, **environment: str) -> None:
        """Run the client, and stay when it has ended so that what it left can be read.

        LINES and COLUMNS, which readline leaves in the environment of a test run, would overrule the size.
        """
        given = " ".join(f"{key}={value!r}" for key, value in environment.items())
        client = f"env -u LINES -u COLUMNS {given} {sys.executable} -m client_cli.cli.main {words}"
        command = f"{client}; echo exit $?; exec sleep 600"
        width, height = map(str, size)
        await self.tmux("new-session", "-d", "-s", self.name, "-x", width, "-y", height, command)

    async def keys(self, *keys: str) -> None:
        await self.tmux("send-keys", "-t", self.name, *keys)

    async def mouse(self, *events: tuple[int, int, int, str]) -> None:
        """Send the mouse as terminals do, in SGR form: button, cell from the left and from above, M or m."""
        for button, x, y, final in events:
            told = f"\x1b[<{button};{x + 1};{y + 1}{final}"
            await self.keys("-H", *(f"{byte:02x}" for byte in told.encode()))

    async def screen(self, *options: str) -> str:
        return await self.tmux("capture-pane", "-p", "-t", self.name, *options)

    async def sees(self, words: str) -> str:
        """Wait until something stands on the screen, and return all of it.

        A screen may be half drawn when it is looked at, so what is returned has been seen twice.
        """
        return await self.shows(re.escape(words))

    async def shows(self, pattern: str) -> str:
        """The same for a pattern, which may go over lines."""
        text, before = "", ""
        try:
            async with asyncio.timeout(2 * PATIENCE_S):
                while (text := await self.screen()) != before or not re.search(pattern, text, re.DOTALL):
                    before = text
                    await asyncio.sleep(0.03)
        except TimeoutError:
            raise AssertionError(f"{self.name} waits for {pattern!r} and sees\n{text}") from None
        return text

    async def client(self) -> int:
        """Return the process id of the client: the only child of the shell in the terminal."""
        shell = (await self.tmux("list-panes", "-t", self.name, "-F", "#{pane_pid}")).strip()
        listed = await asyncio.create_subprocess_exec(
            *("ps", "-o", "pid=", "--ppid", shell), stdout=asyncio.subprocess.PIPE
        )
        said, _ = await listed.communicate()
        return int(said)


Open = Callable[..., Awaitable[Terminal]]
