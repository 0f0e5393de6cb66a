"""Publish to a node's inbox, as another node does."""

from server.store.port import Commit, Publish, Store


async def publish_to(store: Store, inbox: str, payload: bytes) -> None:
    """Publish one message; it is lost if no node listens there now."""
    await store.commit([Commit((), (Publish(inbox, payload),))])
