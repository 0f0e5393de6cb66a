"""Client of one Redis or Valkey server: its address, and the connections to it."""

from typing import Any, NamedTuple
from urllib.parse import urlsplit

import redis.exceptions as faults
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection, SSLConnection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.crc import key_slot

from server.store.port import StoreRefused
from server.store.redis.connection import CONNECT_S, Endpoint, RedisConnection
from server.store.redis.errors import error_of_reply, not_redis, unreachable

_POOL_SIZE = 16


class ServerAddress(NamedTuple):
    """Host and port of one server of a cluster."""

    host: str
    port: int


def slot_of(key: str) -> int:
    """Return the cluster slot of a key, by its hash tag if it has one."""
    return int(key_slot(key.encode()))


class RedisClient:
    """Access to one server: a pool for commands that may be repeated, and dedicated connections.

    Raises `StoreRefused` if the URL is invalid.
    """

    def __init__(self, url: str, timeout: float, server: ServerAddress | None = None) -> None:
        self.address = _without_secrets(url)
        self._url = url  # contains secrets: never show it
        self._timeout = timeout
        try:
            options: dict[str, Any] = {
                **parse_url(url),
                "protocol": 2,
                "driver_info": None,
                "socket_timeout": timeout,
                "socket_connect_timeout": CONNECT_S,
            }
            if server is not None:
                options |= {"host": server.host, "port": server.port}
                self.address = f"{server.host}:{server.port}"
            self._pool = BlockingConnectionPool(
                max_connections=_POOL_SIZE,
                timeout=timeout,
                retry=Retry(NoBackoff(), 1),
                **options,
            )
            pattern = self._pool.make_connection()  # type: ignore[no-untyped-call]
            self._endpoint = _endpoint(self.address, pattern)
        except (ValueError, TypeError, faults.RedisError, OSError) as fault:
            raise StoreRefused(
                f"{self.address} is not an address of a store: use redis://host:6379/0, "
                "rediss://host:6379/0 or unix:///path/to/socket."
            ) from fault
        self._redis: Redis = Redis(connection_pool=self._pool)

    def for_server(self, server: ServerAddress) -> "RedisClient":
        """Return a client of another server of the same cluster, with the same credentials."""
        return RedisClient(self._url, self._timeout, server)

    def connection(self) -> RedisConnection:
        """Return a dedicated connection, whose commands are never repeated."""
        return RedisConnection(self._endpoint, self._timeout)

    async def execute(self, *words: str | bytes | int) -> Any:
        """Execute a command on a connection of the pool and return its reply.

        After a lost connection the command is repeated once, so it must be safe to execute twice.
        """
        try:
            return await self._redis.execute_command(*words)  # type: ignore[no-untyped-call]
        except faults.InvalidResponse as fault:
            raise not_redis(self.address) from fault
        except (faults.AuthenticationError, faults.ResponseError, faults.BusyLoadingError) as fault:
            # redis-py removes the code from the text of those errors for which it has a class.
            code = fault.status_code or ""
            text = str(fault) if str(fault).startswith(code) else f"{code} {fault}"
            raise error_of_reply(text, self.address) from fault
        except (faults.RedisError, OSError) as fault:
            raise unreachable(fault, self.address) from fault

    async def aclose(self) -> None:
        """Close the connections of the pool."""
        await self._pool.disconnect()


def split_url(url: str) -> list[str]:
    """Return a URL for each of the hosts of `redis://user:password@a:7000,b:7000/0`."""
    scheme, separator, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    credentials, at, hosts = authority.rpartition("@")
    found = [host for host in hosts.split(",") if host.strip()] or [hosts]
    return [f"{scheme}{separator}{credentials}{at}{host.strip()}{slash}{path}" for host in found]


def _endpoint(address: str, pattern: AbstractConnection) -> Endpoint:
    """Return the endpoint that redis-py has parsed from the URL and its options."""
    return Endpoint(
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
