"""A primary and a replica that can take its place, with all data or with older data."""

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from redis import Redis
from redis.exceptions import ConnectionError as Unreachable

from chaostest.cluster import free_ports
from server.store.embedded.setup import find_binary

_READY_S: Final = 20.0


class LocalReplication:
    """A context manager that runs both. At `url` is the primary, after `fail_over` the former replica."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ports = free_ports(2)
        self._servers: list[subprocess.Popen[bytes]] = []

    @property
    def url(self) -> str:
        """Address of the store."""
        return f"redis://127.0.0.1:{self._ports[0]}/0"

    def stop_replication(self) -> None:
        """Stop the replication: the replica gets no later writes of the primary."""
        with self._client(self._ports[1]) as replica:
            replica.replicaof("NO", "ONE")

    def fail_over(self) -> None:
        """Kill the primary with SIGKILL; the replica serves at its address with the data that it has."""
        primary, replica = self._servers
        for server, how in ((primary, signal.SIGKILL), (replica, signal.SIGTERM)):
            server.send_signal(how)
            server.wait()
        self._servers = [self._start("replica", self._ports[0])]
        self._client(self._ports[0]).close()

    def __enter__(self) -> Self:
        first, second = self._ports
        self._servers = [self._start("primary", first)]
        self._client(first).close()
        self._servers.append(self._start("replica", second, f"--replicaof 127.0.0.1 {first}"))
        with self._client(second) as replica:
            _await(lambda: _follows(replica), "the replica does not follow")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self._servers:
            server.kill()
            server.wait()

    def _start(self, name: str, port: int, more: str = "") -> subprocess.Popen[bytes]:
        folder = self._folder / name
        folder.mkdir(parents=True, exist_ok=True)
        settings = {
            "port": port,
            "bind": "127.0.0.1",
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "repl-diskless-sync-delay": 0,
            "logfile": "log",
        }
        words = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
        return subprocess.Popen([find_binary(), *words, *more.split()], cwd=folder, stdout=subprocess.DEVNULL)

    @staticmethod
    def _client(port: int) -> Redis:
        client = Redis(port=port)
        _await(lambda: _is_up(client), "the store does not start")
        return client


def _is_up(client: Redis) -> bool:
    try:
        return bool(client.ping())
    except Unreachable:  # also while it loads
        return False


def _follows(replica: Redis) -> bool:
    """Return whether a replica has all data, also on its disk."""
    info = replica.info()
    return info.get("master_link_status") == "up" and not info["aof_rewrite_in_progress"]


def _await(condition: Callable[[], bool], message: str) -> None:
    deadline = time.monotonic() + _READY_S
    while not condition():
        assert time.monotonic() < deadline, message
        time.sleep(0.01)
