"""Connections to a Redis or Valkey server, and what its refusals mean: the only importer of `redis`.

Nothing here repeats a command by itself, except what is sent through `Link.ask`: redis-py's own retries
can run a command twice, and its subscriptions come back without a word about what was missed.
"""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

import redis.exceptions as faults
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from server.store.port import StoreAway, StoreRefused

_CONNECTIONS_FOR_QUESTIONS = 16

# The codes with which Redis starts its refusals, found at the start of the text or, from within a script
# on Redis 6.2, somewhere inside it. The texts complete "The store at ADDRESS ...".
_REFUSALS: Final = {
    "NOAUTH": "asks for a password: put it into the address, as in redis://:PASSWORD@host:6379/0.",
    "WRONGPASS": "does not accept this user name and password: correct them in the address.",
    "NOPERM": "does not let this user do what the server needs: allow it all commands, keys, channels.",
    "READONLY": "is a read-only replica: give the address of its primary.",
    "OOM": "is out of memory: raise its maxmemory, or free some.",
    "MISCONF": "cannot write to its disk: make room there, or repair the disk.",
    "WRONGTYPE": "holds something else under one of our keys: choose another prefix or database number.",
    "MOVED": "is part of a Redis Cluster, which is not supported: give the address of a single Redis.",
    "CROSSSLOT": "is part of a Redis Cluster, which is not supported: give the address of a single Redis.",
    "NOREPLICAS": "has too few replicas to accept writes: bring them back, or lower min-replicas-to-write.",
}
_PASSING: Final = {"LOADING", "BUSY", "TRYAGAIN", "MASTERDOWN", "CLUSTERDOWN", "UNKILLABLE"}
_CODE: Final = re.compile(r"(?:^|[\s-])([A-Z]{3,})(?=\s)")


class ScriptMissing(StoreAway):
    """The server does not know the script of this digest; the command did not run."""


class Wire:
    """One connection that answers commands in turn, or receives what it subscribed to.

    It connects when it is first used, and again after a failure; a failed command may have run.
    """

    def __init__(self, connection: AbstractConnection, address: str, timeout: float) -> None:
        self._connection = connection
        self._address = address
        self._timeout = timeout

    async def call(self, *words: str | bytes | int) -> Any:
        """Run one command and return its answer."""
        return await self.send(b"".join(self._connection.pack_command(*words)))

    async def send(self, packed: bytes) -> Any:
        """Run one command that is in its wire form already."""
        connection = self._connection
        with _told(self._address):
            # One time limit around all of it: redis-py's own costs a task for each write on Python 3.11.
            async with asyncio.timeout(self._timeout):
                if not connection.is_connected:
                    await connection.connect()  # type: ignore[no-untyped-call]
                await connection.send_packed_command(packed, check_health=False)
                return await connection.read_response()

    async def receive(self) -> Any:
        """Wait, for ever if need be, for the next thing that the server sends by itself."""
        with _told(self._address):
            return await self._connection.read_response()

    async def aclose(self) -> None:
        """Close the connection without waiting for the other side."""
        await self._connection.disconnect(nowait=True)


class Link:
    """Everything that is needed to reach one server.

    Raises `StoreRefused` when the address is not one.
    """

    def __init__(self, url: str, timeout: float) -> None:
        self.address = _without_secrets(url)
        self._timeout = timeout
        try:
            self._options: dict[str, Any] = {**parse_url(url), "protocol": 2, "driver_info": None}
            asking = {**self._options, "socket_timeout": timeout, "socket_connect_timeout": timeout}
            self._pool = BlockingConnectionPool(
                max_connections=_CONNECTIONS_FOR_QUESTIONS,
                timeout=timeout,
                retry=Retry(NoBackoff(), 1),
                **asking,
            )
            self._pool.make_connection()  # type: ignore[no-untyped-call]  # tells of unknown options now
        except (ValueError, TypeError, faults.RedisError) as fault:
            raise StoreRefused(
                f"{self.address} is not an address of a store ({fault}): use redis://host:6379/0, "
                "rediss://host:6379/0 or unix:///path/to/socket."
            ) from fault
        self._asking: Redis = Redis(connection_pool=self._pool)

    def wire(self) -> Wire:
        """Make a connection of one's own."""
        options = {**self._options, "socket_timeout": None, "socket_connect_timeout": self._timeout}
        options.pop("connection_class", None)
        connection = self._pool.connection_class(**options, retry=Retry(NoBackoff(), 0))
        return Wire(connection, self.address, self._timeout)

    async def ask(self, *words: str | bytes | int) -> Any:
        """Run a command that may run twice, on any free connection, and return its answer."""
        with _told(self.address):
            return await self._asking.execute_command(*words)  # type: ignore[no-untyped-call]

    async def aclose(self) -> None:
        """Close all connections that `ask` used."""
        await self._pool.disconnect()


@contextmanager
def _told(address: str) -> Iterator[None]:
    """Turn what redis-py raises into the two things that can be wrong with a store."""
    try:
        yield
    except faults.NoScriptError as fault:
        raise ScriptMissing(str(fault)) from fault
    except faults.InvalidResponse as fault:
        raise StoreRefused(
            f"What answers at {address} is not Redis or Valkey: correct the address."
        ) from fault
    except (faults.AuthenticationError, faults.ResponseError) as fault:
        raise _meaning(fault, address) from fault
    except (faults.RedisError, OSError, TimeoutError, asyncio.IncompleteReadError) as fault:
        reason = str(fault) or "no answer in time"
        raise StoreAway(
            f"The store at {address} cannot be reached ({reason}): check the address and that it runs."
        ) from fault


def _meaning(fault: faults.RedisError, address: str) -> StoreAway | StoreRefused:
    text = str(fault)
    status = getattr(fault, "status_code", None)
    for code in filter(None, (status, *_CODE.findall(text))):
        if code in _REFUSALS:
            return StoreRefused(f"The store at {address} {_REFUSALS[code]}")
        if code in _PASSING:
            return StoreAway(f"The store at {address} is busy ({code} {text}): it may need a moment.")
    if isinstance(fault, faults.AuthenticationError):
        return StoreRefused(f"The store at {address} {_REFUSALS['WRONGPASS']}")
    return StoreRefused(f"The store at {address} refuses: {text}. See its own log and documentation.")


def _without_secrets(url: str) -> str:
    """Return an address that may be shown and logged: no user name, no password, no options."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return "the given address"
    return f"{parts.scheme}://{host}{parts.path}" if parts.scheme else "the given address"
