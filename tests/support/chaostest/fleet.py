"""Server processes on one store, and what tests do to them: start, kill, pause, drain, inspect."""

import asyncio
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Final, Self

from redis import Redis, RedisCluster

from chaostest.cluster import LocalCluster
from chaostest.replication import LocalReplication
from server.store.embedded import EmbeddedRedis

READY_S: Final = 20.0
CLIENT_NAME: Final = "judge"
"""Client name of the connections of tests to the store."""

_NO_LIMITS: Final = {
    "connections-per-address": 100_000,
    "max-connections": 100_000,
    "rooms-per-hour": 100_000,
    "players-per-hour": 100_000,
    "messages-per-second": 10_000,
    "message-burst": 10_000,
}


class Server:
    """One server process. It logs JSON lines to a file."""

    def __init__(self, process: subprocess.Popen[bytes], address: tuple[str, int], log: Path) -> None:
        self.process = process
        self.address = address
        self.log = log

    @classmethod
    async def start(cls, redis: str, log: Path, *, skew_s: float = 0.0, **options: Any) -> Self:
        """Start a server and return when it listens. `skew_s` sets its clocks ahead."""
        words = [
            sys.executable,
            "-m",
            *(["chaostest.skewed_clock", str(skew_s)] if skew_s else ["server.main"]),
        ]
        options = {"redis": redis, "port": 0, "log-format": "json"} | _NO_LIMITS | options
        for name, value in options.items():
            words += [f"--{name.replace('_', '-')}", str(value)]
        async with asyncio.timeout(READY_S):
            return await asyncio.to_thread(cls._start, words, log)

    @classmethod
    def _start(cls, words: list[str], log: Path) -> Self:
        with log.open("ab") as sink:
            process = subprocess.Popen(
                words,
                stdout=subprocess.PIPE,
                stderr=sink,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
            )
        assert process.stdout is not None
        found = re.search(r"ws://(.+):(\d+)", process.stdout.readline().decode())
        if not found:
            process.stdout.close()
            process.wait(READY_S)
            raise AssertionError(f"a server did not start: {log.read_text()}")
        return cls(process, (found[1], int(found[2])), log)

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process.poll() is None

    @property
    def node(self) -> str:
        """The node's id."""
        ready = (json.loads(line) for line in self.log.read_text().splitlines() if '"ready"' in line)
        return str(next(ready)["node"])

    def workers(self) -> list[int]:
        """Return the process ids of its workers, where it has some."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [
            int(child) for child in children if b"server.main" in Path(f"/proc/{child}/cmdline").read_bytes()
        ]

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        self.process.kill()
        self.process.wait()

    def pause(self) -> None:
        """Pause the process with SIGSTOP."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Resume the process with SIGCONT."""
        self.process.send_signal(signal.SIGCONT)

    async def stop(self, within: float = 10.0) -> float:
        """Stop the process with SIGTERM; return the seconds that it took. The exit code must be 0."""
        began = time.monotonic()
        self.process.terminate()
        code = await asyncio.to_thread(self.process.wait, within)
        assert code == 0, f"a server ended with {code}: {self.log.read_text()[-3000:]}"
        return time.monotonic() - began

    async def ready(self) -> str:
        """Return the answer of `/readyz`."""
        return await asyncio.to_thread(self._get, "readyz")

    def sockets(self) -> int:
        """Count the sockets that the process has open."""
        folder = Path(f"/proc/{self.process.pid}/fd")
        links = []
        for each in folder.iterdir():
            try:
                links.append(os.readlink(each))
            except FileNotFoundError:  # closed meanwhile
                continue
        return sum(link.startswith("socket:") for link in links)

    def logged_errors(self) -> list[str]:
        """Return the logged errors, and every line that Python or a library has written."""
        found = []
        for line in self.log.read_text().splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                found.append(line)
                continue
            if entry.get("level") == "error" or "logger" in entry:
                found.append(line)
        return found

    def _get(self, path: str) -> str:
        url = f"http://{self.address[0]}:{self.address[1]}/{path}"
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return str(answer.read().decode())
        except urllib.error.HTTPError as fault:
            with fault:
                return fault.read().decode()


class Fleet:
    """The servers of a test and their store."""

    def __init__(self, store: EmbeddedRedis | LocalCluster | LocalReplication, folder: Path) -> None:
        self._store = store
        self.servers: list[Server] = []
        self.leaving: list[Server] = []
        self._folder = folder
        self._numbers = itertools.count(1)

    @property
    def store(self) -> EmbeddedRedis:
        """The store, if it is a single server."""
        assert isinstance(self._store, EmbeddedRedis)
        return self._store

    @property
    def store_urls(self) -> list[str]:
        """The addresses of all servers of the store."""
        return self._store.urls if isinstance(self._store, LocalCluster) else [self._store.url]

    def contents(self) -> Redis | RedisCluster:
        """Return a client of the store, for a single server or a cluster; close it by `with`."""
        if isinstance(self._store, LocalCluster):
            return RedisCluster.from_url(self._store.url, client_name=CLIENT_NAME)
        return Redis.from_url(self._store.url, client_name=CLIENT_NAME)

    async def start(self, count: int = 2) -> list[Server]:
        """Start several servers."""
        return list(await asyncio.gather(*(self.add() for _ in range(count))))

    async def add(self, **options: Any) -> Server:
        """Start one more server."""
        log = self._folder / f"server-{next(self._numbers)}.log"
        server = await Server.start(self._store.url, log, **options)
        self.servers.append(server)
        return server

    @property
    def accepting(self) -> list[Server]:
        """The servers that a proxy sends new connections to."""
        return [server for server in self.running if server not in self.leaving]

    async def replace(self, server: Server) -> float:
        """Start a new server, then stop this one; return the seconds that it took to stop."""
        await self.add()
        self.leaving.append(server)
        return await server.stop()

    @property
    def running(self) -> list[Server]:
        """The servers whose processes run."""
        return [server for server in self.servers if server.alive]

    def kill_store(self) -> None:
        """Kill the store with SIGKILL."""
        os.kill(self.store.pid, signal.SIGKILL)

    async def restart_store(self) -> None:
        """Start the store again on its files."""
        async with asyncio.timeout(READY_S):
            while self.store.running:  # noqa: ASYNC110 - only the parent process is notified
                await asyncio.sleep(0.005)
        await asyncio.to_thread(self.store.revive)

    def pause_store(self) -> None:
        """Pause the store with SIGSTOP."""
        os.kill(self.store.pid, signal.SIGSTOP)

    def resume_store(self) -> None:
        """Resume the store with SIGCONT."""
        os.kill(self.store.pid, signal.SIGCONT)

    def end(self) -> None:
        """Kill every server that still runs, also a paused one."""
        for server in self.servers:
            if server.alive:
                server.process.send_signal(signal.SIGCONT)
                server.kill()
            if server.process.stdout is not None:
                server.process.stdout.close()
