"""The servers that are measured; each runs in its own processes."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.load.racer import CODE
from engine import GameCode, deal

PEERS: Final = Path(__file__).parent / "peers"
_START_S: Final = 20.0
_UNLIMITED: Final = (
    *("--connections-per-address", "20000", "--max-connections", "20000", "--max-rooms", "20000"),
    *("--messages-per-second", "1000000", "--message-burst", "1000000", "--rooms-per-hour", "1000000"),
    *("--players-per-hour", "1000000", "--log-level", "warning", "--drain-seconds", "0"),
)


@dataclass(frozen=True, slots=True)
class Subject:
    """A running server: its ports, its processes, and those of its store."""

    kind: str
    ports: tuple[int, ...]
    pids: tuple[int, ...]
    store_pids: tuple[int, ...] = ()
    ready_seconds: float = 0.0


def free_port() -> int:
    """Return a port that is free."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def simonrace(nodes: int = 1, workers: int = 1) -> Iterator[Subject]:
    """Start our server on its own store, with fsync at every commit; further nodes share the store."""
    with tempfile.TemporaryDirectory(prefix="simonrace-bench-") as folder, contextlib.ExitStack() as stack:

        def start(*options: str) -> tuple[int, int, list[int]]:
            port = free_port()
            options = ("--port", str(port), "--workers", str(workers), *_UNLIMITED, *options)
            process = stack.enter_context(_running("-m", "server.main", *options))
            _await_port(port, process)
            return port, process.pid, _children(process.pid)

        began = time.monotonic()
        port, first, children = start("--data", folder)
        ready = time.monotonic() - began
        store = tuple(pid for pid in children if not _name(pid).startswith("python"))
        ports, pids = [port], [first, *(pid for pid in children if pid not in store)]
        for _ in range(nodes - 1):
            address = f"unix://{next(Path(folder).rglob('*.sock'))}"
            port, pid, children = start("--redis", address)
            ports.append(port)
            pids += [pid, *children]
        yield Subject("simonrace", tuple(ports), tuple(pids), store, ready)


@contextlib.contextmanager
def colyseus(room_size: int = 4) -> Iterator[Subject]:
    """Start the peer; `npm ci` in its folder installs its packages."""
    port = free_port()
    columns = json.dumps(deal(GameCode.parse(CODE)).columns)
    folder = PEERS / "colyseus"
    command = ["node", "server.mjs", str(port), str(room_size), columns]
    began = time.monotonic()
    environment = {**os.environ, "NODE_ENV": "production"}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL) as process:
        try:
            _await_port(port, process)
            yield Subject("colyseus", (port,), (process.pid,), (), time.monotonic() - began)
        finally:
            process.terminate()


@contextlib.contextmanager
def echo() -> Iterator[Subject]:
    """Start our transport with an echo as its application."""
    with _running("-m", "bench.transport_cost", "--serve", "ours", pipes=True) as process:
        if process.stdout is None:
            raise AssertionError("the process has no pipe")
        port = int(process.stdout.readline())
        yield Subject("echo", (port,), (process.pid,))


def peer_is_installed() -> bool:
    """Return whether the peer can be started."""
    return shutil.which("node") is not None and (PEERS / "colyseus" / "node_modules").exists()


@contextlib.contextmanager
def _running(*arguments: str, pipes: bool = False) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, *arguments]
    ways = (subprocess.PIPE, subprocess.PIPE) if pipes else (None, subprocess.DEVNULL)
    with subprocess.Popen(command, stdin=ways[0], stdout=ways[1], text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


def _await_port(port: int, process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _START_S
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.2):
            return
        time.sleep(0.01)
    raise RuntimeError(f"process {process.pid} does not listen on port {port}")


def _children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _name(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()
