"""Clients that do not find out whether their connection lives are found by their checks."""

from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any

import pytest
from websockets.frames import Opcode

from conformance.of_client import heartbeats
from conformance.of_client.fake_room import ROOM

PONG = "it answers WebSocket pings"
SILENCE = "it drops a connection on which nothing is answered, and connects again"
ENTERED = "it ignores unknown fields and messages, and enters a room"


@pytest.mark.parametrize(("ping_s", "failed"), [(0.2, []), (None, [SILENCE])], ids=["pings", "never pings"])
async def test_a_client_that_never_notices_a_silent_server_fails(
    example: ModuleType,
    failures: Callable[..., Awaitable[list[str]]],
    monkeypatch: pytest.MonkeyPatch,
    ping_s: float | None,
    failed: list[str],
) -> None:
    """A client that pings gives the connection up; one that does not waits without end."""
    monkeypatch.setattr(heartbeats, "SILENCE_S", 2.0)
    how = {"ping_interval": ping_s, "ping_timeout": ping_s, "close_timeout": 0.1}
    monkeypatch.setattr(example, "OPTIONS", example.OPTIONS | how)
    client = example.Client("", ROOM, "Ann")
    monkeypatch.setattr(client, "on_message", _nothing)
    assert await failures(client, SILENCE) == failed


async def test_a_client_that_answers_no_ping_fails(
    example: ModuleType, failures: Callable[..., Awaitable[list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeats, "PONG_WITHIN_S", 0.5)

    class Faulty(example.Client):  # type: ignore[name-defined,misc]
        async def receive(self, message: dict[str, Any]) -> None:
            protocol = self.socket.protocol
            if message["type"] == "welcome":
                send = protocol.send_frame
                monkeypatch.setattr(
                    protocol, "send_frame", lambda frame: frame.opcode is Opcode.PONG or send(frame)
                )
            await super().receive(message)

        async def on_message(self, message: dict[str, Any]) -> None:
            pass

    assert await failures(Faulty("", ROOM, "Ann"), PONG, after=ENTERED) == [PONG]


async def _nothing(_: dict[str, Any]) -> None:
    pass
