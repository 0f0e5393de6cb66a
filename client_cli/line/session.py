"""One person's session: lines that are typed go to the server, what it says is shown."""

import asyncio
from collections.abc import Callable
from typing import Final

from client_cli.core.commands import Command, InvalidCommandError, MoveCards, SaveRace, SimpleCommand, parse
from client_cli.core.conversation import ConnectionEnd, Conversation, Identity
from client_cli.core.requests import ACTIONS, request
from client_cli.core.translatable import gettext_noop as _
from client_cli.files.saved_records import NotKeptError, keep
from client_cli.line.frontend import Frontend
from client_cli.line.line_reader import LineReader
from client_cli.net.connection import Connection
from protocol import from_server
from protocol.parts import Phase

_SHOWN: Final = frozenset({"board", "who", "standings", "help"})
_LOBBY: Final = frozenset({"ready", "unready", "start", "cancel", "lock", "unlock"})
_RUNNING: Final = (Phase.COUNTDOWN, Phase.RACING)
_FORLORN: Final = _("Nobody else is here and you are not ready, so the room is left at the end of the input.")
LEAVE_SECONDS: Final = 3.0


class Session:
    """Carries typed commands out. It is the watcher of the connection and passes everything on to a face.

    `keep` takes the identity that the server knows one by. A `scripted` session does one thing after
    another: a command waits until those before it are answered, and the end of the input waits for the
    race's end.
    """

    def __init__(
        self,
        conversation: Conversation,
        frontend: Frontend,
        keep: Callable[[Identity], None],
        *,
        scripted: bool,
    ) -> None:
        self._conversation, self._frontend, self._keep, self._scripted = (
            conversation,
            frontend,
            keep,
            scripted,
        )
        self._phase = conversation.model.phase
        self._saves: dict[int, str] = {}
        self._races_over = 0
        self._heard = asyncio.Event()

    def message_received(self, message: from_server.FromServer) -> None:
        """Take up a message, and show it."""
        phase = self._conversation.model.phase
        self._races_over += self._phase is Phase.RACING and phase is not Phase.RACING
        self._phase = phase
        if isinstance(message, from_server.Welcome) and self._conversation.identity is not None:
            self._keep(self._conversation.identity)
        if isinstance(message, from_server.RecordSent):
            self._save(message)
        self._frontend.message_received(message)
        self._tell_notes()
        self._heard.set()

    def connection_lost(self, why: str) -> None:
        """Pass on that the connection is gone."""
        self._frontend.connection_lost(why)

    def connection_restored(self) -> None:
        """Pass on that the connection is there again."""
        self._frontend.connection_restored()

    async def run(self, connection: Connection, lines: LineReader) -> ConnectionEnd:
        """Go on until the conversation is over, or the input is and what it began is done."""
        talking = asyncio.create_task(connection.run())
        typing = asyncio.create_task(self._type(connection, lines))
        try:
            await asyncio.wait({talking, typing}, return_when=asyncio.FIRST_COMPLETED)
            if typing.done():
                typing.result()
            if talking.done():
                return talking.result()
            return self._conversation.ended or ConnectionEnd(False, "")
        finally:
            for task in (typing, talking):
                task.cancel()
            await asyncio.gather(typing, talking, return_exceptions=True)

    async def _type(self, connection: Connection, lines: LineReader) -> None:
        while (text := await lines.next()) is not None:
            self._frontend.typed()
            try:
                command = parse(text)
                if command is not None and await self._do(connection, command):
                    return
            except InvalidCommandError as fault:
                self._frontend.problem(fault.sentence)
            self._tell_notes()
        if self._scripted:
            await self._until(
                lambda: (
                    self._conversation.live and (self._conversation.idle or self._conversation.awaits_race)
                )
            )
            await self._until(lambda: self._race_is_over or self._forlorn)
            if self._race_is_over:
                return
            self._frontend.note(_FORLORN)
        await self._leave(connection)

    async def _do(self, connection: Connection, command: Command) -> bool:
        """Carry a command out; return whether it was the last one."""
        match command:
            case MoveCards():
                self._conversation.submit_action(command)
            case SimpleCommand(word) if word in ACTIONS:
                self._conversation.submit_action(command)
            case SimpleCommand(word) if word in _SHOWN:
                await self._in_turn()
                self._frontend.show(word)
            case SimpleCommand("wait"):
                await self._in_turn()
                await self._race_over()
            case SimpleCommand("quit"):
                await self._in_turn()
                await self._leave(connection)
                return True
            case _:
                lobby = isinstance(command, SimpleCommand) and command.word in _LOBBY
                await self._in_turn(lobby=lobby)
                ref = self._conversation.submit_request(
                    request(command, self._conversation.model, self._conversation.named_code)
                )
                if isinstance(command, SaveRace):
                    self._saves[ref] = command.path
        connection.nudge()
        return False

    async def _in_turn(self, *, lobby: bool = False) -> None:
        """In a script, wait for what was typed before; what starts a race does not wait for its moves."""
        if self._scripted:
            conversation = self._conversation
            await self._until(
                lambda: conversation.live and (conversation.idle or (lobby and conversation.awaits_race))
            )

    async def _race_over(self) -> None:
        """Wait until a race has ended that was seen here, and none is about to run."""
        await self._until(lambda: self._race_is_over)

    @property
    def _race_is_over(self) -> bool:
        return self._races_over > 0 and self._conversation.model.phase not in _RUNNING

    @property
    def _forlorn(self) -> bool:
        """Nobody else is here, and whoever is here does not want to race: no race will ever begin."""
        model = self._conversation.model
        return model.phase not in _RUNNING and not any(
            each.ready or each.player != model.me for each in model.members
        )

    async def _leave(self, connection: Connection) -> None:
        """Give up the seat, and wait a moment for the server to know it."""
        if not self._conversation.live:
            return
        self._conversation.submit_request(request(SimpleCommand("quit"), self._conversation.model, None))
        connection.nudge()
        try:
            async with asyncio.timeout(LEAVE_SECONDS):
                await self._until(lambda: self._conversation.ended is not None)
        except TimeoutError:
            return

    async def _until(self, done: Callable[[], bool]) -> None:
        while not done() and self._conversation.ended is None:
            self._heard.clear()
            await self._heard.wait()

    def _save(self, message: from_server.RecordSent) -> None:
        try:
            self._frontend.note(keep(message.record, self._saves.pop(message.ref, "race.json")))
        except NotKeptError as fault:
            self._frontend.problem(fault.sentence)

    def _tell_notes(self) -> None:
        for note in self._conversation.take_notes():
            self._frontend.note(note)
