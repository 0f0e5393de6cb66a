"""A race by mouse in a real terminal: from the escape sequences to the server's board."""

import re
import shutil
from collections.abc import AsyncIterator

import pytest
from fullscreen.tmux import Open, Terminal
from racetest import Client, Process

from engine import GameCode, deal

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")

CODE = "SS1-S4-AAAAABD"
TOP = 3
"""The line of the first cards, below head and numbers."""

LEFT, RIGHT, DRAG, WHEEL_UP, WHEEL_DOWN = 0, 2, 32, 64, 65
"""Buttons in SGR form; with 32 added the mouse moves while the button is down."""

STEPS = 4
"""Events of a drag."""

CARD = re.compile("(10|[A2-9JQK])([♠♥♦♣])")


def cell(column: int) -> int:
    """Return a cell in the middle of a column (from 1), at 80 columns."""
    return 5 * column - 2


def drawn(screen: str) -> list[list[str]]:
    """Read the board from a screen of 80 columns, without the marks of held cards."""
    columns: list[list[str]] = [[] for _ in range(10)]
    for line in screen.splitlines()[TOP:]:
        cards = [CARD.search(line[1 + 5 * at : 5 + 5 * at]) for at in range(10)]
        if not any(cards):
            break
        for column, card in zip(columns, cards, strict=True):
            if card:
                column.append(card[1].replace("10", "T") + "SHDC"["♠♥♦♣".index(card[2])])
    return columns


class Mouse:
    """Mouse events in a terminal."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal

    async def at(self, column: int) -> tuple[int, int]:
        """Return the cell of the last card of a column."""
        cards = drawn(await self.terminal.screen())[column - 1]
        return cell(column), TOP + max(len(cards) - 1, 0)

    async def drag(self, source: int, target: int) -> None:
        x, y = await self.at(source)
        there = await self.at(target)
        await self.terminal.mouse((LEFT, x, y, "M"))
        for step in range(1, STEPS + 1):
            way = (x + (there[0] - x) * step // STEPS, y + (there[1] - y) * step // STEPS)
            await self.terminal.mouse((LEFT + DRAG, *way, "M"))
        await self.terminal.wait_for("◂")  # the card is held
        await self.terminal.mouse((LEFT, *there, "m"))

    async def click(self, x: int, y: int, times: int = 1) -> None:
        await self.terminal.mouse(*[(LEFT, x, y, final) for _ in range(times) for final in "Mm"])


@pytest.fixture
async def spectator(process: Process) -> AsyncIterator[Client]:
    """A spectator with another client, who gets the server's boards."""
    client = await Client(process.url, "Judge").open()
    await client.hello()
    yield client
    await client.close()


async def test_a_race_by_mouse_in_a_real_terminal(terminal: Open, spectator: Client) -> None:
    """After each drag, click, double click or wheel the screen shows the server's board."""
    ada = await terminal("ada", f"create --name Ada --code {CODE} --countdown 0 --live-boards")
    link = re.search(r"simonrace join \S+/([A-Z0-9]+)", await ada.wait_for("simonrace join "))
    assert link is not None
    room = await spectator.join(link[1], spectate=True)
    [player] = [each["player"] for each in room["members"] if each["name"] == "Ada"]
    await ada.keys("r", "s")
    start = await ada.wait_for("moves 0 ")
    assert drawn(start) == deal(GameCode.parse(CODE)).columns_text()
    mouse = Mouse(ada)

    async def check(moves: int, last: dict[int, str]) -> None:
        """Check that the screen shows the server's board after so many moves, with these last cards."""
        seen = drawn(await ada.wait_for(f"moves {moves} "))
        board = await spectator.ask("get_board", player=player)
        assert (seen, moves) == (board["game"]["columns"], board["game"]["moves"])
        assert {column: seen[column - 1][-1] for column in last} == last

    await mouse.drag(1, 3)
    await check(1, {1: "6D", 3: "7C"})
    await mouse.click(*await mouse.at(2))
    assert re.search(r"6▼", await ada.wait_for("3♠◂")), "the column that can take it is highlighted"
    await mouse.click(*await mouse.at(6))
    await check(2, {2: "AS", 6: "3S"})
    await mouse.click(*await mouse.at(1), times=2)
    await check(3, {1: "6S", 3: "6D"})
    await mouse.drag(2, 8)
    await ada.wait_for("A card goes on a card one rank higher.")
    await check(3, {2: "AS", 8: "KH"})
    await mouse.click(*await mouse.at(2))
    await ada.wait_for("A♠◂")
    await ada.mouse((RIGHT, 60, 12, "M"), (RIGHT, 60, 12, "m"))
    await check(3, {2: "AS"})
    hints = (await ada.screen()).splitlines()[23]
    await mouse.click(hints.index("undo"), 23)
    await check(2, {1: "6D", 3: "7C"})
    await ada.mouse((WHEEL_DOWN, cell(4), 6, "M"), (WHEEL_UP, cell(4), 6, "M"))
    await mouse.click(hints.index("help"), 23)
    await ada.wait_for("In a race")
    await ada.mouse(*[(WHEEL_DOWN, 40, 12, "M")] * 60)
    await ada.wait_for("The mouse: click a card")
    await ada.keys("Escape")
    await ada.wait_for("1-9 0 column")
    await check(2, {1: "6D", 3: "7C"})
