"""The race in README.md, typed line by line: what is shown comes, in this order."""

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
    """Return what is typed (`>`) and seen (`<`), in the order of the document."""
    return re.findall(r"^[<>] \{.*$", DOCUMENT.read_text(), re.MULTILINE)


def shown(line: str) -> dict[str, Any]:
    """Return the fields of a line that have the same value in every race."""
    pattern = (
        r'"(type|seq|race|code|n|expected|score|moves|runs|from|to|cards|state|phase|text)":("[^"]*"|\d+)'
    )
    return {name: json.loads(value) for name, value in re.findall(pattern, line)}


async def test_the_race_can_be_played_as_it_is_written(node: StartNode) -> None:
    """Every line is a message of the server, with the fields that it shows; others may come between."""
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
                told = await tool.recv()
                assert isinstance(told, str)
                if json.loads(told)["type"] == wanted["type"]:
                    break
            assert wanted.items() <= shown(told).items(), told
