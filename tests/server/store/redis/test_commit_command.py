"""Command that makes a batch of commits: its wire form, and the script that the server may have lost."""

import hashlib

import hiredis
import msgpack  # type: ignore[import-untyped]  # it brings no types

from server.store.embedded import EmbeddedRedis
from server.store.port import Append, Commit, Committed, Conflict, Publish
from server.store.redis.client import RedisClient
from server.store.redis.commit_command import commit_header, execute_batch, pack_batch
from server.store.redis.scripts import COMMIT

BATCH = [
    Commit((Append("a", 0, (b"1",)), Append("b", 2, [b"22", b""], ttl_s=60)), (Publish("inbox:n", b"m"),)),
    Commit((Append("é", 1, ()),)),
]


def words_of(command: bytes) -> list[bytes]:
    """Parse a command, which has the wire form of a reply that is an array."""
    reader = hiredis.Reader()
    reader.feed(command)
    words: list[bytes] = reader.gets()
    assert reader.gets() is False
    return words


def test_a_batch_is_one_command_with_a_head_and_a_body() -> None:
    name, digest, declared, prefix, head, body = words_of(pack_batch(commit_header("p:"), BATCH))
    assert (name, declared, prefix) == (b"EVALSHA", b"0", b"p:")
    assert digest.decode() == hashlib.sha1(COMMIT.encode(), usedforsecurity=False).hexdigest()
    assert msgpack.unpackb(head) == [
        [["a", 0, [1]], ["b", 2, [2, 0], 60], ["inbox:n", 1]],
        [["é", 1, []]],
    ]
    assert body == b"122m"


def test_in_a_cluster_the_command_declares_its_key() -> None:
    words = words_of(pack_batch(commit_header("p:", "p:{room:é}:log"), []))
    assert words[2:4] == [b"1", "p:{room:é}:log".encode()]


async def test_a_missing_script_is_loaded_and_refusals_are_matched_to_their_commits(
    own_server: EmbeddedRedis,
) -> None:
    client = RedisClient(own_server.url, 5.0)
    connection = client.connection()
    batch = [
        Commit((Append("a", 0, (b"1",)),)),
        Commit((Append("b", 0, ()), Append("c", 3, (b"2",)))),
        Commit((Append("d", 0, (b"3",)),)),
    ]
    first, second, third = await execute_batch(connection, pack_batch(commit_header("p:"), batch), batch)
    assert isinstance(first, Committed)
    assert second == Conflict("c", 0)
    assert third == first
    await connection.aclose()
    await client.aclose()
