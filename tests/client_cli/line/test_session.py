"""Typed lines carried out, against a server in memory that answers at once or when it is told to."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
from racetest import until

from client_cli.core.conversation import ConnectionEnd, Conversation, Identity
from client_cli.line.line_reader import LineReader
from client_cli.line.session import Session
from client_cli.net.connection import Connection, now_ms
from protocol import from_client, from_server
from protocol.parts import LeaveReason, Ranking
from protocol.record import FORMAT, FinishedRace

RECORD = FinishedRace(FORMAT, "KTQMX", 1, "SS1-S4-AAAAABD", Ranking.TIME, 0, 1000, [], [])


class Frontend:
    """A face that remembers."""

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


class Desk(Connection):
    """A connection whose server is here: `said` is what it was told, and it answers what it knows."""

    def __init__(
        self, conversation: Conversation, room: from_server.Room, race: from_server.RaceStarted
    ) -> None:
        self.conversation = conversation
        self.said: list[from_client.FromClient] = []
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
        self.tell(welcome, self._room)
        self.nudge()
        await until(lambda: self.conversation.ended is not None)
        assert self.conversation.ended is not None
        return self.conversation.ended

    def nudge(self) -> None:
        while (message := self.conversation.next_message()) is not None:
            self.said.append(message)
            if self.answering:
                self.answer(message)

    def answer(self, message: from_client.FromClient) -> None:
        match message:
            case from_client.StartCountdown(ref=ref):
                self.tell(from_server.Done(ref=ref), self._race)
            case from_client.GetRecord(ref=ref):
                self.tell(from_server.RecordSent(ref=ref, record=RECORD))
            case from_client.Ready(ref=ref) | from_client.Chat(ref=ref) | from_client.Leave(ref=ref):
                self.tell(from_server.Done(ref=ref))
            case from_client.Move(n=n):
                self.tell(from_server.Refused(race=1, n=n, expected=n, code="rank_mismatch", text="No."))
            case _:
                pass

    def tell(self, *messages: from_server.FromServer) -> None:
        assert self.session is not None
        for message in messages:
            self.conversation.message_received(message, now_ms())
            self.session.message_received(message)

    def over(self) -> None:
        self.tell(from_server.RaceEnded(seq=9, race=1, code="SS1-S4-AAAAABD", results=[]))


class Stage:
    """A session, its face, its server, and the end of the pipe that one types into."""

    def __init__(
        self,
        desk: Desk,
        frontend: Frontend,
        session: Session,
        typing: int,
        running: asyncio.Task[ConnectionEnd],
    ) -> None:
        self.desk, self.frontend, self.session, self.typing, self.running = (
            desk,
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

    def words(self) -> list[str]:
        return [type(each).__name__ for each in self.desk.said[2:]]


Open = Callable[[bool], Awaitable[Stage]]


@pytest.fixture
async def stage(room: from_server.Room, race_started: from_server.RaceStarted):  # type: ignore[no-untyped-def]
    stages: list[tuple[Stage, int]] = []

    async def begin(scripted: bool) -> Stage:
        conversation = Conversation("Ada", from_client.Join(room="KTQMX"), keep_early_actions=scripted)
        frontend, kept = Frontend(), list[Identity]()
        session = Session(conversation, frontend, kept.append, scripted=scripted)
        desk = Desk(conversation, room, race_started)
        desk.session = session
        ours, theirs = os.pipe()
        running = asyncio.create_task(session.run(desk, LineReader(ours, "utf-8")))
        begun = Stage(desk, frontend, session, theirs, running)
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


async def test_the_identity_that_comes_is_kept(stage: Open) -> None:
    begun = await stage(False)
    assert begun.kept[0] == Identity("ada", "t1")


async def test_a_script_does_one_thing_after_another(stage: Open) -> None:
    """A command waits for the answer to the one before; moves wait for the race."""
    begun = await stage(True)
    begun.desk.answering = False
    begun.type("ready", "start", "1 2", "chat done")
    await until(lambda: begun.words() == ["Ready"])
    begun.desk.tell(from_server.Done(ref=begun.desk.said[-1].ref))  # type: ignore[union-attr]
    await until(lambda: begun.words() == ["Ready", "StartCountdown"])
    begun.desk.answering = True
    begun.desk.answer(begun.desk.said[-1])
    begun.desk.nudge()
    await until(lambda: begun.words() == ["Ready", "StartCountdown", "Move", "Chat"])


async def test_a_script_that_ends_waits_for_nobody_if_nobody_can_race(stage: Open) -> None:
    """Alone and not ready, no race would ever begin; as long as somebody else is here, one may."""
    begun = await stage(True)
    begun.type("board", end=True)
    await until(lambda: begun.frontend.shown == ["board"])
    begun.desk.tell(from_server.ReadyChanged(seq=2, player="ada", ready=False))
    assert not begun.running.done()
    begun.desk.tell(from_server.MemberLeft(seq=3, player="ming", reason=LeaveReason.LEFT))
    await until(lambda: begun.words() == ["Leave"])
    assert begun.frontend.notes == [
        "The input has ended. You are not ready and nobody else is here, so you leave the room."
    ]


async def test_the_end_of_a_script_waits_for_the_end_of_the_race(stage: Open) -> None:
    begun = await stage(True)
    begun.type("ready", "start", "1 2", end=True)
    await until(lambda: begun.words() == ["Ready", "StartCountdown", "Move"])
    assert not begun.running.done()
    begun.desk.over()
    async with asyncio.timeout(10):
        assert await begun.running == ConnectionEnd(False, "")
    assert "Leave" not in begun.words()


async def test_wait_waits_and_quit_leaves(stage: Open) -> None:
    begun = await stage(True)
    begun.type("ready", "start", "wait", "chat well played", "quit", "chat never")
    await until(lambda: begun.words() == ["Ready", "StartCountdown"])
    begun.desk.over()
    async with asyncio.timeout(10):
        assert await begun.running == ConnectionEnd(False, "")
    assert begun.words() == ["Ready", "StartCountdown", "Chat", "Leave"]


async def test_in_a_terminal_the_end_of_the_input_is_to_leave(stage: Open) -> None:
    begun = await stage(False)
    begun.type(end=True)
    async with asyncio.timeout(10):
        assert await begun.running == ConnectionEnd(False, "")
    assert begun.words() == ["Leave"]


async def test_what_is_only_shown_asks_nothing_of_the_server(stage: Open) -> None:
    begun = await stage(False)
    begun.type("board", "who", "standings", "help")
    await until(lambda: begun.frontend.shown == ["board", "who", "standings", "help"])
    assert begun.words() == []


async def test_a_bad_line_is_told_and_nothing_is_sent(stage: Open) -> None:
    begun = await stage(False)
    begun.type("11 1", "", "kick Zoe", "1 2")
    await until(lambda: len(begun.frontend.notes) == 1)
    assert begun.frontend.problems == [
        "There is no such column. Columns are numbered from 1 to 10.",
        "No member is called 'Zoe'. The members are: Ada, 陳小明.",
    ]
    assert begun.frontend.notes == ["You are not in a running race. Get ready for the next one."]
    assert begun.frontend.lines == 4
    assert begun.words() == []


async def test_a_race_is_kept_in_the_file_that_was_named(stage: Open, tmp_path: Path) -> None:
    begun = await stage(True)
    path = tmp_path / "race.json"
    begun.type("ready", "start", f"save {path}", f"save {tmp_path}")
    await until(lambda: bool(begun.frontend.notes and begun.frontend.problems))
    assert msgspec.json.decode(path.read_bytes(), type=FinishedRace) == RECORD
    assert begun.frontend.notes == [f"Race 1 is saved in {path}. Verify it with: simonrace verify {path}"]
    assert begun.frontend.problems == [f"Cannot save the race in {tmp_path} (Is a directory)."]


async def test_what_the_connection_tells_is_passed_on(stage: Open) -> None:
    begun = await stage(False)
    begun.session.connection_lost("cut")
    begun.session.connection_restored()
    assert begun.frontend.states[-2:] == ["cut", "back"]
