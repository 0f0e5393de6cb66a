"""Who one is on each server, kept in the user's configuration folder and readable by nobody else.

A player is known to a server by a public id and a secret token. Each name that one plays under has an
identity of its own on each server, so that two people at one machine can race each other; and another to
watch under, for a server gives a seat to the newest connection of an identity, and who looks at a race from a
second terminal is not to end the one at the first.
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
    """The identities cannot be read or kept; the message says which file and what to do."""


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
    """Return the configuration folder: SIMONRACE_HOME, or simonrace in the user's own."""
    own = environment.get("SIMONRACE_HOME")
    if own:
        return Path(own)
    base = environment.get("XDG_CONFIG_HOME") or environment.get("APPDATA")
    return Path(base) / "simonrace" if base else Path.home() / ".config" / "simonrace"


class Identities:
    """The identities in one folder."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._path = home / FILE_NAME

    def get(self, server: str, name: str, *, spectator: bool = False) -> Identity | None:
        """Return who this name is on a server, to race or to watch, if it has been there before."""
        known = self._read().of(spectator=spectator).get(server, {}).get(name.casefold())
        return Identity(known.player, known.token) if known else None

    def last_name(self) -> str:
        """Return the name that was used last, empty if none was."""
        return self._read().last_name

    def keep(self, server: str, name: str, identity: Identity, *, spectator: bool = False) -> None:
        """Remember who this name is on a server, to race or to watch."""
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
                Translatable("{path} cannot be read ({why}).", path=self._path, why=fault.strerror)
            ) from None
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise IdentityFileError(
                Translatable("{path} is damaged; mend it, or remove it to be somebody new.", path=self._path)
            ) from None

    def _write(self, data: bytes) -> None:
        """Replace the file as a whole, so that it is never half written; mkstemp makes it 0600."""
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
                    "Your identity cannot be kept in {home} ({why}); "
                    "make the folder writable, or name another with SIMONRACE_HOME.",
                    home=self._home,
                    why=fault.strerror,
                )
            ) from None
