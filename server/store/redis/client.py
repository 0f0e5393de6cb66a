"""The address of a Redis or Valkey server and the connections to it: the only importer of `redis`."""

from typing import Any, NamedTuple
from urllib.parse import urlsplit

import redis.exceptions as faults
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection, SSLConnection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.crc import key_slot

from server.store.port import StoreRefused
from server.store.redis.connection import CONNECT_S, Target, Wire
from server.store.redis.errors import meaning, not_redis, unreachable

_CONNECTIONS_FOR_QUESTIONS = 16


class Place(NamedTuple):
    """Where a server of a cluster listens."""

    host: str
    port: int


def slot_of(key: str) -> int:
    """Return the slot of a cluster in which a key belongs, by its hash tag if it has one."""
    return int(key_slot(key.encode()))


class Link:
    """Everything that is needed to reach one server.

    Raises `StoreRefused` when the address is not one.
    """

    def __init__(self, url: str, timeout: float, place: Place | None = None) -> None:
        self.address = _without_secrets(url)
        self._url = url
        self._timeout = timeout
        try:
            options: dict[str, Any] = {
                **parse_url(url),
                "protocol": 2,
                "driver_info": None,
                "socket_timeout": timeout,
                "socket_connect_timeout": CONNECT_S,
            }
            if place is not None:
                options |= {"host": place.host, "port": place.port}
                self.address = f"{place.host}:{place.port}"
            self._pool = BlockingConnectionPool(
                max_connections=_CONNECTIONS_FOR_QUESTIONS,
                timeout=timeout,
                retry=Retry(NoBackoff(), 1),
                **options,
            )
            pattern = self._pool.make_connection()  # type: ignore[no-untyped-call]
            self._target = _target(self.address, pattern)
        except (ValueError, TypeError, faults.RedisError, OSError) as fault:
            raise StoreRefused(
                f"{self.address} is not an address of a store: use redis://host:6379/0, "
                "rediss://host:6379/0 or unix:///path/to/socket."
            ) from fault
        self._asking: Redis = Redis(connection_pool=self._pool)

    def beside(self, place: Place) -> "Link":
        """Make a link to another server of the same cluster, which lets us in the same way."""
        return Link(self._url, self._timeout, place)

    def wire(self) -> Wire:
        """Make a connection of one's own, whose commands are never repeated."""
        return Wire(self._target, self._timeout)

    async def ask(self, *words: str | bytes | int) -> Any:
        """Run a command that may run twice, on any free connection, and return its answer."""
        try:
            return await self._asking.execute_command(*words)  # type: ignore[no-untyped-call]
        except faults.InvalidResponse as fault:
            raise not_redis(self.address) from fault
        except (faults.AuthenticationError, faults.ResponseError, faults.BusyLoadingError) as fault:
            # redis-py cuts the code off those errors that it has a class for.
            code = fault.status_code or ""
            text = str(fault) if str(fault).startswith(code) else f"{code} {fault}"
            raise meaning(text, self.address) from fault
        except (faults.RedisError, OSError) as fault:
            raise unreachable(fault, self.address) from fault

    async def aclose(self) -> None:
        """Close all connections that `ask` used."""
        await self._pool.disconnect()


def _target(address: str, pattern: AbstractConnection) -> Target:
    """Take over what redis-py has made of the address and its options."""
    return Target(
        address=address,
        host=getattr(pattern, "host", ""),
        port=int(getattr(pattern, "port", 0)),
        path=getattr(pattern, "path", ""),
        tls=pattern.ssl_context.get() if isinstance(pattern, SSLConnection) else None,
        user=pattern.username,
        password=pattern.password,
        database=int(pattern.db or 0),
    )


def _without_secrets(url: str) -> str:
    """Return an address that may be shown and logged: no user name, no password, no options."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return "The given address"
    return f"{parts.scheme}://{host}{parts.path}" if parts.scheme else "The given address"
