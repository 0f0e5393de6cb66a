"""Terminals of tmux in which the client runs: tests send keys and mouse events and read the screen."""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from racetest import PATIENCE_S


class Terminal:
    """A terminal of tmux with a running client."""

    def __init__(self, socket: Path, name: str) -> None:
        self.socket, self.name = socket, name

    async def tmux(self, *arguments: str) -> str:
        process = await asyncio.create_subprocess_exec(
            *("tmux", "-S", str(self.socket), *arguments),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await process.communicate()
        assert process.returncode == 0, output.decode()
        return output.decode()

    async def start(self, size: tuple[int, int], arguments: str, **environment: str) -> None:
        """Run the client. The terminal stays open afterwards, so that what the client left can be read.

        LINES and COLUMNS are unset: readline leaves them in the environment, and they override the size.
        """
        variables = " ".join(f"{key}={value!r}" for key, value in environment.items())
        client = f"env -u LINES -u COLUMNS {variables} {sys.executable} -m client_cli.cli.main {arguments}"
        command = f"{client}; echo exit $?; exec sleep 600"
        width, height = map(str, size)
        await self.tmux("new-session", "-d", "-s", self.name, "-x", width, "-y", height, command)

    async def keys(self, *keys: str) -> None:
        await self.tmux("send-keys", "-t", self.name, *keys)

    async def mouse(self, *events: tuple[int, int, int, str]) -> None:
        """Send mouse events in SGR form: button, column, line, and `M` (down) or `m` (up)."""
        for button, x, y, final in events:
            sequence = f"\x1b[<{button};{x + 1};{y + 1}{final}"
            await self.keys("-H", *(f"{byte:02x}" for byte in sequence.encode()))

    async def screen(self, *options: str) -> str:
        return await self.tmux("capture-pane", "-p", "-t", self.name, *options)

    async def wait_for(self, text: str) -> str:
        """Wait until a text is on the screen, and return the whole screen.

        A screen may be half drawn when it is captured, so two equal captures are needed.
        """
        return await self.wait_for_pattern(re.escape(text))

    async def wait_for_pattern(self, pattern: str) -> str:
        """Wait for a pattern, which may span lines, and return the whole screen."""
        text, before = "", ""
        try:
            async with asyncio.timeout(2 * PATIENCE_S):
                while (text := await self.screen()) != before or not re.search(pattern, text, re.DOTALL):
                    before = text
                    await asyncio.sleep(0.03)
        except TimeoutError:
            raise AssertionError(f"{self.name} waited for {pattern!r}; the screen is\n{text}") from None
        return text

    async def client_pid(self) -> int:
        """Return the process id of the client: the only child of the shell in the terminal."""
        shell = (await self.tmux("list-panes", "-t", self.name, "-F", "#{pane_pid}")).strip()
        listed = await asyncio.create_subprocess_exec(
            *("ps", "-o", "pid=", "--ppid", shell), stdout=asyncio.subprocess.PIPE
        )
        output, _ = await listed.communicate()
        return int(output)


Open = Callable[..., Awaitable[Terminal]]
