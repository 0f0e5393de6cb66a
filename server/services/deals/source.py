"""Source of random game codes whose deals can be won: a worker process draws and solves them.

The worker (`python -m server.services.deals.drawing`) answers lines on its standard input and ends with it,
so it ends with its server, even with one that is killed.
"""

import asyncio
import secrets
import sys
from typing import Final

from engine.code import COUNT, GameCode

BOUND_S: Final = 5.0
"""Longest draw; after it the race gets a random code that was not solved."""


class DealSource:
    """Draws game codes, one at a time. `given_up` counts draws that took too long or lost their worker."""

    def __init__(self, bound_s: float = BOUND_S) -> None:
        self._bound_s = bound_s  # longest draw
        self._worker: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()  # held by the draw that the worker answers
        self.given_up = 0

    async def draw(self, suits: int, winnable: bool) -> str:
        """Return a random game code; if `winnable`, of a deal that can be won, if one is found in time."""
        if winnable:
            try:
                async with asyncio.timeout(self._bound_s), self._turn:
                    return await self._drawn(suits)
            except (TimeoutError, OSError, EOFError):
                self.given_up += 1
        return str(GameCode(suits, secrets.randbelow(COUNT)))

    async def _drawn(self, suits: int) -> str:
        """Return the worker's answer; end a worker that does not answer in time."""
        answered = False
        try:
            code = await self._ask(suits)
            answered = True
        finally:
            if not answered:
                await self.aclose()
        return code

    async def aclose(self) -> None:
        """End the worker."""
        worker, self._worker = self._worker, None
        if worker is not None and worker.returncode is None:
            worker.kill()
            await worker.wait()

    async def _ask(self, suits: int) -> str:
        if self._worker is None or self._worker.returncode is not None:
            self._worker = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "server.services.deals.drawing",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C in the terminal must not reach the worker
            )
        worker = self._worker
        if worker.stdin is None or worker.stdout is None:
            raise EOFError
        worker.stdin.write(b"%d\n" % suits)
        await worker.stdin.drain()
        line = await worker.stdout.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        return line.decode().strip()
