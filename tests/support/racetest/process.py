"""The command `simonrace-server` as a process of its own."""

import asyncio
import os
import re
import signal
import sys
import tempfile
from pathlib import Path
from typing import Self

_START_S = 20.0
_END_S = 20.0


class Process:
    """A server process, started from the command line; `url` once it listens."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.url = ""
        self._process = process
        self._errors: list[bytes] = []
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, *words: str | Path, **environment: str) -> Self:
        """Start the command with these options and environment variables."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SIMONRACE_")}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # a file in the temporary folder must not be imported in place of a library
            "-m",
            "server.main",
            *map(str, words),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**kept, **environment},
            cwd=tempfile.gettempdir(),  # what goes astray does not go astray here
            start_new_session=True,
        )
        return cls(process)

    @classmethod
    async def serving(cls, *words: str | Path, **environment: str) -> Self:
        """Start a server on a free port and wait until it listens."""
        server = await cls.start("--port", "0", *words, **environment)
        await server.listens()
        return server

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def errors(self) -> str:
        """What the process has written to standard error so far."""
        return b"".join(self._errors).decode()

    async def listens(self) -> None:
        """Wait for the line with the address."""
        assert self._process.stdout is not None
        async with asyncio.timeout(_START_S):
            line = (await self._process.stdout.readline()).decode()
        found = re.fullmatch(r"Simon Race listens on (ws://\S+)\n", line)
        assert found, f"it said {line!r} and {self.errors}"
        self.url = found[1]

    def kill(self) -> None:
        """Kill the process (SIGKILL)."""
        self._process.kill()

    def terminate(self) -> None:
        """Ask the process to stop (SIGTERM)."""
        self._process.send_signal(signal.SIGTERM)

    async def ended(self) -> int:
        """Wait until it has ended; return its exit code."""
        async with asyncio.timeout(_END_S):
            await self._reading
            return await self._process.wait()

    async def close(self) -> None:
        """Make sure that it has ended."""
        if self._process.returncode is None:
            self._process.kill()
        await self.ended()

    async def _read(self) -> None:
        assert self._process.stderr is not None
        async for line in self._process.stderr:
            self._errors.append(line)
