"""A log file on request: what was heard and when, for whoever looks into a fault. No secret is ever in it."""

import time
import traceback
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from client_cli.core.errors import Failure
from client_cli.net.connection import ConnectionListener
from protocol import from_server


class MessageLog:
    """Appends lines to a file, each with the date and the time; `Journal.open(None)` writes nothing."""

    def __init__(self, path: Path | None) -> None:
        self._file = None if path is None else path.open("a", encoding="utf-8", buffering=1)

    @classmethod
    def open(cls, path: Path | None) -> Self:
        """Open a file for writing at its end. Raises Failure when it cannot be."""
        try:
            return cls(path)
        except OSError as fault:
            raise Failure(f"The log cannot be written to {path}: {fault.strerror}.") from None

    def __enter__(self) -> Self:
        """Begin."""
        self.note("begin")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End, with whatever brought it about."""
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
        """Write what was heard, the token left out; standings and boards by their names alone."""
        if self._file is None:
            return
        kind = str(message.__struct_config__.tag)
        if isinstance(message, from_server.Welcome):
            message = msgspec.structs.replace(message, token=None)
        long = isinstance(message, from_server.Standings | from_server.RecordSent | from_server.Leaderboard)
        self.note(kind if long else f"{kind} {msgspec.json.encode(message).decode()}")


class LoggingListener:
    """A watcher that writes down what it is told, and passes it on to another."""

    def __init__(self, watcher: ConnectionListener, message_log: MessageLog) -> None:
        self._watcher, self._message_log = watcher, message_log

    def message_received(self, message: from_server.FromServer) -> None:
        """A message came."""
        self._message_log.message_received(message)
        self._watcher.message_received(message)

    def connection_lost(self, why: str) -> None:
        """The connection is lost."""
        self._message_log.note(f"lost: {why}")
        self._watcher.connection_lost(why)

    def connection_restored(self) -> None:
        """A connection is there again."""
        self._message_log.note("back")
        self._watcher.connection_restored()
