"""Clients that stop at rare messages are found by their checks."""

from collections.abc import Awaitable, Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it brings no types
import pytest

from conformance.of_client.fake_room import ROOM

Failures = Callable[..., Awaitable[list[str]]]

NO_REF = "it goes on after an error without `ref`"
WIDE = "it reads MessagePack integers and headers of any width"


async def test_a_client_that_stops_at_an_error_without_ref_fails(
    example: ModuleType, failures: Failures
) -> None:
    """Such an error settles nothing that the client waits for."""

    class Faulty(example.Client):  # type: ignore[name-defined,misc]
        stopped = False

        async def receive(self, message: dict[str, Any]) -> None:
            self.stopped |= self.live and message["type"] == "error" and "ref" not in message
            if not self.stopped:
                await super().receive(message)

        async def on_message(self, message: dict[str, Any]) -> None:
            pass

    assert await failures(Faulty("", ROOM, "Ann"), NO_REF) == [NO_REF]


async def test_a_client_that_reads_wide_integers_as_another_type_fails(
    example: ModuleType, failures: Failures, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Like a BigInt of JavaScript, which is not equal to the number that the client has sent."""

    def unpackb(data: bytes) -> Any:
        message = msgpack.unpackb(data)
        if data.startswith(b"\xdf"):
            return {name: str(value) if isinstance(value, int) else value for name, value in message.items()}
        return message

    monkeypatch.setattr(example, "msgpack", SimpleNamespace(unpackb=unpackb, packb=msgpack.packb))
    client = example.Client("", ROOM, "Ann")
    monkeypatch.setattr(client, "on_message", _nothing)
    assert await failures(client, WIDE) == [WIDE]


async def test_our_client_passes_them(
    example: ModuleType, failures: Failures, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = example.Client("", ROOM, "Ann")
    monkeypatch.setattr(client, "on_message", _nothing)
    assert await failures(client, WIDE) == []


async def _nothing(_: dict[str, Any]) -> None:
    pass
