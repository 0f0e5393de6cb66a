"""Check of a server by its reply to INFO."""

import pytest

from server.store.port import StoreRefused
from server.store.redis.info import parse_info, require_supported


def test_the_fields_of_a_reply_are_parsed() -> None:
    reply = b"# Server\r\nredis_version:7.2.4\r\n\r\n# Replication\r\nrole:master\r\nname:a:b\xff\r\n"
    assert parse_info(reply) == {"redis_version": "7.2.4", "role": "master", "name": "a:b\ufffd"}


@pytest.mark.parametrize(
    "fields",
    [
        {"redis_version": "6.2.0"},
        {"redis_version": "7.2.4", "valkey_version": "8.1.0", "role": "master"},
        {"redis_version": "10.0.0"},
    ],
)
def test_supported_servers_pass(fields: dict[str, str]) -> None:
    require_supported(fields, "redis://h")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "The store at redis://h is version 0: Redis or Valkey 6.2 or newer is needed."),
        (
            {"redis_version": "6.0.16"},
            "The store at redis://h is version 6.0.16: Redis or Valkey 6.2 or newer is needed.",
        ),
        (
            {"redis_version": "7.2.4", "role": "slave"},
            "The store at redis://h is a read-only replica: give the address of its primary.",
        ),
    ],
)
def test_old_servers_and_replicas_are_refused(fields: dict[str, str], sentence: str) -> None:
    with pytest.raises(StoreRefused) as raised:
        require_supported(fields, "redis://h")
    assert str(raised.value) == sentence
