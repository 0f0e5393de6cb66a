"""Session of a line front end: carries out typed commands and shows what the server sends."""

import asyncio
from collections.abc import Callable
from typing import Final

from client_cli.core.commands import Command, InvalidCommandError, MoveCards, SaveRace, SimpleCommand, parse
from client_cli.core.connection_end import ConnectionEnd
from client_cli.core.conversation import Conversation, Identity
from client_cli.core.requests import ACTIONS, request
from client_cli.core.translatable import gettext_noop as _
from client_cli.files.saved_records import SaveError, save
from client_cli.line.frontend import Frontend
from client_cli.line.line_reader import LineReader
from client_cli.net.connection import Connection
from protocol import from_server
from protocol.parts import Phase

_SHOWN: Final = frozenset({"board", "who", "standings", "help"})
_LOBBY: Final = frozenset({"ready", "unready", "start", "cancel", "lock", "unlock"})
_RUNNING: Final = (Phase.COUNTDOWN, Phase.RACING)
_LEAVING_EMPTY_ROOM: Final = _(
    "The input has ended. You are not ready and nobody else is here, so you leave the room."
)
LEAVE_SECONDS: Final = 3.0


class Session:
    """Carries out typed commands. It is the listener of the connection and passes messages to the front end.

    `keep` saves the identity that the server assigns. A `scripted` session carries out a command only after
    the earlier ones are answered, and at the end of its input waits for the end of the race.
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
        self._message_arrived = asyncio.Event()

    def message_received(self, message: from_server.FromServer) -> None:
        """Process a message and show it."""
        phase = self._conversation.model.phase
        self._races_over += self._phase is Phase.RACING and phase is not Phase.RACING
        self._phase = phase
        if isinstance(message, from_server.Welcome) and self._conversation.identity is not None:
            self._keep(self._conversation.identity)
        if isinstance(message, from_server.RecordSent):
            self._save(message)
        self._frontend.message_received(message)
        self._show_notes()
        self._message_arrived.set()

    def connection_lost(self, why: str) -> None:
        """Show that the connection is lost."""
        self._frontend.connection_lost(why)

    def connection_restored(self) -> None:
        """Show that the connection is restored."""
        self._frontend.connection_restored()

    async def run(self, connection: Connection, lines: LineReader) -> ConnectionEnd:
        """Run until the conversation ends, or the input has ended and its commands are done."""
        connecting = asyncio.create_task(connection.run())
        reading = asyncio.create_task(self._read_lines(connection, lines))
        try:
            await asyncio.wait({connecting, reading}, return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                reading.result()
            if connecting.done():
                return connecting.result()
            return self._conversation.ended or ConnectionEnd(False, "")
        finally:
            for task in (reading, connecting):
                task.cancel()
            await asyncio.gather(reading, connecting, return_exceptions=True)

    async def _read_lines(self, connection: Connection, lines: LineReader) -> None:
        while (text := await lines.next()) is not None:
            self._frontend.line_entered()
            try:
                command = parse(text)
                if command is not None and await self._carry_out(connection, command):
                    return
            except InvalidCommandError as fault:
                self._frontend.problem(fault.sentence)
            self._show_notes()
        if self._scripted:
            await self._until(
                lambda: (
                    self._conversation.live and (self._conversation.idle or self._conversation.awaits_race)
                )
            )
            await self._until(lambda: self._race_is_over or self._no_race_possible)
            if self._race_is_over or self._conversation.ended is not None:
                return
            self._frontend.note(_LEAVING_EMPTY_ROOM)
        await self._leave(connection)

    async def _carry_out(self, connection: Connection, command: Command) -> bool:
        """Carry out a command; return whether the session ends with it."""
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
                await self._wait_for_race_end()
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
        """In a script, wait until earlier commands are answered; with `lobby`, except moves before a race."""
        if self._scripted:
            conversation = self._conversation
            await self._until(
                lambda: conversation.live and (conversation.idle or (lobby and conversation.awaits_race))
            )

    async def _wait_for_race_end(self) -> None:
        """Wait until a race seen by this session has ended and no other one runs."""
        await self._until(lambda: self._race_is_over)

    @property
    def _race_is_over(self) -> bool:
        return self._races_over > 0 and self._conversation.model.phase not in _RUNNING

    @property
    def _no_race_possible(self) -> bool:
        """Whether no race can start: nobody else is here and the user is not ready."""
        model = self._conversation.model
        return model.phase not in _RUNNING and not any(
            each.ready or each.player != model.me for each in model.members
        )

    async def _leave(self, connection: Connection) -> None:
        """Leave the room, and wait a moment for the answer."""
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
            self._message_arrived.clear()
            await self._message_arrived.wait()

    def _save(self, message: from_server.RecordSent) -> None:
        try:
            self._frontend.note(save(message.record, self._saves.pop(message.ref, "race.json")))
        except SaveError as fault:
            self._frontend.problem(fault.sentence)

    def _show_notes(self) -> None:
        for note in self._conversation.take_notes():
            self._frontend.note(note)
