"""Log of the received messages in a file, on request, for finding faults. It never holds a secret."""

import time
import traceback
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from client_cli.core.errors import Failure
from client_cli.core.translatable import Translatable
from client_cli.net.connection import ConnectionListener
from protocol import from_server


class MessageLog:
    """Appends lines with date and time to a file. `MessageLog.open(None)` writes nothing."""

    def __init__(self, path: Path | None) -> None:
        self._file = None if path is None else path.open("a", encoding="utf-8", buffering=1)

    @classmethod
    def open(cls, path: Path | None) -> Self:
        """Open a file for appending. Raises Failure if it cannot be written."""
        try:
            return cls(path)
        except OSError as fault:
            raise Failure(
                Translatable("Cannot write the log to {path} ({why}).", path=path, why=fault.strerror)
            ) from None

    def __enter__(self) -> Self:
        """Write that the log begins."""
        self.note("begin")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write the exception that ended the program, if any, and close the file."""
        if fault is not None and not isinstance(fault, Failure):
            self.note("".join(traceback.format_exception(kind, fault, trace)).rstrip())
        self.note("end")
        if self._file is not None:
            self._file.close()

    def note(self, text: str) -> None:
        """Write a line."""
        if self._file is not None:
            self._file.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {text}\n")

    def message_received(self, message: from_server.FromServer) -> None:
        """Write a message without its token; of standings, records and leaderboards the type alone."""
        if self._file is None:
            return
        kind = str(message.__struct_config__.tag)
        if isinstance(message, from_server.Welcome):
            message = msgspec.structs.replace(message, token=None)
        long = isinstance(message, from_server.Standings | from_server.RecordSent | from_server.Leaderboard)
        self.note(kind if long else f"{kind} {msgspec.json.encode(message).decode()}")


class LoggingListener:
    """Listener that writes what happens to a message log and passes it on to another listener."""

    def __init__(self, listener: ConnectionListener, message_log: MessageLog) -> None:
        self._listener, self._message_log = listener, message_log

    def message_received(self, message: from_server.FromServer) -> None:
        """Log the message and pass it on."""
        self._message_log.message_received(message)
        self._listener.message_received(message)

    def connection_lost(self, why: str) -> None:
        """Log the loss and pass it on."""
        self._message_log.note(f"lost: {why}")
        self._listener.connection_lost(why)

    def connection_restored(self) -> None:
        """Log the new connection and pass it on."""
        self._message_log.note("back")
        self._listener.connection_restored()
