"""Front end for terminals, on a small simulated terminal."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from racetest import until

from client_cli.core.addresses import Server
from client_cli.core.conversation import Conversation
from client_cli.line.terminal import TerminalFrontend
from client_cli.text.style import plain
from protocol import from_server
from protocol.parts import GameView, Phase, RacerState, Result

SERVER = Server("ws://localhost:7466")


class Stage:
    """A terminal, a front end that draws on it, and a conversation."""

    def __init__(self, glass: Any) -> None:
        self.glass = glass
        self.conversation = Conversation("Ada", None)
        self.frontend = TerminalFrontend(glass, self.conversation, SERVER)

    def receive(self, *messages: from_server.FromServer) -> None:
        for message in messages:
            self.conversation.message_received(message, 0)
            self.frontend.message_received(message)

    @asynccontextmanager
    async def drawn(self) -> AsyncIterator[None]:
        drawing = asyncio.create_task(self.frontend.draw())
        try:
            yield
        finally:
            drawing.cancel()
            await asyncio.gather(drawing, return_exceptions=True)

    async def shows(self, text: str) -> list[str]:
        """Wait until a row has this text; return all rows."""
        await until(lambda: any(text in row for row in self.glass.rows()))
        rows: list[str] = self.glass.rows()
        return rows


@pytest.fixture
def stage(make_glass: Callable[[int, int], Any]) -> Stage:
    return Stage(make_glass(80, 24))


async def test_nothing_is_drawn_before_the_room_is_entered(stage: Stage, room: from_server.Room) -> None:
    """A refused join shows its sentence and no empty screen."""
    async with stage.drawn():
        await asyncio.sleep(0)
        assert stage.glass.written == 0
        stage.receive(room)
        rows = await stage.shows("Friends join with: simonrace join ws://localhost:7466/KTQMX")
        assert rows[0] == "Simon Race · room KTQMX"
        assert rows[22] == ">"


async def test_a_problem_is_in_the_status_until_the_next_line(stage: Stage, room: from_server.Room) -> None:
    async with stage.drawn():
        stage.receive(room, from_server.Error(code="not_host", text="Only the host can do this."))
        assert (await stage.shows("Only the host"))[23] == "Only the host can do this."
        stage.frontend.line_entered()
        stage.frontend.note("Noted.")
        assert (await stage.shows("Noted."))[23] == ""


async def test_a_lost_connection_is_shown_until_it_is_restored(stage: Stage, room: from_server.Room) -> None:
    async with stage.drawn():
        stage.receive(room)
        stage.frontend.connection_lost("It was cut.")
        assert (await stage.shows("Connection lost"))[23] == "Connection lost, trying again. It was cut."
        stage.frontend.line_entered()
        stage.frontend.problem("No.")
        await stage.shows("Connection lost")
        stage.frontend.connection_restored()
        assert (await stage.shows("The connection is back."))[23] == "No."


async def test_a_page_is_closed_by_the_next_line(
    stage: Stage,
    room: from_server.Room,
    race_started: from_server.RaceStarted,
    standings: from_server.Standings,
) -> None:
    async with stage.drawn():
        stage.receive(room, race_started, standings)
        for word, text in (
            ("help", "3 7 2        move the last 2 cards"),
            ("who", "Ada                      racing, host, you"),
            ("standings", "1 run     599    49"),
        ):
            stage.frontend.show(word)
            await stage.shows(text)
            stage.frontend.line_entered()
            stage.frontend.show("board")
            await stage.shows("10♥   5♠   A♥")
        empty: list[list[str]] = [[] for _ in range(9)]
        view = GameView(3, [["KS"], *empty], 597, 3, 1, 3, RacerState.PLAYING)
        stage.receive(from_server.Board(race=1, player="ming", game=view))
        await stage.shows("陳小明: score 597, moves 3, runs 1 of 4")
        stage.receive(from_server.Leaderboard(code="SS1-S1-AAAAABD", leaderboards=[]))
        await stage.shows("Leaderboards of SS1-S1-AAAAABD")


async def test_a_problem_too_long_for_the_status_is_also_in_the_log(
    stage: Stage, room: from_server.Room
) -> None:
    async with stage.drawn():
        stage.receive(room)
        stage.frontend.problem(
            "There is no setting; there are: " + ", ".join(["ranking"] * 8) + ", the last."
        )
        await stage.shows("the last.")


async def test_the_results_are_printed_after_the_screen_is_closed(
    stage: Stage, room: from_server.Room
) -> None:
    assert stage.frontend.farewell() == []
    result = Result("ada", "Ada", 1, RacerState.WON, 851, 49, 4, 61_234)
    stage.receive(room, from_server.RaceEnded(seq=9, race=1, code="SS1-S1-AAAAABD", results=[result]))
    assert [plain(each) for each in stage.frontend.farewell()] == [
        "Race 0 in room KTQMX",
        "  # name         time  score  moves  runs",
        "  1 Ada      1:01.234    851     49     4",
    ]


async def test_a_cancellation_during_a_change_ends_the_drawing(stage: Stage, room: from_server.Room) -> None:
    """Ctrl-C while a message arrives: the terminal is restored."""
    drawing = asyncio.create_task(stage.frontend.draw())
    stage.receive(room)
    model = dataclasses.replace(stage.conversation.model, phase=Phase.COUNTDOWN)  # a clock runs
    stage.conversation.model = model
    await stage.shows(room.room)
    await until(lambda: not stage.frontend._changed.is_set())  # past the pause between two drawings
    stage.frontend.problem("a change")
    await asyncio.sleep(0)
    drawing.cancel()
    done, _ = await asyncio.wait([drawing], timeout=5)

    assert done == {drawing}
    assert drawing.cancelled()
