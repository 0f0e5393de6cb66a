"""The race in docs/by-hand.md, typed line by line into the tool that the document names."""

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any, Final

from racetest import StartNode

from server.core.rules import Rules

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "by-hand.md"
PATIENCE_S: Final = 15.0
VOLATILE: Final = {
    *("server", "player", "token", "clock_ms", "room", "you", "host", "owner", "members", "starts_in_ms"),
    *("racers", "elapsed_ms", "at_ms", "reached_ms", "value", "race_id"),
}
"""Fields whose values differ from race to race."""


def lines() -> list[str]:
    """Return the lines that are typed (`>`) and shown (`<`), in the order of the document."""
    told = re.findall(r"^```(json)?\n(.*?)^```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    return [
        f"> {line}" if kind == "json" else line
        for kind, block in told
        for line in block.splitlines()
        if kind == "json" or line.startswith(("> {", "< {"))
    ]


def fixed(thing: Any) -> Any:
    """Return a message with every volatile value replaced."""
    if isinstance(thing, dict):
        return {name: "*" if name in VOLATILE else fixed(value) for name, value in thing.items()}
    return [fixed(each) for each in thing] if isinstance(thing, list) else thing


async def test_the_race_can_be_played_as_it_is_written(node: StartNode) -> None:
    """The server sends everything that the document shows, in this order, to a tool without a subprotocol."""
    host, port = (await node(rules=Rules(), messages_per_second=20.0, message_burst=60)).address
    tool = await asyncio.create_subprocess_exec(
        *(sys.executable, "-u", "-m", "websockets", f"ws://{host}:{port}"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert tool.stdin is not None
    assert tool.stdout is not None
    written = lines()
    async with asyncio.timeout(PATIENCE_S):
        for line in written:
            if line.startswith(">"):
                tool.stdin.write(f"{line[2:]}\n".encode())
                continue
            wanted = fixed(json.loads(line[2:]))
            while True:
                shown = (await tool.stdout.readline()).decode()
                assert shown, f"the tool ended before {wanted}"
                found = re.search(r"< (\{.*\})", shown)
                if found and fixed(json.loads(found.group(1))) == wanted:
                    break
        tool.stdin.close()
        rest = (await tool.stdout.read()).decode()
        assert await tool.wait() == 0
    assert "Connection closed: 1000" in rest
    types = [json.loads(line[2:])["type"] for line in written]
    assert types.count("move") == 50
    assert {"welcome", "room", "refused", "racer_won", "race_ended", "leaderboard", "leave"} <= {*types}
