"""What a Redis server's refusals mean, in sentences that say what to do."""

import re
from typing import Final

from server.store.port import StoreAway, StoreRefused

# The codes with which refusals start, and the rest of a sentence that begins "The store at ADDRESS".
_REFUSALS: Final = {
    "NOAUTH": "asks for a password: put it into the address, as in redis://:PASSWORD@host:6379/0.",
    "WRONGPASS": "does not accept this user name and password: correct them in the address.",
    "NOPERM": "does not let this user do what the server needs: allow it all commands, keys, channels.",
    "READONLY": "is a read-only replica: give the address of its primary.",
    "OOM": "is out of memory: raise its maxmemory, or free some.",
    "MISCONF": "cannot write to its disk: make room there, or repair the disk.",
    "WRONGTYPE": "holds something else under one of our keys: choose another prefix or database number.",
    "MOVED": "is part of a Redis Cluster and has given its keys away: start the server anew.",
    "ASK": "is part of a Redis Cluster and is giving its keys away: start the server anew.",
    "CROSSSLOT": "is part of a Redis Cluster, which keeps these keys in several places: this is a bug.",
    "NOREPLICAS": "has too few replicas to accept writes: bring them back, or lower min-replicas-to-write.",
}
_MOVING: Final = {"MOVED", "ASK"}
_PASSING: Final = {"LOADING", "BUSY", "TRYAGAIN", "MASTERDOWN", "CLUSTERDOWN", "UNKILLABLE"}
_PASSING_TEXTS: Final = ("max number of clients reached",)

_CODE: Final = re.compile(r"(?:^|[\s-])([A-Z]{3,})(?=\s)")
"""A code at the start of the text or, as Redis 6.2 tells of an error in a script, somewhere inside it."""


class ScriptMissing(StoreAway):
    """The server does not know the script of this digest; the command did not run."""


class KeysMoved(StoreRefused):
    """Another node of the cluster has the key; the command did not run."""


def meaning(refusal: str, address: str) -> StoreAway | StoreRefused:
    """Return what a server's error reply means."""
    if refusal.startswith("NOSCRIPT"):
        return ScriptMissing(refusal)
    for code in _CODE.findall(refusal):
        if code in _REFUSALS:
            kind = KeysMoved if code in _MOVING else StoreRefused
            return kind(f"The store at {address} {_REFUSALS[code]}")
        if code in _PASSING:
            return StoreAway(f"The store at {address} is not ready ({refusal}): it may need a moment.")
    if any(text in refusal for text in _PASSING_TEXTS):
        return StoreAway(f"The store at {address} is not ready ({refusal}): it may need a moment.")
    return StoreRefused(f"The store at {address} refuses ({refusal}): its own documentation says why.")


def unreachable(fault: BaseException, address: str) -> StoreAway:
    """Return what it means that a server could not be spoken to."""
    reason = str(fault) or "no answer in time"
    return StoreAway(
        f"The store at {address} cannot be reached ({reason}): check the address and that it runs."
    )


def not_redis(address: str) -> StoreRefused:
    """Return what an answer means that no Redis would give."""
    return StoreRefused(f"What answers at {address} is not Redis or Valkey: correct the address.")
