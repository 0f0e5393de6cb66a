"""Identities of the player on each server, in a file of the configuration folder that only the user can read.

A server knows a player by a public id and a secret token. Each name has an identity on each server, so that
two people at one machine can race each other. A name has a second identity as a spectator: a server keeps
only the newest connection of an identity, and watching at a second terminal must not end a race at the first.
"""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from client_cli.core.conversation import Identity
from client_cli.core.translatable import Translatable

FILE_NAME: Final = "identities.json"


class IdentityFileError(Exception):
    """The identities cannot be read or saved. The message names the file and says what to do."""


class _Known(Struct):
    player: str
    token: str


class _Servers(Struct, omit_defaults=True):
    last_name: str = ""
    servers: dict[str, dict[str, _Known]] = {}
    spectator: dict[str, dict[str, _Known]] = {}

    def of(self, *, spectator: bool) -> dict[str, dict[str, _Known]]:
        return self.spectator if spectator else self.servers


def folder(environment: Mapping[str, str]) -> Path:
    """Return the configuration folder: SIMONRACE_HOME, or `simonrace` in the user's configuration."""
    own = environment.get("SIMONRACE_HOME")
    if own:
        return Path(own)
    base = environment.get("XDG_CONFIG_HOME") or environment.get("APPDATA")
    return Path(base) / "simonrace" if base else Path.home() / ".config" / "simonrace"


class Identities:
    """Store of the identities in one folder."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._path = home / FILE_NAME

    def get(self, server: str, name: str, *, spectator: bool = False) -> Identity | None:
        """Return the identity of a name on a server, as a racer or spectator, if there is one."""
        known = self._read().of(spectator=spectator).get(server, {}).get(name.casefold())
        return Identity(known.player, known.token) if known else None

    def last_name(self) -> str:
        """Return the last name that was used, empty without one."""
        return self._read().last_name

    def save(self, server: str, name: str, identity: Identity, *, spectator: bool = False) -> None:
        """Save the identity of a name on a server, as a racer or spectator."""
        known = self._read()
        known.last_name = name
        there = known.of(spectator=spectator).setdefault(server, {})
        there[name.casefold()] = _Known(identity.player, identity.token)
        self._write(msgspec.json.format(msgspec.json.encode(known), indent=2))

    def _read(self) -> _Servers:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=_Servers)
        except FileNotFoundError:
            return _Servers()
        except OSError as fault:
            raise IdentityFileError(
                Translatable(
                    "Cannot read {path} ({why}). Check its permissions.", path=self._path, why=fault.strerror
                )
            ) from None
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise IdentityFileError(
                Translatable(
                    "{path} is damaged. Repair it, or remove it to get a new identity.", path=self._path
                )
            ) from None

    def _write(self, data: bytes) -> None:
        """Replace the file atomically; mkstemp makes it 0600."""
        try:
            self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=FILE_NAME, dir=self._home)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data + b"\n")
                    file.flush()
                    os.fsync(file.fileno())
                Path(name).replace(self._path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as fault:
            raise IdentityFileError(
                Translatable(
                    "Cannot save your identity in {home} ({why}). "
                    "Make the folder writable, or set SIMONRACE_HOME to another one.",
                    home=self._home,
                    why=fault.strerror,
                )
            ) from None
