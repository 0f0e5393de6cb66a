"""A local server for a while: a process on a free port with a private data folder."""

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from client_cli.core.addresses import Server
from client_cli.core.errors import Failure

START_SECONDS: Final = 30.0
STOP_SECONDS: Final = 10.0
_LISTENS: Final = re.compile(r"listens on (ws://\S+)")


SERVER: Final = (sys.executable, "-m", "server.main")
"""Command that runs a server. The client never imports the server's code."""


@asynccontextmanager
async def local_server(program: Sequence[str] = SERVER) -> AsyncIterator[Server]:
    """Run a server, then stop it and remove its data. Raises Failure if it does not start."""
    with tempfile.TemporaryDirectory(prefix="simonrace-", ignore_cleanup_errors=True) as folder:
        log = Path(folder) / "server.log"
        with log.open("wb") as errors:
            process = await asyncio.create_subprocess_exec(
                *program,
                *("--host", "127.0.0.1", "--port", "0", "--data", str(Path(folder) / "data")),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                env=_environment(),
            )
        try:
            yield await _address(process, log)
        finally:
            await _stop(process)


def _environment() -> dict[str, str]:
    """Return the environment without the settings of other servers."""
    return {name: value for name, value in os.environ.items() if not name.startswith("SIMONRACE_")}


async def _address(process: asyncio.subprocess.Process, log: Path) -> Server:
    if process.stdout is None:
        raise ValueError("the server was started without a pipe")
    try:
        async with asyncio.timeout(START_SECONDS):
            async for line in process.stdout:
                found = _LISTENS.search(line.decode(errors="replace"))
                if found:
                    return Server.parse(found.group(1))
    except TimeoutError:
        raise Failure(f"the server did not start within {START_SECONDS:g} seconds") from None
    raise Failure(f"the server did not start: {_last_line(log)}")


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it printed no reason"


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
