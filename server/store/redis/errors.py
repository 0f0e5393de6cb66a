"""Errors of a Redis server as exceptions of the store, with sentences that say what to do."""

import re
from typing import Final

from server.store.port import StoreRefused, StoreUnavailable

# Codes at the start of error replies, and the rest of a sentence that begins "The store at ADDRESS".
_REFUSALS: Final = {
    "NOAUTH": "asks for a password: put it into the address, as in redis://:PASSWORD@host:6379/0.",
    "WRONGPASS": "does not accept this user name and password: correct them in the address.",
    "NOPERM": "does not let this user do what the server needs: allow it all commands, keys, channels.",
    "READONLY": "is a read-only replica: give the address of its primary.",
    "OOM": "is out of memory: raise its maxmemory, or free some.",
    "MISCONF": "cannot write to its disk: make room there, or repair the disk.",
    "WRONGTYPE": "holds something else under one of our keys: choose another prefix or database number.",
    "MOVED": "is part of a Redis Cluster and has given its keys away: restart the server.",
    "ASK": "is part of a Redis Cluster and is giving its keys away: restart the server.",
    "CROSSSLOT": "is part of a Redis Cluster, which keeps these keys in several slots: report this bug.",
    "NOREPLICAS": "has too few replicas to accept writes: bring them back, or lower min-replicas-to-write.",
}
_MOVED: Final = {"MOVED", "ASK"}
_TRANSIENT: Final = {"LOADING", "BUSY", "TRYAGAIN", "MASTERDOWN", "CLUSTERDOWN", "UNKILLABLE"}
_TRANSIENT_TEXTS: Final = ("max number of clients reached",)

_CODE: Final = re.compile(r"(?:^|[\s-])([A-Z]{3,})(?=\s)")
"""A code at the start of the text or, for an error in a script of Redis 6.2, somewhere inside it."""


class ScriptMissing(StoreUnavailable):
    """The server does not know the script of this digest; the command did not run."""


class KeysMoved(StoreRefused):
    """Another server of the cluster has the key; the command did not run."""


def error_of_reply(text: str, address: str) -> StoreUnavailable | StoreRefused:
    """Return the exception for an error reply of a server."""
    if text.startswith("NOSCRIPT"):
        return ScriptMissing(text)
    for code in _CODE.findall(text):
        if code in _REFUSALS:
            kind = KeysMoved if code in _MOVED else StoreRefused
            return kind(f"The store at {address} {_REFUSALS[code]}")
        if code in _TRANSIENT:
            return _not_ready(text, address)
    if any(each in text for each in _TRANSIENT_TEXTS):
        return _not_ready(text, address)
    return StoreRefused(f"The store at {address} refuses ({text}): see the documentation of the store.")


def _not_ready(text: str, address: str) -> StoreUnavailable:
    return StoreUnavailable(f"The store at {address} is not ready ({text}): it may need a moment.")


def unreachable(fault: BaseException, address: str) -> StoreUnavailable:
    """Return the exception for a failure to connect, send or receive."""
    reason = str(fault) or "no answer in time"
    return StoreUnavailable(
        f"The store at {address} cannot be reached ({reason}): check the address and that it runs."
    )


def not_redis(address: str) -> StoreRefused:
    """Return the exception for an answer that is not in the protocol of Redis."""
    return StoreRefused(f"The server at {address} is not Redis or Valkey: correct the address.")
