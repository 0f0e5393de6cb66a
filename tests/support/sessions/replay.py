"""Replay a recorded client against a server, frame by frame."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]  # it brings no types
import websockets
from racetest import PATIENCE_S
from websockets.asyncio.client import ClientConnection

Message = dict[str, Any]

PASSING: Final = frozenset({"standings", "pong", "notice"})
"""Types of messages that come at any time and answer nothing."""

NAMES: Final = frozenset({"player", "token", "room"})
"""Fields with values that each server generates and that the client sends back."""

VOLATILE: Final = NAMES | {"you", "host", "owner", "server", "racers", "clock_ms", "race_id", "started_at_ms"}
TIMES: Final = frozenset({"at_ms", "elapsed_ms", "starts_in_ms", "reached_ms", "value"})


class Replay:
    """A recorded client.

    `cut` waits until the server knows that a player's connection is gone, `ranked` until a race has come onto
    the leaderboards of its code.
    """

    def __init__(
        self, url: str, cut: Callable[[str], Awaitable[None]], ranked: Callable[[str], Awaitable[None]]
    ) -> None:
        self.url, self.cut, self.ranked = url, cut, ranked
        self.compared = 0
        self._player = ""
        self._live: dict[str, str] = {}
        self._socket: ClientConnection | None = None

    async def play(self, recording: str) -> None:
        """Replay every line; raise AssertionError if a recorded answer does not come."""
        for line in map(json.loads, recording.splitlines()):
            match line:
                case {"connects": subprotocol}:
                    offered = [websockets.Subprotocol(subprotocol)]
                    self._socket = await websockets.connect(self.url, subprotocols=offered, proxy=None)
                case {"says": frame}:
                    said = _decoded(_frame(frame))
                    if said["type"] == "subscribe_leaderboard":
                        await self.ranked(said["code"])
                    await self._connection.send(self._translated(frame))
                case {"hears": frame}:
                    await self._hear(_decoded(_frame(frame)))
                case {"cut": True}:
                    self._connection.transport.abort()
                    await self.cut(self._player)
        await self._connection.close()

    @property
    def _connection(self) -> ClientConnection:
        assert self._socket is not None, "a recording begins with a connection"
        return self._socket

    def _translated(self, frame: str) -> str | bytes:
        """Replace generated values of the recording by those of this server; they have the same lengths."""
        data = _frame(frame)
        for recorded, live in self._live.items():
            assert len(recorded) == len(live)
            if isinstance(data, str):
                data = data.replace(recorded, live)
            else:
                data = data.replace(recorded.encode(), live.encode())
        return data

    async def _hear(self, recorded: Message) -> None:
        """Wait for the recorded message. New messages before it and new fields are ignored."""
        if recorded["type"] in PASSING:
            return
        async with asyncio.timeout(PATIENCE_S):
            while (message := _decoded(await self._connection.recv()))["type"] != recorded["type"]:
                pass
        self._player = message["player"] if message["type"] == "welcome" else self._player
        for name in NAMES & recorded.keys():
            self._live[recorded[name]] = message[name]
        _compare(recorded, message, recorded["type"])
        self.compared += 1


def _compare(recorded: Any, live: Any, where: str) -> None:
    """Require every recorded value; a volatile one must have the same type."""
    match recorded, live:
        case dict(), dict():
            for name, value in recorded.items():
                assert name in live, f"{where}.{name} is missing"
                if name in VOLATILE | TIMES:
                    assert type(live[name]) is type(value), f"{where}.{name} is {live[name]!r}"
                else:
                    _compare(value, live[name], f"{where}.{name}")
        case list(), list():
            assert len(recorded) == len(live), f"{where} has {len(live)} entries, not {len(recorded)}"
            for at, (old, new) in enumerate(zip(recorded, live, strict=True)):
                _compare(old, new, f"{where}[{at}]")
        case _:
            assert recorded == live, f"{where} is {live!r}, not {recorded!r}"


def _frame(text: str) -> str | bytes:
    return text if text.startswith("{") else bytes.fromhex(text)


def _decoded(data: str | bytes) -> Message:
    message = json.loads(data) if isinstance(data, str) else msgpack.unpackb(data)
    assert isinstance(message, dict)
    return message
