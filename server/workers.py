"""Several worker processes that share one port: started, watched, started again, stopped.

Each is a node like any other, on the same store; the kernel spreads connections over them (SO_REUSEPORT).
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
_STOP_S: Final = 8.0
_PAUSE_S: Final = 0.5
"""Pause before a worker that died is started again."""


@contextlib.contextmanager
def shared_port(host: str, port: int) -> Iterator[int]:
    """Hold a port that processes may listen on together; 0 takes a free one. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        holder.bind((host, port))
        yield holder.getsockname()[1]


class Workers:
    """The worker processes of one server."""

    def __init__(self, config: Config, redis: str, port: int, log: Any) -> None:
        self._config = config
        self._redis = redis
        self._port = port
        self._log = log
        self._running: dict[int, asyncio.subprocess.Process] = {}

    async def start(self) -> None:
        """Start all of them and wait until each is ready. Raises OSError when one does not get there."""
        await asyncio.gather(*(self._start(number) for number in range(self._config.workers)))

    async def watch(self, stopped: asyncio.Event) -> None:
        """Start workers that die again, until the server is to stop. A bug in that is raised."""
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
        """Let every worker drain, and end those that do not."""
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
            start_new_session=True,  # a Ctrl-C is for the server, which lets its workers drain
        )
        self._running[number] = worker
        if worker.stdout is None:
            raise OSError("a worker without output")
        try:
            line = await asyncio.wait_for(worker.stdout.readline(), _READY_S)
        except TimeoutError:
            line = b""
        if not line:
            raise OSError(f"worker {number} did not start")

    def _settings(self, number: int) -> dict[str, str]:
        """Return a worker's settings, which go by the environment: the store's address is a secret."""
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
