"""The client's end of a WebSocket: what it frames, and how it takes frames apart."""

from itertools import pairwise

import pytest
from loadtest import UPGRADED, Wire, wired
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from bench.load.wire import Socket, masked


class Kept(Socket):
    """Keeps every message."""

    def __init__(self) -> None:
        super().__init__("/ws", "simonrace.v1.msgpack")
        self.messages: list[bytes] = []
        self.opened_times = 0

    def opened(self) -> None:
        self.opened_times += 1

    def received(self, payload: bytes) -> None:
        self.messages.append(payload)


def of_server(payload: bytes, opcode: Opcode = Opcode.BINARY) -> bytes:
    """Frame a message as a server does, by another implementation."""
    return Frame(opcode, payload).serialize(mask=False)


def test_a_short_message_is_framed_with_a_mask_of_zeros() -> None:
    """Final, binary, masked, its length in seven bits; a mask of zeros leaves the message as it is."""
    assert masked(b"abc") == b"\x82\x83\x00\x00\x00\x00abc"


def test_a_long_message_has_its_length_in_two_bytes() -> None:
    """From 126 bytes on."""
    assert masked(b"x" * 300) == b"\x82\xfe\x01\x2c\x00\x00\x00\x00" + b"x" * 300


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535])
def test_a_server_reads_what_was_framed(size: int) -> None:
    """At every edge of the ways in which a length is written."""
    reader = StreamReader()
    reader.feed_data(masked(b"x" * size))
    reader.feed_eof()
    parsing = Frame.parse(reader.read_exact, mask=True)
    with pytest.raises(StopIteration) as done:
        next(parsing)
    assert done.value.value == Frame(Opcode.BINARY, b"x" * size)


def test_the_request_asks_for_the_path_and_the_subprotocol() -> None:
    """It is sent as soon as there is a connection."""
    wire = Wire()
    Kept().connection_made(wire)
    (request,) = wire.written
    first, *headers, _, _ = request.decode().split("\r\n")
    assert first == "GET /ws HTTP/1.1"
    assert "Sec-WebSocket-Protocol: simonrace.v1.msgpack" in headers


STREAM = UPGRADED + of_server(b"short") + of_server(b"") + of_server(b"y" * 130) + of_server(b"last")
MESSAGES = [b"short", b"", b"y" * 130, b"last"]


@pytest.mark.parametrize(
    "cuttings",
    [[[]], [[at] for at in range(1, len(STREAM))], [list(range(1, len(STREAM)))]],
    ids=["in one piece", "in two that meet anywhere", "byte by byte"],
)
def test_frames_are_taken_apart_wherever_they_are_cut(cuttings: list[list[int]]) -> None:
    """The upgrade's answer included."""
    for cuts in cuttings:
        socket = Kept()
        socket.connection_made(Wire())
        for start, end in pairwise((0, *cuts, len(STREAM))):
            socket.data_received(STREAM[start:end])
        assert (socket.messages, socket.opened_times, socket.bytes_in) == (MESSAGES, 1, len(STREAM))


def test_a_message_of_more_than_64_kib_is_taken_apart() -> None:
    """Its length is written in eight bytes, which may be cut as well."""
    socket, _ = wired(Kept())
    frame = of_server(b"z" * 70_000)
    for piece in (frame[:5], frame[5:40_000], frame[40_000:] + of_server(b"next")):
        socket.data_received(piece)
    assert socket.messages == [b"z" * 70_000, b"next"]


def test_a_ping_is_answered_with_what_it_says_and_is_no_message() -> None:
    """A masked pong; the next message is taken as ever."""
    socket, wire = wired(Kept())
    socket.data_received(of_server(b"beat", Opcode.PING) + of_server(b"next"))
    assert wire.written == [b"\x8a\x84\x00\x00\x00\x00beat"]
    assert socket.messages == [b"next"]


def test_what_is_sent_is_counted_and_written_as_it_is() -> None:
    """The frame was made before."""
    socket, wire = wired(Kept())
    socket.send(masked(b"move"))
    assert (wire.written, socket.bytes_out) == ([masked(b"move")], 10)


def test_a_refused_upgrade_is_an_error_that_says_what_the_server_said() -> None:
    """A measurement without the connections that it wants is none."""
    socket = Kept()
    socket.connection_made(Wire())
    with pytest.raises(ConnectionError, match="503 Service Unavailable"):
        socket.data_received(b"HTTP/1.1 503 Service Unavailable\r\n\r\n")


def test_a_lost_connection_is_remembered() -> None:
    """It is counted among the faults of a run."""
    socket, _ = wired(Kept())
    assert socket.lost is False
    socket.connection_lost(None)
    assert socket.lost is True
