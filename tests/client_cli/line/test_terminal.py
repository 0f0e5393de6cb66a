"""The face for terminals, on the small terminal of conftest."""

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


class Seat:
    """A terminal, a face that draws on it, and a link that hears."""

    def __init__(self, glass: Any) -> None:
        self.glass = glass
        self.conversation = Conversation("Ada", None)
        self.frontend = TerminalFrontend(glass, self.conversation, SERVER)

    def hears(self, *messages: from_server.FromServer) -> None:
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
        """Wait until a row has this text, and return all rows."""
        await until(lambda: any(text in row for row in self.glass.rows()))
        rows: list[str] = self.glass.rows()
        return rows


@pytest.fixture
def seat(make_glass: Callable[[int, int], Any]) -> Seat:
    return Seat(make_glass(80, 24))


async def test_nothing_is_drawn_before_there_is_a_room(seat: Seat, room: from_server.Room) -> None:
    """Who cannot come in sees a sentence and not a flash of an empty screen."""
    async with seat.drawn():
        await asyncio.sleep(0)
        assert seat.glass.written == 0
        seat.hears(room)
        rows = await seat.shows("Friends join with: simonrace join ws://localhost:7466/KTQMX")
        assert rows[0] == "Simon Race · room KTQMX"
        assert rows[22] == ">"


async def test_a_problem_stands_below_what_is_typed_until_the_next_line(
    seat: Seat, room: from_server.Room
) -> None:
    async with seat.drawn():
        seat.hears(room, from_server.Error(code="not_host", text="Only the host can do this."))
        assert (await seat.shows("Only the host"))[23] == "Only the host can do this."
        seat.frontend.line_entered()
        seat.frontend.note("Noted.")
        assert (await seat.shows("Noted."))[23] == ""


async def test_a_lost_connection_is_shown_until_it_is_back(seat: Seat, room: from_server.Room) -> None:
    async with seat.drawn():
        seat.hears(room)
        seat.frontend.connection_lost("It was cut.")
        assert (await seat.shows("Connection lost"))[23] == "Connection lost, trying again. It was cut."
        seat.frontend.line_entered()
        seat.frontend.problem("No.")
        await seat.shows("Connection lost")
        seat.frontend.connection_restored()
        assert (await seat.shows("The connection is back."))[23] == "No."


async def test_pages_are_read_and_put_away(
    seat: Seat,
    room: from_server.Room,
    race_started: from_server.RaceStarted,
    standings: from_server.Standings,
) -> None:
    async with seat.drawn():
        seat.hears(room, race_started, standings)
        for word, text in (
            ("help", "3 7 2        move the last 2 cards"),
            ("who", "Ada                      racing, host, you"),
            ("standings", "1 run     599    49"),
        ):
            seat.frontend.show(word)
            await seat.shows(text)
            seat.frontend.line_entered()
            seat.frontend.show("board")
            await seat.shows("10♥   5♠   A♥")
        empty: list[list[str]] = [[] for _ in range(9)]
        view = GameView(3, [["KS"], *empty], 597, 3, 1, 3, RacerState.PLAYING)
        seat.hears(from_server.Board(race=1, player="ming", game=view))
        await seat.shows("陳小明: score 597, moves 3, runs 1 of 4")
        seat.hears(from_server.Leaderboard(code="SS1-S1-AAAAABD", leaderboards=[]))
        await seat.shows("Leaderboards of SS1-S1-AAAAABD")


async def test_a_sentence_too_long_for_its_line_is_told_whole_elsewhere(
    seat: Seat, room: from_server.Room
) -> None:
    async with seat.drawn():
        seat.hears(room)
        seat.frontend.problem("There is no setting; there are: " + ", ".join(["ranking"] * 8) + ", the last.")
        await seat.shows("the last.")


async def test_the_results_stay_in_sight_afterwards(seat: Seat, room: from_server.Room) -> None:
    assert seat.frontend.farewell() == []
    result = Result("ada", "Ada", 1, RacerState.WON, 851, 49, 4, 61_234)
    seat.hears(room, from_server.RaceEnded(seq=9, race=1, code="SS1-S1-AAAAABD", results=[result]))
    assert [plain(each) for each in seat.frontend.farewell()] == [
        "Race 0 in room KTQMX",
        "  # name         time  score  moves  runs",
        "  1 Ada      1:01.234    851     49     4",
    ]


async def test_who_ends_in_the_moment_of_a_change_ends(seat: Seat, room: from_server.Room) -> None:
    """As somebody who types Ctrl-C while something comes; the screen is given back."""
    drawing = asyncio.create_task(seat.frontend.draw())
    seat.hears(room)
    seat.conversation.model = dataclasses.replace(
        seat.conversation.model, phase=Phase.COUNTDOWN
    )  # a clock runs
    await seat.shows(room.room)
    for _ in range(50):  # past the pause between two pictures, to where it waits for a change
        await asyncio.sleep(0.01)
    seat.frontend.problem("a change")
    await asyncio.sleep(0)
    drawing.cancel()
    done, _ = await asyncio.wait([drawing], timeout=5)

    assert done == {drawing}
    assert drawing.cancelled()
