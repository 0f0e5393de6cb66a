"""Worker processes of one server: start, watch, restart, stop.

Each worker is a node on the same store. They share one port, and the kernel distributes the connections
(SO_REUSEPORT).
"""

import asyncio
import contextlib
import os
import socket
import sys
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Final

from server.config import Config

_READY_S: Final = 15.0
"""Most time from the start of a worker to the line with its address."""

_STOP_S: Final = 8.0
"""Most time in which a worker may drain."""

_PAUSE_S: Final = 0.5
"""Pause before a worker that died is restarted."""


@contextlib.contextmanager
def shared_port(host: str, port: int) -> Iterator[int]:
    """Reserve a port on which several processes can listen; 0 takes a free one. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        holder.bind((host, port))
        yield holder.getsockname()[1]


class Workers:
    """The worker processes of one server."""

    def __init__(self, config: Config, redis: str, port: int, log: Any) -> None:
        self._config = config
        self._redis = redis  # address of the store
        self._port = port
        self._log = log
        self._running: dict[int, asyncio.subprocess.Process] = {}  # by number, also dead ones

    async def start(self) -> None:
        """Start all workers and wait until each is ready. Raises OSError if one does not start."""
        await asyncio.gather(*(self._start(number) for number in range(self._config.workers)))

    async def watch(self, stopped: asyncio.Event) -> None:
        """Restart workers that die, until `stopped` is set. Raises the exception of a failed watcher."""
        stopping = asyncio.create_task(stopped.wait())
        watching = [asyncio.create_task(self._keep(number)) for number in range(self._config.workers)]
        try:
            ended, _ = await asyncio.wait([stopping, *watching], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (stopping, *watching):
                task.cancel()
            await asyncio.gather(stopping, *watching, return_exceptions=True)
        for task in ended:
            task.result()

    async def stop(self) -> None:
        """Stop every worker: let it drain, and kill it if it does not end."""
        running, self._running = self._running, {}
        for worker in running.values():
            if worker.returncode is None:
                worker.terminate()
        for worker in running.values():
            try:
                await asyncio.wait_for(worker.wait(), _STOP_S)
            except TimeoutError:
                worker.kill()
                await worker.wait()

    async def _keep(self, number: int) -> None:
        while True:
            code = await self._running[number].wait()
            self._log.error("a worker died; starting another", worker=number, code=code)
            await asyncio.sleep(_PAUSE_S)
            with contextlib.suppress(OSError):
                await self._start(number)

    async def _start(self, number: int) -> None:
        worker = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "server.main",
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **self._settings(number)},
            start_new_session=True,  # Ctrl-C is for the supervisor, which lets its workers drain
        )
        self._running[number] = worker
        if worker.stdout is None:
            raise OSError("a worker has no standard output")
        try:
            line = await asyncio.wait_for(worker.stdout.readline(), _READY_S)
        except TimeoutError:
            line = b""
        if not line:
            raise OSError(f"worker {number} did not start")

    def _settings(self, number: int) -> dict[str, str]:
        """Return a worker's settings as environment variables: the store's address may contain a password."""
        config = self._config
        chosen: dict[str, Any] = {field.name: getattr(config, field.name) for field in fields(config)}
        chosen |= {"workers": 1, "worker_of": os.getpid(), "redis": self._redis, "port": self._port}
        if config.metrics_port:
            chosen["metrics_port"] = config.metrics_port + number
        settings = {}
        for name, value in chosen.items():
            if value is not None:
                text = " ".join(value) if isinstance(value, tuple) else str(value)
                settings[f"SIMONRACE_{name.upper()}"] = text
        return settings
