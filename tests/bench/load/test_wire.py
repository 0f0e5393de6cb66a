"""The WebSocket client of the load generator: frames sent and received."""

from itertools import pairwise

import pytest
from loadtest import UPGRADED, Wire, wired
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from bench.load.wire import Socket, masked


class Kept(Socket):
    """A connection that keeps every message."""

    def __init__(self) -> None:
        super().__init__("/ws", "simonrace.v1.msgpack")
        self.messages: list[bytes] = []
        self.opened_times = 0

    def opened(self) -> None:
        self.opened_times += 1

    def received(self, payload: bytes) -> None:
        self.messages.append(payload)


def of_server(payload: bytes, opcode: Opcode = Opcode.BINARY) -> bytes:
    """Return a message as a frame of a server, made by another implementation."""
    return Frame(opcode, payload).serialize(mask=False)


def test_a_short_message_is_framed_with_a_mask_of_zeros() -> None:
    """Final, binary, masked, length in seven bits; a mask of zeros does not change the message."""
    assert masked(b"abc") == b"\x82\x83\x00\x00\x00\x00abc"


def test_a_long_message_has_its_length_in_two_bytes() -> None:
    """From 126 bytes on."""
    assert masked(b"x" * 300) == b"\x82\xfe\x01\x2c\x00\x00\x00\x00" + b"x" * 300


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535])
def test_a_server_can_read_every_frame(size: int) -> None:
    """At every limit of the forms of a length."""
    reader = StreamReader()
    reader.feed_data(masked(b"x" * size))
    reader.feed_eof()
    parsing = Frame.parse(reader.read_exact, mask=True)
    with pytest.raises(StopIteration) as done:
        next(parsing)
    assert done.value.value == Frame(Opcode.BINARY, b"x" * size)


def test_the_handshake_has_the_path_and_the_subprotocol() -> None:
    """It is sent as soon as the connection is open."""
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
def test_frames_are_split_wherever_the_bytes_are_cut(cuttings: list[list[int]]) -> None:
    """The answer to the handshake included."""
    for cuts in cuttings:
        socket = Kept()
        socket.connection_made(Wire())
        for start, end in pairwise((0, *cuts, len(STREAM))):
            socket.data_received(STREAM[start:end])
        assert (socket.messages, socket.opened_times, socket.bytes_in) == (MESSAGES, 1, len(STREAM))


def test_a_message_of_more_than_64_kib_is_read() -> None:
    """Its length takes eight bytes, which can be cut too."""
    socket, _ = wired(Kept())
    frame = of_server(b"z" * 70_000)
    for piece in (frame[:5], frame[5:40_000], frame[40_000:] + of_server(b"next")):
        socket.data_received(piece)
    assert socket.messages == [b"z" * 70_000, b"next"]


def test_a_ping_is_answered_with_its_payload_and_is_no_message() -> None:
    """By a masked pong; the next message is read as usual."""
    socket, wire = wired(Kept())
    socket.data_received(of_server(b"beat", Opcode.PING) + of_server(b"next"))
    assert wire.written == [b"\x8a\x84\x00\x00\x00\x00beat"]
    assert socket.messages == [b"next"]


def test_a_sent_frame_is_counted_and_written_unchanged() -> None:
    """The frame was made before."""
    socket, wire = wired(Kept())
    socket.send(masked(b"move"))
    assert (wire.written, socket.bytes_out) == ([masked(b"move")], 10)


def test_a_refused_handshake_raises_with_the_answer_of_the_server() -> None:
    """A measurement needs all its connections."""
    socket = Kept()
    socket.connection_made(Wire())
    with pytest.raises(ConnectionError, match="503 Service Unavailable"):
        socket.data_received(b"HTTP/1.1 503 Service Unavailable\r\n\r\n")


def test_a_lost_connection_is_recorded() -> None:
    """It counts as a fault of the run."""
    socket, _ = wired(Kept())
    assert socket.lost is False
    socket.connection_lost(None)
    assert socket.lost is True
