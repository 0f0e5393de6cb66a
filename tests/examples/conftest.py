"""Examples that are started as users start them, in a folder of their own."""

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from racetest import PATIENCE_S

EXAMPLES = Path(__file__).parents[2] / "examples"


class Program:
    """A running example, its input and its output."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.printed: list[str] = []

    async def prints(self, text: str) -> str:
        """Wait for a line that contains `text` and return it; earlier lines are skipped."""
        assert self.process.stdout is not None
        async with asyncio.timeout(2 * PATIENCE_S):
            while line := (await self.process.stdout.readline()).decode():
                self.printed.append(line.rstrip("\n"))
                if text in line:
                    return line
        raise AssertionError(f"it ended without {text!r}:\n" + "\n".join(self.printed[-20:]))

    def types(self, *lines: str) -> None:
        """Type lines."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())

    async def ends(self) -> int:
        """Close the input, read the rest of the output, and return the exit code."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        async with asyncio.timeout(2 * PATIENCE_S):
            self.printed += (await self.process.stdout.read()).decode().splitlines()
            return await self.process.wait()


Run: TypeAlias = Callable[..., Awaitable[Program]]


@pytest.fixture
async def run(tmp_path: Path, _service: None) -> AsyncIterator[Run]:
    """Start examples by file and arguments; those still running at the end are killed."""
    programs: list[Program] = []

    async def start(example: str, *arguments: str) -> Program:
        interpreter = ["node"] if example.endswith(".mjs") else [sys.executable]
        process = await asyncio.create_subprocess_exec(
            *(*interpreter, str(EXAMPLES / example), *arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=tmp_path,
            env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        )
        programs.append(Program(process))
        return programs[-1]

    yield start
    for program in programs:
        if program.process.returncode is None:
            program.process.kill()
        await program.ends()


@pytest.fixture(scope="session")
def node_js(_service: None) -> str:
    """Return the command `node`. Without it the test is skipped, or fails if CI is set."""
    found = shutil.which("node")
    if found:
        return found
    if os.environ.get("CI"):
        pytest.fail("Node is not installed, and CI must run the JavaScript example")
    pytest.skip("NODE IS NOT INSTALLED: the JavaScript example was not run")
