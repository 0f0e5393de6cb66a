"""Check of a server by its reply to the command INFO."""

from typing import Final

from server.store.port import StoreRefused

OLDEST: Final = (6, 2)
"""Oldest version of Redis or Valkey whose commands the store uses."""


def parse_info(info: bytes) -> dict[str, str]:
    """Return the fields of a reply to INFO."""
    lines = info.decode(errors="replace").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


def require_supported(info: dict[str, str], address: str) -> None:
    """Raise StoreRefused if the server is too old or read-only."""
    version = info.get("valkey_version") or info.get("redis_version", "0")
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < OLDEST:
        raise StoreRefused(
            f"The store at {address} is version {version}: Redis or Valkey 6.2 or newer is needed."
        )
    if info.get("role", "master") != "master":
        raise StoreRefused(f"The store at {address} is a read-only replica: give the address of its primary.")
