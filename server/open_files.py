"""Limit of open files: each connection is one, and many systems start a process with 1024."""

from typing import Any, Final

try:
    import resource as _resource
except ImportError:  # no such limit on Windows
    _resource = None  # type: ignore[assignment]
resource: Any = _resource

BESIDE_CONNECTIONS: Final = 200
"""Open files of a process beside its connections: the store's, logs, and connections that are refused."""

_MOST_OF_MACOS: Final = 10_240
"""What macOS accepts although it says that there is no limit."""


def allow_open_files(wanted: int) -> int | None:
    """Raise the soft limit of this process to `wanted`, or as far as possible; return it, or None.

    None says that there is no limit. Child processes inherit the limit.
    """
    if resource is None:
        return None
    limits: tuple[int, int] = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft, hard = limits
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return None if soft == resource.RLIM_INFINITY else soft
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    for number in (most, min(most, _MOST_OF_MACOS)):
        if number > soft:
            try:
                resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))
            except (ValueError, OSError):
                continue
            return number
    return soft


def prepare_open_files(max_connections: int, log: Any) -> None:
    """Allow as many open files as there may be connections; log a warning if that is not possible."""
    needed = max_connections + BESIDE_CONNECTIONS
    allowed = allow_open_files(needed)
    if allowed is not None and allowed < needed:
        log.warning(
            "too few open files for max_connections: raise the hard limit (LimitNOFILE of systemd, nofile of "
            "Compose), or lower --max-connections",
            open_files=allowed,
            needed=needed,
            max_connections=max_connections,
        )
