"""Sessions of a line front end, with a server in memory."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
from racetest import until

from client_cli.core.connection_end import ConnectionEnd
from client_cli.core.conversation import Conversation, Identity
from client_cli.line.line_reader import LineReader
from client_cli.line.session import Session
from client_cli.net.connection import Connection, now_ms
from protocol import from_client, from_server
from protocol.parts import LeaveReason, Ranking
from protocol.record import FORMAT, FinishedRace

RECORD = FinishedRace(FORMAT, "KTQMX", 1, "SS1-S4-AAAAABD", Ranking.TIME, 0, 1000, [], [])


class Frontend:
    """A front end that records what it is given."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.notes: list[str] = []
        self.problems: list[str] = []
        self.states: list[str] = []
        self.lines = 0

    def message_received(self, message: from_server.FromServer) -> None:
        self.states.append(type(message).__name__)

    def connection_lost(self, why: str) -> None:
        self.states.append(why)

    def connection_restored(self) -> None:
        self.states.append("back")

    def show(self, word: str) -> None:
        self.shown.append(word)

    def note(self, text: str) -> None:
        self.notes.append(text)

    def problem(self, text: str) -> None:
        self.problems.append(text)

    def line_entered(self) -> None:
        self.lines += 1


class ServerConnection(Connection):
    """A connection with its server: it records what is sent and answers some requests."""

    def __init__(
        self, conversation: Conversation, room: from_server.Room, race: from_server.RaceStarted
    ) -> None:
        self.conversation = conversation
        self.sent: list[from_client.FromClient] = []
        self.session: Session | None = None
        self.answering = True
        self._room, self._race = room, race

    async def run(self) -> ConnectionEnd:
        self.conversation.connection_opened()
        welcome = from_server.Welcome(
            protocol=1,
            server="x",
            player="ada",
            token="t1",  # noqa: S106
            name="Ada",
            clock_ms=0,
        )
        self.send(welcome, self._room)
        self.nudge()
        await until(lambda: self.conversation.ended is not None)
        assert self.conversation.ended is not None
        return self.conversation.ended

    def nudge(self) -> None:
        while (message := self.conversation.next_message()) is not None:
            self.sent.append(message)
            if self.answering:
                self.answer(message)

    def answer(self, message: from_client.FromClient) -> None:
        match message:
            case from_client.StartCountdown(ref=ref):
                self.send(from_server.Done(ref=ref), self._race)
            case from_client.GetRecord(ref=ref):
                self.send(from_server.RecordSent(ref=ref, record=RECORD))
            case from_client.Ready(ref=ref) | from_client.Chat(ref=ref) | from_client.Leave(ref=ref):
                self.send(from_server.Done(ref=ref))
            case from_client.Move(n=n):
                self.send(from_server.Refused(race=1, n=n, expected=n, code="rank_mismatch", text="No."))
            case _:
                pass

    def send(self, *messages: from_server.FromServer) -> None:
        assert self.session is not None
        for message in messages:
            self.conversation.message_received(message, now_ms())
            self.session.message_received(message)

    def end_race(self) -> None:
        self.send(from_server.RaceEnded(seq=9, race=1, code="SS1-S4-AAAAABD", results=[]))


class Stage:
    """A session, its front end, its server, and the pipe of its input."""

    def __init__(
        self,
        server: ServerConnection,
        frontend: Frontend,
        session: Session,
        typing: int,
        running: asyncio.Task[ConnectionEnd],
    ) -> None:
        self.server, self.frontend, self.session, self.typing, self.running = (
            server,
            frontend,
            session,
            typing,
            running,
        )
        self.kept: list[Identity] = []

    def type(self, *lines: str, end: bool = False) -> None:
        os.write(self.typing, "".join(f"{line}\n" for line in lines).encode())
        if end:
            os.close(self.typing)
            self.typing = -1

    def sent_types(self) -> list[str]:
        return [type(each).__name__ for each in self.server.sent[2:]]


Open = Callable[[bool], Awaitable[Stage]]


@pytest.fixture
async def stage(room: from_server.Room, race_started: from_server.RaceStarted):  # type: ignore[no-untyped-def]
    stages: list[tuple[Stage, int]] = []

    async def begin(scripted: bool) -> Stage:
        conversation = Conversation("Ada", from_client.Join(room="KTQMX"), keep_early_actions=scripted)
        frontend, kept = Frontend(), list[Identity]()
        session = Session(conversation, frontend, kept.append, scripted=scripted)
        server = ServerConnection(conversation, room, race_started)
        server.session = session
        ours, theirs = os.pipe()
        running = asyncio.create_task(session.run(server, LineReader(ours, "utf-8")))
        begun = Stage(server, frontend, session, theirs, running)
        begun.kept = kept
        stages.append((begun, ours))
        await until(lambda: conversation.live)
        return begun

    yield begin
    for begun, ours in stages:
        begun.running.cancel()
        await asyncio.gather(begun.running, return_exceptions=True)
        if begun.typing >= 0:
            os.close(begun.typing)
        os.close(ours)


async def test_the_identity_is_saved(stage: Open) -> None:
    begun = await stage(False)
    assert begun.kept[0] == Identity("ada", "t1")


async def test_a_script_runs_its_commands_in_order(stage: Open) -> None:
    """A command waits for the answer to the one before; moves wait for the race."""
    begun = await stage(True)
    begun.server.answering = False
    begun.type("ready", "start", "1 2", "chat done")
    await until(lambda: begun.sent_types() == ["Ready"])
    begun.server.send(from_server.Done(ref=begun.server.sent[-1].ref))  # type: ignore[union-attr]
    await until(lambda: begun.sent_types() == ["Ready", "StartCountdown"])
    begun.server.answering = True
    begun.server.answer(begun.server.sent[-1])
    begun.server.nudge()
    await until(lambda: begun.sent_types() == ["Ready", "StartCountdown", "Move", "Chat"])


async def test_a_script_leaves_at_its_end_if_no_race_can_start(stage: Open) -> None:
    """Alone and not ready, no race can start; while somebody else is here, one can."""
    begun = await stage(True)
    begun.type("board", end=True)
    await until(lambda: begun.frontend.shown == ["board"])
    begun.server.send(from_server.ReadyChanged(seq=2, player="ada", ready=False))
    assert not begun.running.done()
    begun.server.send(from_server.MemberLeft(seq=3, player="ming", reason=LeaveReason.LEFT))
    await until(lambda: begun.sent_types() == ["Leave"])
    assert begun.frontend.notes == [
        "The input has ended. You are not ready and nobody else is here, so you leave the room."
    ]


async def test_a_script_that_is_out_of_the_room_does_not_say_that_it_leaves(stage: Open) -> None:
    begun = await stage(True)
    begun.type("board", end=True)
    await until(lambda: begun.frontend.shown == ["board"])
    begun.server.send(from_server.MemberLeft(seq=2, player="ada", reason=LeaveReason.KICKED))
    async with asyncio.timeout(10):
        await begun.running
    assert (begun.frontend.notes, begun.sent_types()) == ([], [])


async def test_a_script_waits_at_its_end_for_the_end_of_the_race(stage: Open) -> None:
    begun = await stage(True)
    begun.type("ready", "start", "1 2", end=True)
    await until(lambda: begun.sent_types() == ["Ready", "StartCountdown", "Move"])
    assert not begun.running.done()
    begun.server.end_race()
    async with asyncio.timeout(10):
        assert await begun.running == ConnectionEnd(False, "")
    assert "Leave" not in begun.sent_types()


async def test_wait_waits_for_the_end_of_the_race_and_quit_leaves(stage: Open) -> None:
    begun = await stage(True)
    begun.type("ready", "start", "wait", "chat well played", "quit", "chat never")
    await until(lambda: begun.sent_types() == ["Ready", "StartCountdown"])
    begun.server.end_race()
    async with asyncio.timeout(10):
        assert await begun.running == ConnectionEnd(False, "")
    assert begun.sent_types() == ["Ready", "StartCountdown", "Chat", "Leave"]


async def test_in_a_terminal_the_end_of_the_input_leaves_the_room(stage: Open) -> None:
    begun = await stage(False)
    begun.type(end=True)
    async with asyncio.timeout(10):
        assert await begun.running == ConnectionEnd(False, "")
    assert begun.sent_types() == ["Leave"]


async def test_commands_that_only_show_send_nothing(stage: Open) -> None:
    begun = await stage(False)
    begun.type("board", "who", "standings", "help")
    await until(lambda: begun.frontend.shown == ["board", "who", "standings", "help"])
    assert begun.sent_types() == []


async def test_an_invalid_line_is_shown_as_a_problem_and_sends_nothing(stage: Open) -> None:
    begun = await stage(False)
    begun.type("11 1", "", "kick Zoe", "1 2")
    await until(lambda: len(begun.frontend.notes) == 1)
    assert begun.frontend.problems == [
        "There is no such column. Columns are numbered from 1 to 10.",
        "No member is called 'Zoe'. The members are: Ada, 陳小明.",
    ]
    assert begun.frontend.notes == ["You are not in a running race. Get ready for the next one."]
    assert begun.frontend.lines == 4
    assert begun.sent_types() == []


async def test_a_race_is_saved_in_the_named_file(stage: Open, tmp_path: Path) -> None:
    begun = await stage(True)
    path = tmp_path / "race.json"
    begun.type("ready", "start", f"save {path}", f"save {tmp_path}")
    await until(lambda: bool(begun.frontend.notes and begun.frontend.problems))
    assert msgspec.json.decode(path.read_bytes(), type=FinishedRace) == RECORD
    assert begun.frontend.notes == [f"Race 1 is saved in {path}. Verify it with: simonrace verify {path}"]
    assert begun.frontend.problems == [f"Cannot save the race in {tmp_path} (Is a directory)."]


async def test_a_lost_and_restored_connection_is_passed_on(stage: Open) -> None:
    begun = await stage(False)
    begun.session.connection_lost("cut")
    begun.session.connection_restored()
    assert begun.frontend.states[-2:] == ["cut", "back"]
