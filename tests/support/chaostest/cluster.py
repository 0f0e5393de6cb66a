"""A Redis Cluster of three servers, each with an append-only file that is synced after every write."""

import signal
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from redis import Redis
from redis.exceptions import ConnectionError as Unreachable

from server.store.embedded.setup import find_binary

SLOTS: Final = 16_384
SIZE: Final = 3
_READY_S: Final = 20.0


class LocalCluster:
    """A context manager that runs a cluster. Its servers share all slots and have no replicas."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ports = free_ports(2 * SIZE)
        self._servers: list[subprocess.Popen[bytes]] = []

    @property
    def url(self) -> str:
        """Address of one server, from which a client discovers the others."""
        return f"redis://127.0.0.1:{self._ports[0]}/0"

    @property
    def urls(self) -> list[str]:
        """Addresses of all servers."""
        return [f"redis://127.0.0.1:{port}/0" for port in self._ports[:SIZE]]

    def bus(self, number: int) -> int:
        """Port at which one server talks to the others."""
        return self._ports[SIZE + number]

    @property
    def running(self) -> bool:
        """Whether all servers run."""
        return all(server.poll() is None for server in self._servers)

    def kill(self, number: int) -> None:
        """Kill one server with SIGKILL."""
        self._servers[number].send_signal(signal.SIGKILL)
        self._servers[number].wait()

    def restart(self, number: int) -> None:
        """Start one server again on its files; return when the cluster is complete."""
        self._servers[number] = self._start(number)
        self._await_whole()

    def __enter__(self) -> Self:
        self._servers = [self._start(number) for number in range(SIZE)]
        first, *others = clients = [self._client(number) for number in range(SIZE)]
        share = SLOTS // SIZE + 1
        for number, client in enumerate(clients):
            last = min(SLOTS, (number + 1) * share) - 1
            _cluster(client, "ADDSLOTSRANGE", number * share, last)
            _cluster(client, "SET-CONFIG-EPOCH", number + 1)
        for number, _ in enumerate(others, start=1):
            port, bus = self._ports[number], self._ports[SIZE + number]
            _cluster(first, "MEET", "127.0.0.1", port, bus)
        for client in clients:
            client.close()
        self._await_whole()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self._servers:
            server.kill()
            server.wait()

    def _start(self, number: int) -> subprocess.Popen[bytes]:
        folder = self._folder / f"shard-{number}"
        folder.mkdir(parents=True, exist_ok=True)
        settings = {
            "port": self._ports[number],
            "cluster-port": self._ports[SIZE + number],
            "bind": "127.0.0.1",
            "cluster-enabled": "yes",
            "cluster-config-file": "nodes.conf",
            "cluster-node-timeout": 2000,
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "logfile": "log",
        }
        words = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
        return subprocess.Popen([find_binary(), *words], cwd=folder, stdout=subprocess.DEVNULL)

    def _client(self, number: int) -> Redis:
        client = Redis(port=self._ports[number])
        deadline = time.monotonic() + _READY_S
        while True:
            try:
                client.ping()
            except Unreachable:
                assert time.monotonic() < deadline, f"shard {number} does not start"
                time.sleep(0.01)
            else:
                return client

    def _await_whole(self) -> None:
        deadline = time.monotonic() + _READY_S
        for number in range(SIZE):
            with self._client(number) as client:
                while not _is_whole(client):
                    assert time.monotonic() < deadline, "the cluster does not become whole"
                    time.sleep(0.02)


def _cluster(client: Redis, *words: str | int) -> bytes:
    answer: bytes = client.execute_command("CLUSTER", *words)  # type: ignore[no-untyped-call]
    return answer


def _is_whole(client: Redis) -> bool:
    info = _cluster(client, "INFO").decode()
    return "cluster_state:ok" in info and f"cluster_known_nodes:{SIZE}" in info


def free_ports(count: int) -> list[int]:
    """Return free ports."""
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(probe.getsockname()[1]) for probe in probes]
    for probe in probes:
        probe.close()
    return ports
