"""The page: the elements that page.mjs uses, and the instructions in its source."""

import re
from pathlib import Path

import pytest
import websockets
from racetest import StartNode, url_of

EXAMPLE = Path(__file__).parents[3] / "examples" / "javascript"
HTML = (EXAMPLE / "index.html").read_text()
(PORT,) = re.findall(r"python3 -m http\.server (\d+) --bind localhost", HTML)
(ORIGINS,) = re.findall(r"simonrace-server --origins (\S+)", HTML)


def test_every_element_that_the_script_uses_is_on_the_page() -> None:
    script = (EXAMPLE / "page.mjs").read_text()
    used = set(re.findall(r'at\("(\w+)"\)', script))
    assert used == set(re.findall(r'id="(\w+)"', HTML))
    assert used == {"enter", "buttons", "link", "clock", "status", "board", "standings", "members"}


async def test_the_server_accepts_the_page_with_the_options_in_its_source(node: StartNode) -> None:
    """The origin is that of the address of the page, and no other one."""
    assert f"open http://localhost:{PORT}." in HTML
    url = url_of(await node(origins=(ORIGINS,)))
    async with websockets.connect(url, origin=websockets.Origin(f"http://localhost:{PORT}"), proxy=None):
        pass
    for other in (f"http://127.0.0.1:{PORT}", "null"):
        with pytest.raises(websockets.InvalidStatus) as refused:
            await websockets.connect(url, origin=websockets.Origin(other), proxy=None)
        assert refused.value.response.status_code == 403


def test_a_page_that_cannot_run_its_script_says_why() -> None:
    """A browser that opens it as a file shows only the text in the page."""
    assert '<p id="status" role="status">This page has to be served;' in HTML
    assert '<script type="module" src="page.mjs"></script>' in HTML
