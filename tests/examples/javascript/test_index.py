"""The page that plays in a browser. Its script runs under Node, with a document of forty lines."""

import asyncio
import json
import re
from pathlib import Path

from racetest import PATIENCE_S, StartNode

from engine import Board

EXAMPLE = Path(__file__).parents[3] / "examples" / "javascript"
PAGE = (EXAMPLE / "index.html").read_text()


async def output(node_js: str, *arguments: str) -> list[str]:
    """Return the lines that a script prints; Node 20 has WebSocket behind a flag that later ones lack."""
    flag = (
        ()
        if await printed(node_js, "-p", "typeof WebSocket") == ["function"]
        else ("--experimental-websocket",)
    )
    return await printed(node_js, *flag, "--no-warnings", *arguments)


async def printed(*command: str) -> list[str]:
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    try:
        async with asyncio.timeout(2 * PATIENCE_S):
            shown, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0
    return shown.decode().splitlines()


def test_every_element_that_the_script_asks_for_is_on_the_page() -> None:
    asked = set(re.findall(r'at\("(\w+)"\)', PAGE))
    assert asked <= set(re.findall(r'id="(\w+)"', PAGE))
    assert asked == {"enter", "buttons", "status", "board", "people"}


async def test_somebody_plays_on_the_page(node_js: str, node: StartNode, tmp_path: Path) -> None:
    """Enter, get ready, start, click a card, give up."""
    script = tmp_path / "script.mjs"
    (found,) = re.findall(r'<script type="module">(.*?)</script>', PAGE, re.DOTALL)
    script.write_text(found.replace("./client.mjs", (EXAMPLE / "client.mjs").as_uri()))
    url = "ws://{}:{}".format(*(await node()).address)
    columns, status, person = await output(node_js, str(Path(__file__).parent / "page.mjs"), str(script), url)
    cards = [[card.replace("10", "T").replace("♠", "S") for card in column] for column in json.loads(columns)]
    assert sorted(map(len, Board.from_columns(cards).columns_text())) == [1, 2, 3, 4, 5, 6, 7, 8, 8, 8]
    assert status in ("499 points, 1 moves", "No column can take these cards.")
    assert re.fullmatch(r"Ada: (500|499) points, 0 runs, forfeited 1", person)
