"""Command that makes a batch of commits: its wire form and its execution."""

import hashlib
from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from server.store.port import Commit, Committed, Conflict, Outcome
from server.store.redis.connection import RedisConnection
from server.store.redis.errors import ScriptMissing
from server.store.redis.scripts import COMMIT

_DIGEST = hashlib.sha1(COMMIT.encode(), usedforsecurity=False).hexdigest()
_encode = msgspec.msgpack.Encoder().encode

_Row: TypeAlias = tuple[str, int] | tuple[str, int, list[int]] | tuple[str, int, list[int], int]
"""A message or an append, as the script `COMMIT` describes it."""


def commit_header(prefix: str, key: str | None = None) -> bytes:
    """Return the part of the commit command that is the same for every batch, in wire form.

    In a cluster the command must declare one `key`, by which the server checks that it has the slot.
    """
    declared = ["0"] if key is None else ["1", key]
    words = [word.encode() for word in ("EVALSHA", _DIGEST, *declared, prefix)]
    words_to_come = 2
    head = b"*%d\r\n" % (len(words) + words_to_come)
    return head + b"".join(b"$%d\r\n%b\r\n" % (len(word), word) for word in words)


def pack_batch(header: bytes, batch: Sequence[Commit]) -> bytes:
    """Return the command that makes a batch, in wire form."""
    # Two arguments for any number of commits: packing an argument costs more than everything else.
    head = []
    pieces: list[bytes] = []
    for commit in batch:
        rows: list[_Row] = []
        for append in commit.appends:
            entries = append.entries
            # In Python 3.11 a comprehension is a call, and nearly every append is of one move.
            sizes = [len(entries[0])] if len(entries) == 1 else [len(entry) for entry in entries]
            if append.ttl_s is None:
                rows.append((append.log, append.expected, sizes))
            else:
                rows.append((append.log, append.expected, sizes, append.ttl_s))
            pieces += entries
        for message in commit.messages:
            rows.append((message.inbox, len(message.payload)))
            pieces.append(message.payload)
        head.append(rows)
    heading = _encode(head)
    body = b"".join(pieces)
    return b"%b$%d\r\n%b\r\n$%d\r\n%b\r\n" % (header, len(heading), heading, len(body), body)


async def execute_batch(
    connection: RedisConnection, command: bytes, batch: Sequence[Commit]
) -> list[Outcome]:
    """Execute the command of a batch, after loading the script if the server does not have it."""
    try:
        reply = await connection.execute_packed(command)
    except ScriptMissing:
        await connection.execute("SCRIPT", "LOAD", COMMIT)
        reply = await connection.execute_packed(command)
    outcomes: list[Outcome] = [Committed(reply[0])] * len(batch)
    for at in range(1, len(reply), 3):
        which, row, length = reply[at : at + 3]
        outcomes[which - 1] = Conflict(batch[which - 1].appends[row - 1].log, length)
    return outcomes
