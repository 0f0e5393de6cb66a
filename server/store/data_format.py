"""Version of the data layout, so that a server never misreads data of another version."""

from typing import Final

from server.store.port import Store, StoreRefused

DATA_FORMAT: Final = 2
"""Number of the format that this version reads and writes.

Increase it by one whenever an existing key, entry or member changes its name or meaning, and add the reason
here. A new key, or a new optional field of an entry, does not change the format.

1. Data without a number, written before 0.1.0.
2. The stored events and the schedules got their final names before 0.1.0.
"""


async def require_format(store: Store, address: str) -> None:
    """Claim an empty store for this format; raise `StoreRefused` if it has data of another one.

    A refused store stays unchanged. `address` names the store in the message.
    """
    found = await store.claim_format(DATA_FORMAT)
    if found != DATA_FORMAT:
        raise StoreRefused(
            f"The store at {address} has data of format {found}, but this server reads and writes format "
            f"{DATA_FORMAT}: start the version of Simon Race that wrote it, or use an empty folder "
            "(--data) or database (--redis, --redis-prefix)."
        )
