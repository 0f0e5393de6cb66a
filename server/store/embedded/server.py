"""Private Redis-compatible server whose data is in a folder.

Two locks decide who may use the folder; the kernel releases a lock when its holder dies for any reason.
`owner.lock` is held by the process that called `start`; a second process is refused. `data.lock` is inherited
and held by the server. If a new owner finds `data.lock` held, the server of a killed owner still runs; the
new owner stops it and then starts its own. This is rare: a small watchdog process waits on a pipe that only
the owner keeps open, and ends the server when the pipe closes.
"""

import fcntl
import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from server.store.embedded.setup import Address, EmbeddedError, configuration, find_binary

_LOADING_S = 120.0
_STOPPING_S = 10.0
_POLL_S = 0.005
_WATCHDOG = 'read -r line; kill "$1" 2>/dev/null'

_owned_here: set[Path] = set()
"""Folders owned by this process, against which `owner.lock` gives no protection: its lock is per process."""


class EmbeddedRedis:
    """A server that runs from `start` to `stop`, or until the process that started it has ended."""

    def __init__(self, folder: Path, owner_lock: IO[str]) -> None:
        self.folder = folder
        self.address = Address.within(folder)
        self.binary = find_binary()
        self._owner_lock = owner_lock  # an open file; closing it releases the folder
        self._pid_file = folder / "store.pid"
        self._log_file = folder / "store.log"
        self._server: subprocess.Popen[bytes] | None = None  # set by `start`; it may have died
        self._watchdog: subprocess.Popen[bytes] | None = None  # of that server; None without a shell

    @classmethod
    def start(cls, folder: Path) -> Self:
        """Start a server on the data in a folder and return when it answers. Raises `EmbeddedError`.

        Blocks for some hundredths of a second, or for as long as the server needs to load the data.
        """
        folder = folder.absolute()
        lock = _acquire(folder)
        try:
            embedded = cls(folder, lock)
            embedded._launch()
        except BaseException:
            _release(folder, lock)
            raise
        return embedded

    @property
    def url(self) -> str:
        """The URL for clients, which may contain a password. It stays the same until `stop`."""
        return self.address.url

    @property
    def pid(self) -> int:
        """The process id of the server."""
        assert self._server is not None  # noqa: S101 - it is set by start()
        return self._server.pid

    @property
    def running(self) -> bool:
        """Whether the server process is alive."""
        return self._server is not None and self._server.poll() is None

    def revive(self) -> bool:
        """Restart the server at the same address if it has died; return whether it had.

        Blocks and raises like `start`.
        """
        if self.running:
            return False
        self._launch()
        return True

    def stop(self) -> None:
        """Stop the server, by SIGTERM and if necessary by SIGKILL, and release the folder."""
        self._stop_processes()
        _release(self.folder, self._owner_lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _launch(self) -> None:
        self._stop_processes()
        data_lock = self._lock_data()
        try:
            self._pid_file.unlink(missing_ok=True)
            with self._log_file.open("wb") as log:
                # A session of its own: Ctrl-C must not end the store while the server still uses it.
                self._server = subprocess.Popen(  # noqa: S603 - the arguments are our own
                    [self.binary, "-"],
                    stdin=subprocess.PIPE,
                    stdout=log,
                    stderr=log,
                    cwd=self.folder,
                    pass_fds=(data_lock,),
                    start_new_session=True,
                )
        except OSError as fault:
            raise self._cannot_run(fault) from fault
        finally:
            os.close(data_lock)
        self._watch(self._server.pid)
        try:
            self._configure(self._server)
            self._await_answer()
        except BaseException:
            self._stop_processes()
            raise

    def _cannot_run(self, fault: OSError) -> EmbeddedError:
        return EmbeddedError(
            f"{self.binary} cannot be run in {self.folder} ({fault.strerror}): "
            "check its permissions, or install another Redis-compatible server."
        )

    def _configure(self, server: subprocess.Popen[bytes]) -> None:
        assert server.stdin is not None  # noqa: S101 - asked for above
        with suppress(BrokenPipeError), server.stdin as settings:
            settings.write(configuration(self.folder, self.address, self._pid_file))

    def _lock_data(self) -> int:
        """Return the lock for the server to inherit, once no other server holds it."""
        try:
            lock = os.open(self.folder / "data.lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as fault:
            raise self._cannot_run(fault) from fault
        kill_at = time.monotonic() + _STOPPING_S
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                late = time.monotonic() - kill_at
                if late > _STOPPING_S:
                    os.close(lock)
                    raise EmbeddedError(
                        f"An old store process still holds {self.folder}: end it, then start again."
                    ) from None
                self._signal_old(signal.SIGTERM if late < 0 else signal.SIGKILL)
                time.sleep(_POLL_S)
            else:
                return lock

    def _signal_old(self, number: signal.Signals) -> None:
        # The file is removed before a server starts and written by the server, so while the data is locked
        # it contains the process id of the server that holds the lock.
        with suppress(OSError, ValueError):
            os.kill(int(self._pid_file.read_text()), number)

    def _watch(self, pid: int) -> None:
        # Without a shell there is no watchdog; the next start then stops the server of a killed owner.
        with suppress(OSError):
            self._watchdog = subprocess.Popen(  # noqa: S603 - likewise
                ["/bin/sh", "-c", _WATCHDOG, "simonrace-store-watchdog", str(pid)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,
            )

    def _await_answer(self) -> None:
        deadline = time.monotonic() + _LOADING_S
        while not self._answers():
            if not self.running:
                raise EmbeddedError(f"The store in {self.folder} ended as it started: {self._last_output()}")
            if time.monotonic() > deadline:
                raise EmbeddedError(f"The store in {self.folder} does not answer: see {self._log_file}.")
            time.sleep(_POLL_S)

    def _answers(self) -> bool:
        try:
            with self.address.connect(timeout=1.0) as connection:
                if self.address.password:
                    connection.sendall(f"AUTH {self.address.password}\r\n".encode())
                    connection.recv(64)
                connection.sendall(b"PING\r\n")
                return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False

    def _last_output(self) -> str:
        lines = self._log_file.read_text(errors="replace").split("\n")
        last = [line.strip() for line in lines if line.strip()][-3:]
        return f"{' / '.join(last) or 'no output'} (see {self._log_file})."

    def _stop_processes(self) -> None:
        if self._watchdog is not None:
            self._watchdog.kill()
            self._watchdog.communicate()
            self._watchdog = None
        if self._server is not None:
            self._server.terminate()
            try:
                self._server.wait(_STOPPING_S)
            except subprocess.TimeoutExpired:
                self._server.kill()
                self._server.wait()


def _acquire(folder: Path) -> IO[str]:
    """Create the folder if necessary and lock it for this process; return the open lock file."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "owner.lock").open("a+")
    except OSError as fault:
        raise EmbeddedError(
            f"The data folder {folder} cannot be written ({fault.strerror}): "
            "choose another folder, or correct its permissions."
        ) from fault
    try:
        if folder in _owned_here:
            raise BlockingIOError
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise EmbeddedError(
            f"The data folder {folder} is in use by another server (process {holder}): "
            "stop that one, or choose another folder."
        ) from None
    _owned_here.add(folder)
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def _release(folder: Path, lock: IO[str]) -> None:
    _owned_here.discard(folder)
    lock.close()
