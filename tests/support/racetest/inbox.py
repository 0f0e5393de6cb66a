"""Saying something to a node's inbox, past all that nodes say by themselves."""

from server.store.port import Commit, Publish, Store


async def say(store: Store, inbox: str, payload: bytes) -> None:
    """Send one message; it is lost when nobody listens there now."""
    await store.commit([Commit((), (Publish(inbox, payload),))])
