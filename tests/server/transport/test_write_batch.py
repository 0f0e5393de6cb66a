import asyncio
from typing import Any

from websockets.protocol import State
from websockets.server import ServerProtocol

from server.transport import Connection, TransportLimits, TransportStats, text_frame
from server.transport.connection import WebSocketConnection
from server.transport.connection_registry import ConnectionRegistry
from server.transport.handshake import subprotocol_selector
from server.transport.settings import ListenerSettings
from server.transport.write_batch import WriteBatch

Start = Any
"""Type of the fixture that starts listeners, see conftest.py."""


class RecordingTransport(asyncio.Transport):
    """A transport that records each write and never has anything in its buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.writes.append(bytes(data))

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0


class AnsweringHandler:
    """Answers each message with two frames."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def received(self, data: bytes | str) -> None:  # noqa: ARG002
        self.connection.send(text_frame(b"first"))
        self.connection.send_latest("kind", text_frame(b"second"))

    def closed(self, code: int, reason: str) -> None:
        pass


async def test_everything_sent_in_one_turn_is_one_write(frame_of_client: Any) -> None:
    """Answers, broadcasts and pongs together; a turn without frames writes nothing."""
    stats = TransportStats()
    settings = ListenerSettings(
        accept=AnsweringHandler,
        http=lambda _, __: None,
        on_error=lambda error: None,  # noqa: ARG005
        on_refused_origin=lambda origin, host: None,  # noqa: ARG005
        limits=TransportLimits(),
        stats=stats,
        select_subprotocol=subprotocol_selector(()),
        origins=(),
        trusted_proxies=(),
        clock=asyncio.get_running_loop().time,
    )
    transport = RecordingTransport()
    write_batch = WriteBatch(asyncio.get_running_loop(), settings.on_error)
    protocol = ServerProtocol(state=State.OPEN)
    connection = WebSocketConnection(
        transport,
        protocol,
        settings,
        ConnectionRegistry(stats, settings.limits),
        write_batch,
        address="192.0.2.1",
        subprotocol=None,
        user_agent="",
    )
    connection.start()
    connection.data_received(frame_of_client(1, b"question"))
    connection.data_received(frame_of_client(9, b"alive?"))
    connection.send(text_frame(b"broadcast"))
    written_at_once = list(transport.writes)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    connection.send(text_frame(b"next turn"))
    await asyncio.sleep(0)

    first_turn = text_frame(b"first") + text_frame(b"second") + b"\x8a\x06alive?" + text_frame(b"broadcast")
    assert written_at_once == []
    assert transport.writes == [first_turn, text_frame(b"next turn")]
    assert stats.bytes_out == len(first_turn) + len(text_frame(b"next turn"))


async def test_a_frame_that_cannot_be_written_aborts_only_its_own_connection(start: Start) -> None:
    """A str instead of bytes is a bug of the application; other connections of the same turn are written."""
    server = await start()
    clients = [await server.connect_raw() for _ in range(3)]
    for handler in server.handlers:
        handler.connection.send(text_frame(b"hello"))
    server.handlers[1].connection.send("no bytes")
    await server.handlers[1].wait_closed()

    assert [await clients[0].frame(), await clients[2].frame()] == [(1, b"hello")] * 2
    assert [type(error) for error in server.errors] == [TypeError]
    server.errors.clear()
    assert server.stats.open == 2
