"""Reader of lines from standard input that does not block the event loop."""

import asyncio
import codecs
import os
import threading
from typing import Final

_CHUNK: Final = 65536


class LineReader:
    """Reads lines from a file descriptor in a thread; `next` returns None at the end.

    Without a descriptor there are no lines. A thread works for terminals, pipes and files on every system.
    A reader of the event loop would make the terminal non-blocking, for standard output too. The thread reads
    the descriptor, not sys.stdin: a thread that waits inside sys.stdin keeps the interpreter from exiting.
    """

    def __init__(self, descriptor: int | None, encoding: str = "utf-8") -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        if descriptor is None:
            self._queue.put_nowait(None)
            return
        reading = threading.Thread(target=self._read, args=(descriptor, encoding), daemon=True)
        reading.start()

    async def next(self) -> str | None:
        """Return the next line without its line break, None at the end."""
        return await self._queue.get()

    def _read(self, descriptor: int, encoding: str) -> None:
        decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        rest = ""
        while True:
            try:
                chunk = os.read(descriptor, _CHUNK)
            except OSError:
                chunk = b""
            *whole, rest = (rest + decoder.decode(chunk, final=not chunk)).split("\n")
            for line in whole:
                self._put(line.removesuffix("\r"))
            if not chunk:
                if rest:
                    self._put(rest)
                self._put(None)
                return

    def _put(self, line: str | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._queue.put_nowait, line)
        except RuntimeError:
            return  # the loop is closed
