"""Error replies of a server as exceptions whose message says what an operator has to do."""

import pytest

from server.store.port import StoreRefused, StoreUnavailable
from server.store.redis.errors import KeysMoved, ScriptMissing, error_of_reply, not_redis, unreachable


@pytest.mark.parametrize(
    ("refusal", "kind", "words"),
    [
        ("NOAUTH Authentication required.", StoreRefused, "asks for a password: put it into the address"),
        ("WRONGPASS invalid username-password pair", StoreRefused, "does not accept this user name"),
        ("NOPERM User x has no permissions", StoreRefused, "allow it all commands, keys, channels"),
        ("READONLY You can't write against a read only replica.", StoreRefused, "read-only replica"),
        (
            # an error inside a script of Redis 6.2
            "ERR Error running script (call to f_1b): @user_script:9: @user_script: 9: "
            "-READONLY You can't write against a read only replica.",
            StoreRefused,
            "read-only replica",
        ),
        ("OOM command not allowed when used memory > 'maxmemory'.", StoreRefused, "raise its maxmemory"),
        ("MISCONF Errors writing to the AOF file: No space left", StoreRefused, "make room there"),
        ("WRONGTYPE Operation against a key", StoreRefused, "choose another prefix or database number"),
        ("MOVED 3999 127.0.0.1:6381", KeysMoved, "part of a Redis Cluster"),
        ("CROSSSLOT Keys in request don't hash to the same slot", StoreRefused, "part of a Redis Cluster"),
        ("NOREPLICAS Not enough good replicas to write.", StoreRefused, "too few replicas"),
        ("ERR unknown command 'EVALSHA'", StoreRefused, "refuses (ERR unknown command 'EVALSHA')"),
        (
            "LOADING Redis is loading the dataset in memory",
            StoreUnavailable,
            "is not ready (LOADING Redis is",
        ),
        ("BUSY Redis is busy running a script.", StoreUnavailable, "may need a moment"),
        ("MASTERDOWN RedisClient with MASTER is down", StoreUnavailable, "may need a moment"),
        ("ERR max number of clients reached", StoreUnavailable, "is not ready (ERR max number"),
    ],
)
def test_an_error_reply_becomes_a_sentence_that_says_what_to_do(
    refusal: str, kind: type[Exception], words: str
) -> None:
    found = error_of_reply(refusal, "redis://h")
    assert type(found) is kind
    assert str(found).startswith("The store at redis://h ")
    assert words in str(found)
    assert str(found).endswith(".")


def test_a_missing_script_has_its_own_exception() -> None:
    assert type(error_of_reply("NOSCRIPT No matching script.", "redis://h")) is ScriptMissing


def test_a_missing_reply_and_a_foreign_protocol_have_sentences() -> None:
    assert str(unreachable(TimeoutError(), "redis://h")) == (
        "The store at redis://h cannot be reached (no answer in time): check the address and that it runs."
    )
    assert (
        str(not_redis("redis://h")) == "The server at redis://h is not Redis or Valkey: correct the address."
    )
