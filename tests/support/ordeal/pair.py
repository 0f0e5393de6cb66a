"""A store with a replica, of which the one is killed and the other takes its place, perhaps behind it."""

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from redis import Redis
from redis.exceptions import ConnectionError as Unreachable

from ordeal.cluster import free_ports
from server.store.embedded.setup import find_binary

_READY_S: Final = 20.0


class LocalPair:
    """Started by `with`; at `url` is the primary, and after `fail_over` what was its replica."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ports = free_ports(2)
        self._servers: list[subprocess.Popen[bytes]] = []

    @property
    def url(self) -> str:
        """The address at which the store is found."""
        return f"redis://127.0.0.1:{self._ports[0]}/0"

    def part(self) -> None:
        """Let the replica hear no more of what the primary writes."""
        with self._client(self._ports[1]) as replica:
            replica.replicaof("NO", "ONE")

    def fail_over(self) -> None:
        """End the primary as a power cut does; the replica serves at its address with what it has."""
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
        words = [part for name, value in settings.items() for part in (f"--{name}", str(value))]
        return subprocess.Popen([find_binary(), *words, *more.split()], cwd=folder, stdout=subprocess.DEVNULL)

    @staticmethod
    def _client(port: int) -> Redis:
        client = Redis(port=port)
        _await(lambda: _answers(client), "the store does not start")
        return client


def _answers(client: Redis) -> bool:
    try:
        return bool(client.ping())
    except Unreachable:  # or it is still loading
        return False


def _follows(replica: Redis) -> bool:
    """Tell whether a replica has all there is, on its disk too."""
    info = replica.info()
    return info.get("master_link_status") == "up" and not info["aof_rewrite_in_progress"]


def _await(so: Callable[[], bool], complaint: str) -> None:
    deadline = time.monotonic() + _READY_S
    while not so():
        assert time.monotonic() < deadline, complaint
        time.sleep(0.01)
