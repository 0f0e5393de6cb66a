"""Private server: it ends with its owner, and a restart brings its data back."""

import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from server.store.embedded import EmbeddedRedis
from server.store.embedded.setup import EmbeddedError
from server.store.port import Append, Commit
from server.store.redis.store import RedisStore

pytestmark = pytest.mark.usefixtures("_service")

OWNER = """
import signal, sys
from pathlib import Path
from server.store.embedded import EmbeddedRedis
server = EmbeddedRedis.start(Path(sys.argv[1]))
print(server.pid, server._watchdog.pid, flush=True)
signal.pause()
"""


class Owner:
    """Another process that runs a server in a folder."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", OWNER, str(folder)], stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        with self.process.stdout as output:
            self.server, self.watchdog = map(int, output.readline().split())

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[Owner]:
    owner = Owner(tmp_path / "data")
    yield owner
    owner.kill()
    for left in (owner.server, owner.watchdog):
        with suppress(ProcessLookupError):
            os.kill(left, signal.SIGKILL)


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def is_running(pid: int) -> bool:
    """Return whether a process that is not our child is running; a zombie is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def store_something(url: str, log: str) -> None:
    store = await RedisStore.open(url)
    await store.commit([Commit((Append(log, 0, (b"kept",)),))])
    await store.aclose()


async def stored(url: str, log: str) -> list[bytes]:
    store = await RedisStore.open(url)
    entries = await store.read(log)
    await store.aclose()
    return entries


@pytest.mark.parametrize(
    "name", ["data", "a folder with a name that is too long for a socket " * 3, "näme \"'\\ "]
)
async def test_a_restart_in_the_same_folder_keeps_the_data(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "new" / name
    for round_ in range(2):
        with EmbeddedRedis.start(folder) as server:
            assert server.running
            assert await stored(server.url, "a") == [b"kept"] * round_
            if not round_:
                await store_something(server.url, "a")
        assert not server.running
    assert not (folder / "store.sock").exists()


def test_only_the_owner_can_open_the_socket(tmp_path: Path) -> None:
    with EmbeddedRedis.start(tmp_path) as server:
        assert server.address.path is not None
        assert server.address.path.stat().st_mode & 0o777 == 0o700


def test_two_servers_in_one_process_do_not_share_a_folder(tmp_path: Path) -> None:
    with EmbeddedRedis.start(tmp_path), pytest.raises(EmbeddedError, match=f"in use .*process {os.getpid()}"):
        EmbeddedRedis.start(tmp_path)
    EmbeddedRedis.start(tmp_path).stop()


def test_a_folder_that_another_process_uses_is_refused_and_unchanged(tmp_path: Path, owner: Owner) -> None:
    with pytest.raises(EmbeddedError, match=f"in use by another server .process {owner.process.pid}."):
        EmbeddedRedis.start(tmp_path / "data")
    assert is_running(owner.server)


def test_the_server_ends_when_its_owner_is_killed(owner: Owner) -> None:
    owner.kill()
    wait_until(lambda: not is_running(owner.server))
    wait_until(lambda: not is_running(owner.watchdog))


async def test_a_restart_right_after_the_owner_was_killed_keeps_the_data(
    tmp_path: Path, owner: Owner
) -> None:
    await store_something(f"unix://{tmp_path}/data/store.sock", "a")
    owner.kill()
    with EmbeddedRedis.start(tmp_path / "data") as server:
        assert await stored(server.url, "a") == [b"kept"]


async def test_an_orphaned_server_is_stopped_and_its_folder_taken_over(tmp_path: Path, owner: Owner) -> None:
    """Owner and watchdog are killed together, so that no process stops the server."""
    await store_something(f"unix://{tmp_path}/data/store.sock", "a")
    os.kill(owner.watchdog, signal.SIGKILL)
    owner.kill()
    assert is_running(owner.server)
    with EmbeddedRedis.start(tmp_path / "data") as server:
        assert not is_running(owner.server)
        assert await stored(server.url, "a") == [b"kept"]


async def test_a_killed_server_is_revived_at_the_same_address(own_server: EmbeddedRedis) -> None:
    await store_something(own_server.url, "a")
    url, pid = own_server.url, own_server.pid
    assert not own_server.revive()
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not own_server.running)
    assert own_server.revive()
    assert (own_server.url, own_server.running) == (url, True)
    assert own_server.pid != pid
    assert await stored(url, "a") == [b"kept"]


def test_a_restart_that_fails_raises_an_embedded_error(own_server: EmbeddedRedis) -> None:
    """The caller retries after an `EmbeddedError`; any other exception would end its loop."""
    lock = own_server.folder / "data.lock"
    os.kill(own_server.pid, signal.SIGKILL)
    wait_until(lambda: not own_server.running)
    lock.unlink()
    lock.mkdir()
    with pytest.raises(EmbeddedError, match="cannot be run in"):
        own_server.revive()
    lock.rmdir()
    assert own_server.revive()


def test_stop_may_be_called_twice(tmp_path: Path) -> None:
    server = EmbeddedRedis.start(tmp_path)
    server.stop()
    server.stop()
    assert not server.running


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedError, match=r"cannot be written .*: choose another folder, or correct"):
        EmbeddedRedis.start(tmp_path / "file" / "data")


def fake_binary(path: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path.mkdir()
    (path / "valkey-server").write_text(f"#!/bin/sh\n{script}\n")
    (path / "valkey-server").chmod(0o755)
    monkeypatch.setenv("PATH", f"{path}:{os.environ['PATH']}")


def test_a_server_that_ends_as_it_starts_is_reported_with_its_last_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_binary(tmp_path / "bin", "echo started; echo; echo Bad file format >&2; exit 1", monkeypatch)
    data = tmp_path / "data"
    with pytest.raises(EmbeddedError) as raised:
        EmbeddedRedis.start(data)
    assert str(raised.value) == (
        f"The store in {data} ended as it started: started / Bad file format (see {data / 'store.log'})."
    )


def test_a_binary_that_cannot_be_run_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_binary(tmp_path / "bin", "", monkeypatch)
    (tmp_path / "bin" / "valkey-server").write_text("#!/no/such/interpreter\n")
    with pytest.raises(EmbeddedError, match="cannot be run in"):
        EmbeddedRedis.start(tmp_path / "data")


def test_damaged_data_is_reported_and_not_overwritten(tmp_path: Path) -> None:
    EmbeddedRedis.start(tmp_path).stop()
    [manifest] = (tmp_path / "appendonlydir").glob("*.manifest")
    manifest.write_text("nonsense\n")
    with pytest.raises(EmbeddedError, match=r"ended as it started: .*manifest"):
        EmbeddedRedis.start(tmp_path)
    assert manifest.read_text() == "nonsense\n"


def test_after_a_failed_start_the_folder_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as nothing_installed:
        nothing_installed.setenv("PATH", str(tmp_path))
        nothing_installed.setattr(importlib.util, "find_spec", lambda _: None)
        with pytest.raises(EmbeddedError, match="No Redis-compatible server is installed"):
            EmbeddedRedis.start(tmp_path / "data")
    EmbeddedRedis.start(tmp_path / "data").stop()
