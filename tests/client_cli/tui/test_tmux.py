"""Full screen in real terminals with a real server."""

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

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")

RESULT = r"(Ada|小明) +[0-9]:[0-9.]+ [^\n]* 4\n"
"""The result of a winner, with all four runs."""

COLOUR = re.compile(r"\x1b\[[0-9;]*\b[34]8;")


def bursts(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Return groups of at most five moves from different columns, to be typed without waiting in between."""
    burst: list[Step] = []
    for step in steps:
        if len(burst) == 5 or any(step["from"] == before["to"] for before in burst):
            yield burst
            burst = []
        burst.append(step)
    yield burst


async def play(player: Terminal, moves: str) -> None:
    """Win a game by keys; `moves` is the label of the number of moves on this screen."""
    made = 0
    for burst in bursts(solution()):
        await player.wait_for(f"{moves} {made} ")
        await player.keys(*(str((move[end] + 1) % 10) for move in burst for end in ("from", "to")))
        made += len(burst)


async def test_two_players_race_at_two_terminals(terminal: Open) -> None:
    """They create, join, race by keys in two languages, win and leave."""
    ada = await terminal("ada", f"create --name Ada --code {CODE} --countdown 1")
    lobby = await ada.wait_for("simonrace join ")
    join = re.search(r"simonrace (join \S+)", lobby)
    assert join is not None
    ming = await terminal("ming", f"{join[1]} --name 小明 --lang zh-Hant", (120, 40))
    await ming.wait_for("房間裡有 2 人")
    await ming.keys("r")
    await ada.wait_for("✓ 小明")
    await ada.keys("r", "s")
    await ada.wait_for("2 racers")
    await ming.wait_for("2 位參賽者")
    await ming.keys("3", "3")
    await ming.wait_for("沒有任何一欄可以放這些牌。")
    await ming.keys("F")
    await ming.wait_for("要放棄這場比賽嗎？")
    await ming.keys("n", "u")
    await asyncio.gather(play(ada, "moves"), play(ming, "步數"))
    for each, chart in ((ada, "Cards in order, over time"), (ming, "已排好的牌數")):
        results = await each.wait_for_pattern(f"{RESULT}.*{RESULT}.*{chart}")
        assert sorted(re.findall(RESULT, results)) == ["Ada", "小明"]
    await ming.keys("q", "y")
    assert "exit 0" in await ming.wait_for("exit ")
    await ada.keys("q", "y")
    left = await ada.wait_for("exit 0")
    assert "Race 1 in room" in left, "the results stay on the terminal"


@pytest.mark.skipif(shutil.which("ps") is None, reason="needs ps")
async def test_the_terminal_is_restored_after_sigterm_and_without_a_server(
    terminal: Open, process: Process
) -> None:
    """No traceback is shown in either case."""
    ada = await terminal("ada", "create --name Ada")
    await ada.wait_for("simonrace join ")
    os.kill(await ada.client_pid(), signal.SIGTERM)
    left = await ada.wait_for("exit 143")
    assert "Traceback" not in left
    ben = await terminal("ben", "create --name Ben")
    await ben.wait_for("simonrace join ")
    process.kill()
    await ben.wait_for("Connection lost, trying again.")
    await ben.keys("q", "y")
    assert "Traceback" not in await ben.wait_for("exit 0")


async def test_a_spectator_on_a_wide_terminal_sees_boards_side_by_side(
    terminal: Open, process: Process
) -> None:
    """Each board follows its racer, move by move."""
    ada, ben = [await Client(process.url, name).open() for name in ("Ada", "Ben")]
    for each in (ada, ben):
        await each.hello()
    room = await ada.create(CODE, live_boards=True)
    await ben.join(room)
    judge = await terminal("judge", f"spectate {room} --name Judge", (160, 50))
    await judge.wait_for("3 members in the room")
    for each in (ada, ben):
        await each.ready()
    await ada.start()
    await ada.racing()
    await ben.racing()
    await ada.moves(solution()[:3])
    await ben.moves(solution()[:5])
    boards = r"[ >]Ada +score 497, moves 3, runs 0 +>?Ben +score 495, moves 5, runs 0"
    screen = await judge.wait_for_pattern(boards)
    other = ">Ben" if ">Ada" in screen else ">Ada"  # the racer who led at the first request is chosen
    await judge.keys("Right")
    await judge.wait_for(other)
    await judge.keys("q", "y")
    await judge.wait_for("exit 0")
    for each in (ada, ben):
        await each.close()


async def test_no_colour_codes_are_written_with_no_color(terminal: Open) -> None:
    plain = await terminal("plain", "create --name Ada", NO_COLOR="1")
    await plain.wait_for("simonrace join ")
    assert not COLOUR.search(await plain.screen("-e"))
    bright = await terminal("bright", "create --name Ben")
    await bright.wait_for("simonrace join ")
    assert COLOUR.search(await bright.screen("-e"))


async def test_the_password_is_requested_before_the_screen_opens(terminal: Open) -> None:
    host = await terminal("host", "create --name Host --password open")
    join = re.search(r"simonrace (join \S+)", await host.wait_for("simonrace join "))
    assert join is not None
    ben = await terminal("ben", f"{join[1]} --name Ben")
    await ben.wait_for("The password of the room is missing or wrong.")
    await ben.wait_for("Password of the room:")
    await ben.keys("wrong", "Enter")
    await ben.wait_for(
        "Password of the room:\nThe password of the room is missing or wrong.\nPassword of the room:"
    )
    await ben.keys("open", "Enter")
    await ben.wait_for("2 members in the room")
    ming = await terminal("ming", f"{join[1]} --name 小明", LC_ALL="zh_TW.UTF-8")
    asked = await ming.wait_for("房間的密碼：")
    assert "沒有給房間的密碼，或密碼不對。" in asked, "no password has been given yet"


async def test_a_bug_restores_the_terminal_and_is_reported_in_a_sentence(
    terminal: Open, tmp_path: Path
) -> None:
    """The traceback is only in the log, if there is one."""
    patch = tmp_path / "patch"
    patch.mkdir()
    (patch / "sitecustomize.py").write_text(
        "from client_cli.tui.controller import Controller\n"
        "def broken(self, key):\n"
        "    raise LookupError('a broken key')\n"
        "Controller.press = broken\n"
    )
    log = tmp_path / "log"
    ada = await terminal("ada", f"create --name Ada --log {log}", PYTHONPATH=str(patch))
    await ada.wait_for("simonrace join ")
    await ada.keys("r")
    left = await ada.wait_for("exit 1")
    assert "Error: The client failed: LookupError('a broken key')." in left
    assert "Traceback" not in left
    assert "in broken" in log.read_text()
