import asyncio
import struct
from collections.abc import Callable
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, ProtocolError
from websockets.frames import Close

from server.transport import Connection, binary_frame, text_frame

Start = Any
"""Type of the fixture that starts listeners, see conftest.py."""
FrameOfClient = Callable[..., bytes]


async def fill_outbox(connection: Connection) -> list[bytes]:
    """Send numbered messages until they are queued for a client that does not read; return their payloads.

    The queued bytes then exceed the event loop's share of 32 KiB and are well below the limit of 256 KiB.
    """
    sent: list[bytes] = []
    while connection.outbox_bytes < 64 * 1024:
        for _ in range(100):
            sent.append(b"%08d" % len(sent) * 64)
            connection.send(text_frame(sent[-1]))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    return sent


async def test_messages_are_received_and_sent_complete_and_in_order(start: Start) -> None:
    server = await start()
    messages = ["", "10♥", b"", b"\x00" * 126, "x" * 16384, b"y" * 16384, *(str(n) for n in range(100))]
    async with server.connect() as client:
        for message in messages:
            await client.send(message)
        assert [await client.recv() for _ in messages] == messages
    await server.handlers[0].wait_closed()

    assert server.handlers[0].messages == messages
    assert server.handlers[0].closes == [(1000, "")]
    assert (server.stats.opened, server.stats.messages_in, server.stats.messages_out) == (1, 106, 106)


async def test_a_frame_received_byte_by_byte_is_assembled(
    start: Start, frame_of_client: FrameOfClient
) -> None:
    server = await start()
    client = await server.connect_raw()
    for byte in frame_of_client(1, b"byte by byte"):
        client.send(bytes([byte]))
        await asyncio.sleep(0)
    assert await client.frame() == (1, b"byte by byte")


async def test_a_fragmented_message_is_delivered_as_one(start: Start) -> None:
    server = await start()
    async with server.connect() as client:
        await client.send(["one ", "message ", "in ", "fragments"])
        assert await client.recv() == "one message in fragments"
    assert server.handlers[0].messages == ["one message in fragments"]


async def test_a_ping_is_answered_with_its_payload(start: Start, frame_of_client: FrameOfClient) -> None:
    server = await start()
    client = await server.connect_raw()
    client.send(frame_of_client(9, b"are you there?"))

    assert await client.frame() == (10, b"are you there?")


async def test_a_flood_of_pings_or_fragments_closes_the_connection(
    start: Start, frame_of_client: FrameOfClient
) -> None:
    """The application's rate limits do not see frames that make no message."""
    server = await start(limits={"max_overhead_frames": 10, "close_seconds": 60})
    for flood in (
        frame_of_client(10) * 11,
        frame_of_client(1, fin=False) + frame_of_client(0, fin=False) * 10,
    ):
        client = await server.connect_raw()
        client.send(flood)
        assert await client.frame() == (8, struct.pack("!H", 1008) + b"too many pings or fragments")
        client.send(frame_of_client(8, struct.pack("!H", 1008)))
        assert await client.read_to_end() == b""


async def test_the_limit_for_pings_applies_to_each_second(
    start: Start, frame_of_client: FrameOfClient
) -> None:
    server = await start(limits={"max_overhead_frames": 10, "close_seconds": 60})
    client = await server.connect_raw()
    for _ in range(5):
        client.send(frame_of_client(9, b"?") * 10)
        assert [await client.frame() for _ in range(10)] == [(10, b"?")] * 10
        server.clock.now += 1


async def test_the_clients_close_is_answered_and_reported_to_the_handler(
    start: Start, frame_of_client: FrameOfClient
) -> None:
    server = await start()
    client = await server.connect_raw()
    client.send(frame_of_client(8, struct.pack("!H", 4123) + b"enough"))

    assert await client.answer_close() == (4123, "enough")
    client.writer.close()
    await server.handlers[0].wait_closed()
    assert server.handlers[0].closes == [(4123, "enough")]


async def test_the_close_frame_follows_earlier_frames_and_later_ones_are_dropped(start: Start) -> None:
    server = await start()
    async with server.connect() as client:
        connection = server.handlers[0].connection
        connection.send(text_frame(b"before"))
        connection.close(4002, "over")
        connection.send(text_frame(b"after"))
        connection.close(4003, "again")
        assert await client.recv() == "before"
        with pytest.raises(ConnectionClosed) as end:
            await client.recv()
    await server.handlers[0].wait_closed()

    assert (end.value.rcvd, server.handlers[0].closes) == (Close(4002, "over"), [(4002, "over")])


async def test_messages_received_with_the_clients_close_are_delivered_but_not_answered(
    start: Start, frame_of_client: FrameOfClient
) -> None:
    """No data may follow the server's close frame."""
    server = await start()
    client = await server.connect_raw()
    client.send(frame_of_client(1, b"one more thing") + frame_of_client(8, struct.pack("!H", 1000)))

    assert await client.answer_close() == (1000, "")
    assert server.handlers[0].messages == ["one more thing"]


async def test_no_message_is_delivered_after_the_server_closed(
    start: Start, frame_of_client: FrameOfClient
) -> None:
    server = await start(limits={"close_seconds": 60})
    client = await server.connect_raw()
    client.send(frame_of_client(1, b"close me") + frame_of_client(1, b"same packet"))
    assert await client.frame() == (8, struct.pack("!H", 4001) + b"as requested")
    client.send(frame_of_client(1, b"later packet") + frame_of_client(8, struct.pack("!H", 4001)))
    assert await client.read_to_end() == b""

    assert server.handlers[0].messages == ["close me"]
    assert server.handlers[0].closes == [] or server.handlers[0].closes == [(4001, "as requested")]


async def test_a_long_reason_is_cut_between_characters_and_an_invalid_code_raises(start: Start) -> None:
    server = await start()
    async with server.connect() as client:
        connection = server.handlers[0].connection
        with pytest.raises(ProtocolError):
            connection.close(1006, "not to be sent")
        connection.close(4000, "♥" * 100)
        with pytest.raises(ConnectionClosed) as end:
            await client.recv()

    assert end.value.rcvd == Close(4000, "♥" * 41)


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ({"opcode": 1, "payload": b"\xff\xfe"}, 1007),
        ({"opcode": 2, "payload": b"x" * 16385}, 1009),
        ({"opcode": 2, "payload": b"x" * 1_000_000}, 1009),
        ({"opcode": 2, "payload": b"x", "masked": False}, 1002),
        ({"opcode": 2, "payload": b"x", "reserved": 0x40}, 1002),
        ({"opcode": 11, "payload": b"x"}, 1002),
        ({"opcode": 0, "payload": b"x"}, 1002),
        ({"opcode": 8, "payload": b"\x03"}, 1002),
        ({"opcode": 8, "payload": struct.pack("!H", 1006)}, 1002),
    ],
)
async def test_bad_input_closes_its_connection_with_a_code(
    start: Start, frame_of_client: FrameOfClient, bad: dict[str, Any], code: int
) -> None:
    """The code reaches even a client that is still sending; other connections are not affected."""
    server = await start()
    bystander = await server.connect_raw()
    client = await server.connect_raw()
    client.send(frame_of_client(**bad))
    got, reason = await client.answer_close()
    client.writer.close()
    await server.handlers[1].wait_closed()
    bystander.send(frame_of_client(1, b"still here"))

    assert got == code
    assert server.handlers[1].closes == [(code, reason)]
    assert server.stats.protocol_errors == 1
    assert await bystander.frame() == (1, b"still here")


async def test_a_client_that_still_sends_when_it_is_closed_can_read_the_close_code(
    start: Start, frame_of_client: FrameOfClient
) -> None:
    """What it sends is discarded, not reset, until it closes the socket or the deadline is over."""
    server = await start()
    client = await server.connect_raw()
    too_long = frame_of_client(2, b"x" * 100_000)
    client.send(too_long[:100])
    await server.until(lambda: server.stats.protocol_errors == 1)
    for at in range(100, len(too_long), 10_000):
        seen = server.stats.bytes_in
        client.send(too_long[at : at + 10_000])
        await server.until(lambda seen=seen: server.stats.bytes_in > seen)
    code, _ = await client.answer_close()
    server.clock.now += 0.05
    await server.handlers[0].wait_closed()

    assert code == 1009
    assert server.stats.close_timeouts == 1


async def test_an_exception_of_the_handler_is_reported_and_closes_its_connection_only(
    start: Start, frame_of_client: FrameOfClient
) -> None:
    server = await start()
    bystander = await server.connect_raw()
    client = await server.connect_raw()
    client.send(frame_of_client(1, b"fail") + frame_of_client(1, b"never heard"))
    assert await client.answer_close() == (1011, "internal error")
    bystander.send(frame_of_client(1, b"still here"))
    assert await bystander.frame() == (1, b"still here")

    assert [repr(error) for error in server.errors] == ["RuntimeError('the handler failed')"]
    assert server.errors.pop().__traceback__ is not None
    assert server.handlers[1].messages == ["fail"]
    assert server.stats.handler_errors == 1


async def test_an_exception_of_accept_closes_the_connection_with_1011(start: Start) -> None:
    def accept(_: Connection) -> Any:
        raise RuntimeError("accept failed")

    server = await start(accept=accept)
    client = await server.connect_raw()

    assert await client.answer_close() == (1011, "internal error")
    assert [str(error) for error in server.errors] == ["accept failed"]
    server.errors.clear()


async def test_frames_sent_while_accepting_follow_the_handshake(start: Start) -> None:
    class GreetingHandler:
        def __init__(self, connection: Connection) -> None:
            connection.send(text_frame(b"welcome"))

        def received(self, data: bytes | str) -> None:
            pass

        def closed(self, code: int, reason: str) -> None:
            pass

    server = await start(accept=GreetingHandler)
    async with server.connect() as client:
        assert await client.recv() == "welcome"


async def test_a_client_that_does_not_read_is_disconnected_and_others_receive_everything(
    start: Start,
) -> None:
    """Its outbox is bounded; bytes in the kernel's buffers do not count."""
    server = await start()
    stuck = await server.connect_raw(small_buffers=True)
    readers = [await server.connect_raw() for _ in range(2)]
    payload = b"x" * 60_000
    sweep = 0
    while not server.stats.slow_drops:
        sweep += 1
        assert sweep < 1000
        for handler in server.handlers:
            handler.connection.send(text_frame(payload))
        for reader in readers:
            assert await reader.frame() == (1, payload)
        assert server.handlers[0].connection.outbox_bytes <= 256 * 1024 + len(text_frame(payload))
    await server.handlers[0].wait_closed()

    assert server.handlers[0].closes == [(1006, "did not read what it was sent")]
    assert server.stats.open == 2
    server.handlers[0].connection.send(text_frame(b"into the void"))
    stuck.writer.transport.abort()


async def test_one_large_message_may_be_queued_and_a_second_one_may_not(
    start: Start,
) -> None:
    """A record of a long race may be larger than the outbox, and a slow client must be able to read it."""
    server = await start()
    client = await server.connect_raw(small_buffers=True)
    connection = server.handlers[0].connection
    record = b"r" * 4_000_000
    connection.send(binary_frame(record))
    await server.until(lambda: 0 < connection.outbox_bytes < len(record))
    connection.send(text_frame(b"standings"))
    assert await client.frame() == (2, record)
    assert await client.frame() == (1, b"standings")
    connection.send(binary_frame(record))
    await server.until(lambda: 0 < connection.outbox_bytes < len(record))
    connection.send(binary_frame(record))
    connection.send(binary_frame(record))
    await server.handlers[0].wait_closed()
    assert server.handlers[0].closes == [(1006, "did not read what it was sent")]


async def test_a_slow_client_receives_all_ordered_frames_and_the_latest_of_each_kind(
    start: Start,
) -> None:
    server = await start()
    client = await server.connect_raw(small_buffers=True)
    connection = server.handlers[0].connection
    sent = await fill_outbox(connection)
    for number in range(20):
        connection.send_latest("standings", text_frame(b"standings %d" % number))
        connection.send_latest("clock", text_frame(b"clock %d" % number))
        if number == 10:
            connection.send(text_frame(b"a finish"))
    expected = [*sent, b"a finish", b"standings 19", b"clock 19"]

    assert [await client.frame() for _ in expected] == [(1, payload) for payload in expected]


async def test_a_client_that_does_not_read_is_not_read_from(
    start: Start, frame_of_client: FrameOfClient
) -> None:
    """Otherwise it could cause work and answers without bound."""
    server = await start()
    client = await server.connect_raw(small_buffers=True)
    handler = server.handlers[0]
    sent = await fill_outbox(handler.connection)
    client.send(frame_of_client(1, b"a question"))
    other = await server.connect_raw()
    other.send(frame_of_client(1, b"ping"))
    assert await other.frame() == (1, b"ping")
    messages_before = list(handler.messages)
    for payload in sent:
        assert await client.frame() == (1, payload)

    assert messages_before == []
    assert await client.frame() == (1, b"a question")


async def test_a_client_that_does_not_read_the_close_frame_is_aborted_at_the_deadline(start: Start) -> None:
    server = await start(limits={"close_seconds": 0.04})
    await server.connect_raw(small_buffers=True)
    handler = server.handlers[0]
    await fill_outbox(handler.connection)
    handler.connection.close(4000, "go away")
    server.clock.now += 0.05
    await handler.wait_closed()

    assert handler.closes == [(4000, "go away")]
    assert server.stats.close_timeouts == 1


async def test_a_client_that_does_not_answer_the_close_is_aborted_at_the_deadline(start: Start) -> None:
    server = await start(limits={"close_seconds": 0.04})
    client = await server.connect_raw()
    server.handlers[0].connection.close(4000, "go away")
    assert await client.frame() == (8, struct.pack("!H", 4000) + b"go away")
    server.clock.now += 0.05
    await server.handlers[0].wait_closed()

    assert await client.read_to_end() == b""
    assert server.stats.close_timeouts == 1


async def test_an_idle_client_is_pinged_and_kept_while_it_sends_pongs(
    start: Start, frame_of_client: FrameOfClient
) -> None:
    """By default it is pinged after 20 s without a byte and disconnected after 45 s."""
    server = await start()
    client = await server.connect_raw()
    for _ in range(4):
        server.clock.now += 21
        assert await client.frame() == (9, b"")
        before = server.stats.bytes_in
        client.send(frame_of_client(10))
        await server.until(lambda before=before: server.stats.bytes_in > before)
        await server.sweep()

    assert (server.stats.open, server.stats.idle_drops) == (1, 0)


async def test_an_active_client_is_not_pinged(start: Start, frame_of_client: FrameOfClient) -> None:
    server = await start()
    client = await server.connect_raw()
    for _ in range(5):
        server.clock.now += 15
        client.send(frame_of_client(1, b"busy"))
        assert await client.frame() == (1, b"busy")
        await server.sweep()

    assert server.stats.idle_drops == 0


async def test_a_client_that_answers_no_ping_is_disconnected(start: Start) -> None:
    server = await start()
    client = await server.connect_raw()
    server.clock.now += 21
    assert await client.frame() == (9, b"")
    server.clock.now += 25
    await server.handlers[0].wait_closed()

    assert server.handlers[0].closes == [(1006, "nothing received for 45 s")]
    assert server.stats.idle_drops == 1


async def test_a_client_that_reads_nothing_for_the_idle_time_is_disconnected_as_slow(start: Start) -> None:
    """Even when its queued bytes are below the limit."""
    server = await start()
    await server.connect_raw(small_buffers=True)
    await fill_outbox(server.handlers[0].connection)
    server.clock.now += 46
    await server.handlers[0].wait_closed()

    assert server.handlers[0].closes == [(1006, "did not read what it was sent")]
    assert (server.stats.slow_drops, server.stats.idle_drops) == (1, 0)


async def test_a_client_that_closed_its_socket_and_reads_nothing_is_aborted_at_the_deadline(
    start: Start,
) -> None:
    """Its socket stays open while frames are queued, but it is not pinged."""
    server = await start()
    client = await server.connect_raw(small_buffers=True)
    connection = server.handlers[0].connection
    while connection.outbox_bytes < 5_000:
        connection.send(text_frame(b"x" * 1_000))
        await asyncio.sleep(0)
    assert not connection.slow
    client.writer.write_eof()
    await server.until(lambda: not connection._open)
    server.clock.now += 21
    await server.handlers[0].wait_closed()

    assert server.handlers[0].closes == [(1006, "connection lost: the client closed the socket")]
    assert server.errors == []


@pytest.mark.parametrize("how", ["reset", "close"])
async def test_a_lost_client_is_reported_to_the_handler(start: Start, how: str) -> None:
    """Writing at the same moment or later is not an error."""
    server = await start()
    client = await server.connect_raw()
    handler = server.handlers[0]
    handler.connection.send(text_frame(b"last words"))
    if how == "reset":
        client.reset()
    else:
        client.writer.close()

    def closed_after_another_write() -> bool:
        handler.connection.send(text_frame(b"are you there?"))
        return bool(handler.closed_event.is_set())

    await server.until(closed_after_another_write)
    handler.connection.send(text_frame(b"hello?"))
    handler.connection.send_latest("kind", text_frame(b"hello?"))
    handler.connection.close(1000, "")
    handler.connection.abort()

    code, reason = handler.closes[0]
    assert code == 1006
    assert reason.startswith("connection lost: ")


async def test_an_abort_discards_queued_frames_and_is_reported_to_the_handler(start: Start) -> None:
    server = await start()
    client = await server.connect_raw()
    connection = server.handlers[0].connection
    connection.send(text_frame(b"never written"))
    connection.abort()
    connection.send(text_frame(b"nor this"))

    assert await client.read_to_end() == b""
    await server.handlers[0].wait_closed()
    assert server.handlers[0].closes == [(1006, "aborted by the server")]


async def test_an_exception_of_closed_does_not_keep_the_connection(start: Start) -> None:
    class FailingHandler:
        def __init__(self, _: Connection) -> None:
            pass

        def received(self, data: bytes | str) -> None:
            pass

        def closed(self, code: int, reason: str) -> None:  # noqa: ARG002
            raise RuntimeError("closed failed")

    server = await start(accept=FailingHandler)
    async with server.connect():
        pass
    await server.until(lambda: server.stats.open == 0)

    assert [str(error) for error in server.errors] == ["closed failed"]
    server.errors.clear()
