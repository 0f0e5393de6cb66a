"""The race in README.md, typed line by line: the shown messages arrive in this order."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any, Final

import websockets
from racetest import StartNode

DOCUMENT: Final = Path(__file__).parents[2] / "README.md"
PATIENCE_S: Final = 15.0


def lines() -> list[str]:
    """Return what is typed (`>`) and shown (`<`), in the order of the document."""
    return re.findall(r"^[<>] \{.*$", DOCUMENT.read_text(), re.MULTILINE)


def shown(line: str) -> dict[str, Any]:
    """Return the fields of a line that have the same value in every race."""
    pattern = (
        r'"(type|seq|race|code|n|expected|score|moves|runs|from|to|cards|state|phase|text)":("[^"]*"|\d+)'
    )
    return {name: json.loads(value) for name, value in re.findall(pattern, line)}


async def test_the_race_can_be_played_as_shown(node: StartNode) -> None:
    """Each shown line is a message of the server with the same fields; others may arrive between them."""
    host, port = (await node()).address
    written = lines()
    assert len(written) == 17
    async with asyncio.timeout(PATIENCE_S), websockets.connect(f"ws://{host}:{port}") as tool:
        for line in written:
            if line.startswith(">"):
                await tool.send(line[2:])
                continue
            wanted = shown(line)
            while True:
                received = await tool.recv()
                assert isinstance(received, str)
                if json.loads(received)["type"] == wanted["type"]:
                    break
            assert wanted.items() <= shown(received).items(), received
