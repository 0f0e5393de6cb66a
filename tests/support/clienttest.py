"""What the client's tests share: messages of a server, and the models that they lead to."""

import io
import re
from collections.abc import Callable

import msgspec
import pytest

from client_cli.core.model import Model, fold
from client_cli.text.width import char_width
from engine import GameCode, deal
from protocol import from_server
from protocol.parts import Member, Phase, RacerState, Settings, StandingsRow

CODE = "SS1-S4-AAAAABD"
"""A deal of four suits."""


@pytest.fixture
def columns() -> list[list[str]]:
    return deal(GameCode.parse(CODE)).columns_text()


@pytest.fixture
def room() -> from_server.Room:
    """Ada's room, with Ada and a Chinese name in it."""
    return from_server.Room(
        ref=1,
        seq=3,
        clock_ms=100_000,
        room="KTQMX",
        you="ada",
        host="ada",
        owner="ada",
        phase=Phase.LOBBY,
        settings=Settings(suits=4),
        locked=False,
        has_password=False,
        named_code=False,
        races=0,
        members=[Member("ada", "Ada", True, False, True), Member("ming", "陳小明", False, False, True)],
    )


@pytest.fixture
def race_started(columns: list[list[str]]) -> from_server.RaceStarted:
    return from_server.RaceStarted(
        seq=5,
        race=1,
        code=CODE,
        columns=columns,
        racers=["ada", "ming"],
        time_limit_ms=1_800_000,
        elapsed_ms=10,
        clock_ms=105_010,
    )


@pytest.fixture
def standings() -> from_server.Standings:
    rows = [
        StandingsRow("ming", 1, 599, 49, 1, 20),
        StandingsRow("ada", 2, 500, 0, 0, 5, RacerState.PLAYING),
    ]
    return from_server.Standings(race=1, elapsed_ms=61_000, rows=rows)


Fold = Callable[..., Model]


@pytest.fixture
def folded() -> Fold:
    """Return what a client knows after messages, each of which came at time 0 of its own clock."""

    def know(*messages: from_server.FromServer, start: Model | None = None) -> Model:
        model = start or Model()
        for message in messages:
            model = fold(model, message, 0)
        return model

    return know


@pytest.fixture
def lobby(folded: Fold, room: from_server.Room) -> Model:
    return folded(room)


@pytest.fixture
def racing(
    folded: Fold,
    room: from_server.Room,
    race_started: from_server.RaceStarted,
    standings: from_server.Standings,
) -> Model:
    return folded(room, race_started, standings)


@pytest.fixture
def on_the_wire() -> Callable[[from_server.FromServer], from_server.FromServer]:
    """Return a message as it arrives: encoded and decoded."""

    def travel(message: from_server.FromServer) -> from_server.FromServer:
        arrived: from_server.FromServer = msgspec.msgpack.decode(
            msgspec.msgpack.encode(message), type=type(message)
        )
        return arrived

    return travel


ESCAPE = re.compile(r"\x1b\[([?]?)([0-9;]*)([A-Za-z])|\x1b([78])")


class Glass(io.StringIO):
    """A terminal's screen: it keeps what was written where, and echoes what is typed."""

    encoding = "utf-8"

    def __init__(self, width: int = 40, height: int = 8) -> None:
        super().__init__()
        self.size = (width, height)
        self.cells = [[" "] * width for _ in range(height)]
        self.at = self.saved = (1, 1)
        self.written = 0
        self.colours: set[str] = set()

    def write(self, text: str) -> int:
        self.written += len(text)
        place = 0
        while place < len(text):
            found = ESCAPE.match(text, place)
            if found:
                self._escape(found)
                place = found.end()
            else:
                self._put(text[place])
                place += 1
        return len(text)

    def type(self, text: str) -> None:
        for char in text:
            self._put(char)

    def rows(self) -> list[str]:
        return ["".join(row).rstrip() for row in self.cells]

    def _put(self, char: str) -> None:
        row, column = self.at
        if char == "\n":
            self.at = (min(row + 1, self.size[1]), 1)
            return
        wide = char_width(char)
        self.cells[row - 1][column - 1] = char
        if wide == 2:
            self.cells[row - 1][column] = ""
        self.at = (row, column + wide)

    def _escape(self, found: re.Match[str]) -> None:
        private, numbers, letter, keep = found.groups()
        row, column = self.at
        if keep == "7":
            self.saved = self.at
        elif keep == "8":
            self.at = self.saved
        elif letter == "H":
            down, right = numbers.split(";")
            self.at = (int(down), int(right))
        elif letter == "K":
            start = 0 if numbers == "2" else column - 1
            self.cells[row - 1][start:] = [" "] * (self.size[0] - start)
        elif letter == "J":
            self.cells = [[" "] * self.size[0] for _ in range(self.size[1])]
        elif letter == "m":
            self.colours |= {numbers}
        else:
            assert private, found.group()


@pytest.fixture
def make_glass() -> Callable[[int, int], Glass]:
    return Glass


@pytest.fixture
def glass() -> Glass:
    return Glass()
