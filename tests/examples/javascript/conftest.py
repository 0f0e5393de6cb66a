"""The page in a minimal browser, and a player who reads it and clicks."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from racetest import PATIENCE_S

from engine import Board

PAGE: Final = Path(__file__).parents[3] / "examples" / "javascript" / "page.mjs"
ADDRESS: Final = "http://localhost:8000/"


class Page:
    """A page that runs under Node; it evaluates expressions of browser.mjs."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def __call__(self, expression: str) -> Any:
        """Return the value of an expression."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{expression}\n".encode())
        async with asyncio.timeout(2 * PATIENCE_S):
            return json.loads(await self.process.stdout.readline())

    async def enters(self, url: str, room: str, name: str = "Ben") -> None:
        """Fill in the form, and wait for the room."""
        await self(f"enter({url!r}, {room!r}, {name!r})")
        await self("until(() => lines('members').length)")

    async def clicks(self, column: int, count: int = 1) -> None:
        """Click on the first of the last `count` cards of a column, or on an empty column."""
        await self(f"click({column}, {count})")

    async def says(self, text: str) -> str:
        """Wait until the status contains `text`, and return the status."""
        await self(f"until(() => shown('status').includes({text!r}))")
        return str(await self("shown('status')"))

    async def shows(self, board: Board) -> None:
        """Wait until this is the board on the page."""
        cards = [[f"{card[0]}♠".replace("T", "10") for card in column] for column in board.columns_text()]
        await self(f"until(() => JSON.stringify(cards()) === JSON.stringify({json.dumps(cards)}))")


OpenPage: TypeAlias = Callable[..., Awaitable[Page]]


@pytest.fixture
async def page(node_js: str) -> AsyncIterator[OpenPage]:
    """Open pages, which are closed at the end."""
    processes: list[asyncio.subprocess.Process] = []

    async def node(*arguments: str) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        processes.append(await asyncio.create_subprocess_exec(node_js, *arguments, stdin=pipe, stdout=pipe))
        return processes[-1]

    async def opened(address: str = ADDRESS) -> Page:
        # Node 20 has WebSocket behind a flag that later ones lack.
        asked, _ = await (await node("-p", "typeof WebSocket")).communicate()
        flag = () if asked == b"function\n" else ("--experimental-websocket",)
        browser = str(Path(__file__).parent / "browser.mjs")
        return Page(await node(*flag, "--no-warnings", browser, PAGE.as_uri(), address))

    yield opened
    for process in processes:
        if process.returncode is None:
            process.kill()
        await process.communicate()
