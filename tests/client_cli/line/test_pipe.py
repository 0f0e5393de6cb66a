"""Front end for pipes."""

import io

import msgspec
import pytest

from client_cli.core.addresses import Server
from client_cli.core.conversation import Conversation
from client_cli.core.translatable import Translatable
from client_cli.files.catalogues import translation
from client_cli.line.pipe import PipeClosedError, PipeFrontend
from client_cli.text.translation import ENGLISH, Translation
from protocol import from_server

SERVER = Server("ws://localhost:7466")


class Shown:
    """A front end, and the lines that it has printed since the last call of `lines`."""

    def __init__(self, translate: Translation = ENGLISH) -> None:
        self.conversation = Conversation("Ada", None)
        self.output = io.StringIO()
        self.now = 100.0
        self.frontend = PipeFrontend(self.output, self.conversation, SERVER, lambda: self.now, translate)

    def hears(self, message: from_server.FromServer) -> list[str]:
        self.conversation.message_received(message, 0)
        self.frontend.message_received(message)
        return self.lines()

    def lines(self) -> list[str]:
        text = self.output.getvalue()
        self.output.seek(0)
        self.output.truncate()
        return text.splitlines()


@pytest.fixture
def shown() -> Shown:
    return Shown()


def test_a_room_is_printed_with_its_link(shown: Shown, room: from_server.Room) -> None:
    assert shown.hears(room)[-1] == "share link=ws://localhost:7466/KTQMX"


def test_changed_standings_are_printed_at_most_once_a_second(
    shown: Shown,
    room: from_server.Room,
    race_started: from_server.RaceStarted,
    standings: from_server.Standings,
) -> None:
    """The server sends them up to twenty times a second."""
    shown.hears(room)
    shown.hears(race_started)
    swapped = msgspec.structs.replace(standings, rows=standings.rows[::-1])
    assert len(shown.hears(standings)) == 2
    shown.now += 0.9
    assert shown.hears(swapped) == []
    shown.now += 0.1
    assert len(shown.hears(swapped)) == 2
    shown.now += 5.0
    assert shown.hears(swapped) == []


def test_a_lost_connection_is_printed(shown: Shown) -> None:
    shown.frontend.connection_lost("It was cut.")
    shown.frontend.connection_restored()
    assert shown.lines() == [
        'connection state=lost text="It was cut. Trying again."',
        "connection state=back",
    ]


def test_commands_print_what_they_show(
    shown: Shown,
    room: from_server.Room,
    race_started: from_server.RaceStarted,
    standings: from_server.Standings,
) -> None:
    shown.frontend.show("board")
    assert shown.lines() == ["game"]
    for message in (room, race_started, standings):
        shown.hears(message)
    for word, first in (
        ("board", "game n=0 score=500"),
        ("who", "member name=Ada"),
        ("standings", "standings rank=1"),
        ("help", "help text="),
    ):
        shown.frontend.show(word)
        assert shown.lines()[0].startswith(first)


def test_notes_and_problems_are_lines(shown: Shown) -> None:
    shown.frontend.note("Kept.")
    shown.frontend.problem("There are ten columns.")
    shown.frontend.line_entered()
    assert shown.lines() == ["note text=Kept.", 'problem text="There are ten columns."']


def test_only_texts_are_translated() -> None:
    """Scripts read everything else."""
    shown = Shown(translation("zh-Hant"))
    shown.frontend.problem(Translatable("There are ten columns."))
    shown.frontend.connection_lost("The connection was lost.")
    assert shown.lines() == [
        "problem text=一共只有十欄。",
        "connection state=lost text=連線中斷了。正在重試。",
    ]


def test_a_closed_pipe_raises_its_own_error() -> None:
    """`simonrace join ... | head -1` ends when head does."""

    class Closed(io.StringIO):
        def flush(self) -> None:
            raise BrokenPipeError

    with pytest.raises(PipeClosedError):
        PipeFrontend(Closed(), Conversation("Ada", None), SERVER).note("x")
