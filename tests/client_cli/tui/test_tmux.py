"""Two people at two real terminals against a real server: a whole race, as it looks to them."""

import asyncio
import os
import re
import shutil
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from fullscreen.tmux import Open, Terminal
from racetest import CODE, Client, Process, Step, solution

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is what gives us real terminals")

RESULT = r"(Ada|小明) +[0-9]:[0-9.]+ [^\n]* 4\n"
"""The line of somebody who has won, with all four runs."""

COLOUR = re.compile(r"\x1b\[[0-9;]*\b[34]8;")


def bursts(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Return moves as somebody who knows them types them: as many at once as need no look between."""
    burst: list[Step] = []
    for step in steps:
        if len(burst) == 5 or any(step["from"] == before["to"] for before in burst):
            yield burst
            burst = []
        burst.append(step)
    yield burst


async def play(player: Terminal, moves: str) -> None:
    """Win a game by keys; `moves` is what the number of moves is called on this screen."""
    made = 0
    for burst in bursts(solution()):
        await player.sees(f"{moves} {made} ")
        await player.keys(*(str((move[end] + 1) % 10) for move in burst for end in ("from", "to")))
        made += len(burst)


async def test_two_people_race_at_two_terminals(terminal: Open) -> None:
    """Created and joined by what the screen says, raced by keys in two languages, won twice, and left."""
    ada = await terminal("ada", f"create --name Ada --code {CODE} --countdown 1")
    lobby = await ada.sees("simonrace join ")
    join = re.search(r"simonrace (join \S+)", lobby)
    assert join is not None
    ming = await terminal("ming", f"{join[1]} --name 小明 --lang zh-Hant", (120, 40))
    await ming.sees("房間裡有 2 人")
    await ming.keys("r")
    await ada.sees("✓ 小明")
    await ada.keys("r", "s")
    await ada.sees("2 racers")
    await ming.sees("2 位參賽者")
    await ming.keys("3", "3")
    await ming.sees("沒有任何一欄可以放這些牌。")
    await ming.keys("F")
    await ming.sees("要放棄這場比賽嗎？")
    await ming.keys("n", "u")
    await asyncio.gather(play(ada, "moves"), play(ming, "步數"))
    for each, chart in ((ada, "Cards in order, over time"), (ming, "已排好的牌數")):
        results = await each.shows(f"{RESULT}.*{RESULT}.*{chart}")
        assert sorted(re.findall(RESULT, results)) == ["Ada", "小明"]
    await ming.keys("q", "y")
    assert "exit 0" in await ming.sees("exit ")
    await ada.keys("q", "y")
    left = await ada.sees("exit 0")
    assert "Race 1 in room" in left, "the results stay in sight"


@pytest.mark.skipif(shutil.which("ps") is None, reason="ps is what finds the client in its terminal")
async def test_the_terminal_is_given_back_whatever_happens(terminal: Open, process: Process) -> None:
    """SIGTERM to the client; a server that is gone for good; nothing of a traceback is ever seen."""
    ada = await terminal("ada", "create --name Ada")
    await ada.sees("simonrace join ")
    os.kill(await ada.client(), signal.SIGTERM)
    left = await ada.sees("exit 143")
    assert "Traceback" not in left
    ben = await terminal("ben", "create --name Ben")
    await ben.sees("simonrace join ")
    process.kill()
    await ben.sees("Connection lost, trying again.")
    await ben.keys("q", "y")
    assert "Traceback" not in await ben.sees("exit 0")


async def test_who_watches_on_a_wide_terminal_sees_boards_side_by_side(
    terminal: Open, process: Process
) -> None:
    """Each follows its racer, move by move."""
    ada, ben = [await Client(process.url, name).open() for name in ("Ada", "Ben")]
    for each in (ada, ben):
        await each.hello()
    room = await ada.create(CODE, live_boards=True)
    await ben.join(room)
    judge = await terminal("judge", f"watch {room} --name Judge", (160, 50))
    await judge.sees("3 people in the room")
    for each in (ada, ben):
        await each.ready()
    await ada.start()
    await ada.racing()
    await ben.racing()
    await ada.moves(solution()[:3])
    await ben.moves(solution()[:5])
    await judge.shows(r">Ada +score 497, moves 3, runs 0 +Ben +score 495, moves 5, runs 0")
    await judge.keys("Right")
    await judge.sees(">Ben")
    await judge.keys("q", "y")
    await judge.sees("exit 0")
    for each in (ada, ben):
        await each.close()


async def test_no_colour_is_sent_where_none_is_wanted(terminal: Open) -> None:
    plain = await terminal("plain", "create --name Ada", NO_COLOR="1")
    await plain.sees("simonrace join ")
    assert not COLOUR.search(await plain.screen("-e"))
    bright = await terminal("bright", "create --name Ben")
    await bright.sees("simonrace join ")
    assert COLOUR.search(await bright.screen("-e"))


async def test_a_password_is_asked_for_before_the_screen_opens(terminal: Open) -> None:
    host = await terminal("host", "create --name Host --password open")
    join = re.search(r"simonrace (join \S+)", await host.sees("simonrace join "))
    assert join is not None
    ben = await terminal("ben", f"{join[1]} --name Ben")
    await ben.sees("This room has a password; give the right one.")
    await ben.sees("Password of the room:")
    await ben.keys("wrong", "Enter")
    await ben.sees(
        "Password of the room:\nThis room has a password; give the right one.\nPassword of the room:"
    )
    await ben.keys("open", "Enter")
    await ben.sees("2 people in the room")
    ming = await terminal("ming", f"{join[1]} --name 小明", LC_ALL="zh_TW.UTF-8")
    asked = await ming.sees("房間的密碼：")
    assert "這個房間有密碼；請輸入正確的密碼。" in asked, "nobody has given a wrong one yet"


async def test_a_mistake_of_ours_gives_the_terminal_back_and_is_told_in_a_sentence(
    terminal: Open, tmp_path: Path
) -> None:
    """Nobody ever sees a traceback; the log has it, if one was asked for."""
    spoiled = tmp_path / "spoiled"
    spoiled.mkdir()
    (spoiled / "sitecustomize.py").write_text(
        "import client_cli.tui.controller as seat\n"
        "def broken(self, key):\n"
        "    raise LookupError('a spoiled key')\n"
        "seat.Seat.press = broken\n"
    )
    log = tmp_path / "log"
    ada = await terminal("ada", f"create --name Ada --log {log}", PYTHONPATH=str(spoiled))
    await ada.sees("simonrace join ")
    await ada.keys("r")
    left = await ada.sees("exit 1")
    assert "Error: The client failed: LookupError('a spoiled key')." in left
    assert "Traceback" not in left
    assert "in broken" in log.read_text()
