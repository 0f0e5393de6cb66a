import itertools
from collections.abc import Callable
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from server.transport.inbound import Inbound

LIMIT = 1000
FrameOfClient = Callable[..., bytes]


def fresh() -> tuple[ServerProtocol, Inbound]:
    protocol = ServerProtocol(state=State.OPEN, max_size=LIMIT)
    return protocol, Inbound(protocol, LIMIT)


def test_several_messages_in_one_read_are_returned_in_order(frame_of_client: FrameOfClient) -> None:
    _, inbound = fresh()
    data = frame_of_client(1, "10♥".encode()) + frame_of_client(2, b"\x93\x03") + frame_of_client(1, b"")

    assert inbound.receive(data) == ["10♥", b"\x93\x03", ""]


def test_a_single_message_is_one_complete_short_binary_frame_and_nothing_else(
    frame_of_client: FrameOfClient,
) -> None:
    """All other data, and all data while a message or frame is unfinished, needs `receive`."""
    _, inbound = fresh()
    short = frame_of_client(2, b"\x93\x03")
    others = [
        short + short,
        short[:-1],
        frame_of_client(1, b"text"),
        frame_of_client(9, b"ping"),
        frame_of_client(2, b"part", fin=False),
        frame_of_client(2, b"x" * 126),
        b"",
    ]

    assert [inbound.single_message(data) for data in [short, *others]] == [b"\x93\x03"] + [None] * len(others)
    for unfinished in (short[:-1], frame_of_client(2, b"part", fin=False)):
        _, inbound = fresh()
        inbound.receive(unfinished)
        assert inbound.single_message(short) is None


def test_a_fragmented_message_is_returned_with_its_last_fragment(frame_of_client: FrameOfClient) -> None:
    """A control frame may come between fragments, and a fragment may end within a character."""
    protocol, inbound = fresh()
    heart = "♥".encode()
    received = [
        inbound.receive(frame_of_client(1, b"10" + heart[:1], fin=False)),
        inbound.receive(frame_of_client(9, b"alive?")),
        inbound.receive(frame_of_client(0, heart[1:], fin=False)),
        inbound.receive(frame_of_client(0, b"!")),
        inbound.receive(frame_of_client(2, b"next")),
    ]

    assert received == [[], [], [], ["10♥!"], [b"next"]]
    assert protocol.data_to_send() == [b"\x8a\x06alive?"]
    assert inbound.overhead_frames == 3


def test_a_data_frame_between_fragments_is_a_protocol_error(frame_of_client: FrameOfClient) -> None:
    """The fast path for short frames must not accept it."""
    protocol, inbound = fresh()
    data = frame_of_client(2, b"a", fin=False) + frame_of_client(2, b"b")

    assert inbound.receive(data) == []
    assert protocol.close_sent == Close(1002, "expected a continuation frame")


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ({"opcode": 2, "payload": b"x", "masked": False}, 1002),
        ({"opcode": 2, "payload": b"x", "reserved": 0x40}, 1002),
        ({"opcode": 3, "payload": b"x"}, 1002),
        ({"opcode": 0, "payload": b"x"}, 1002),
        ({"opcode": 9, "payload": b"x", "fin": False}, 1002),
        ({"opcode": 9, "payload": b"x" * 126}, 1002),
        ({"opcode": 8, "payload": b"x"}, 1002),
        ({"opcode": 2, "payload": b"x" * (LIMIT + 1)}, 1009),
        ({"opcode": 1, "payload": b"\xff"}, 1007),
        ({"opcode": 1, "payload": b"x" * 200 + b"\xc3"}, 1007),
    ],
)
def test_bad_input_fails_with_its_code_and_nothing_after_it_is_read(
    frame_of_client: FrameOfClient, bad: dict[str, object], code: int
) -> None:
    """Messages before the fault are still returned."""
    protocol, inbound = fresh()
    data = frame_of_client(2, b"good") + frame_of_client(**bad) + frame_of_client(2, b"too late")

    assert inbound.receive(data) == [b"good"]
    assert protocol.close_sent is not None
    assert protocol.close_sent.code == code
    assert protocol.data_to_send()[-1] == b""


def test_the_size_limit_applies_to_all_fragments_of_a_message(
    frame_of_client: FrameOfClient,
) -> None:
    protocol, inbound = fresh()
    half = b"x" * (LIMIT // 2)
    inbound.receive(frame_of_client(2, half, fin=False) + frame_of_client(0, half, fin=False))
    inbound.receive(frame_of_client(0, b"x"))

    assert protocol.close_sent is not None
    assert protocol.close_sent.code == 1009


def test_needlessly_long_headers_are_parsed_without_losing_frame_boundaries() -> None:
    """The library accepts a short length in a long field, so the fast path has to cope with it."""
    _, inbound = fresh()
    long_form = b"\x82\xfe\x00\x02" + bytes(4) + b"hi"
    short_form = b"\x82\x82" + bytes(4) + b"ho"
    received = [message for _ in range(3) for message in inbound.receive(long_form + short_form)]

    assert received == [b"hi", b"ho"] * 3


frames = st.one_of(
    st.builds(lambda payload: (2, payload, True), st.binary(max_size=300)),
    st.builds(lambda text: (1, text.encode(), True), st.text(max_size=100)),
    st.builds(lambda payload: (9, payload, True), st.binary(max_size=125)),
    st.tuples(st.sampled_from([0, 1, 2]), st.binary(max_size=140), st.booleans()),
    st.just((8, b"\x03\xe8", True)),
)


def parse_with_library(data: bytes) -> tuple[list[bytes | str], int | None]:
    """Parse byte by byte with the library alone; return messages and the code of the first fault or close."""
    protocol = ServerProtocol(state=State.OPEN, max_size=LIMIT)
    messages: list[bytes | str] = []
    parts: list[bytes] = []
    is_text = False
    for at in range(len(data)):
        protocol.receive_data(data[at : at + 1])
        for frame in cast("list[Frame]", protocol.events_received()):
            if frame.opcode in (Opcode.TEXT, Opcode.BINARY):
                is_text = frame.opcode is Opcode.TEXT
            elif frame.opcode is not Opcode.CONT:
                continue
            parts.append(bytes(frame.data))
            if frame.fin:
                whole = b"".join(parts)
                parts.clear()
                try:
                    messages.append(whole.decode() if is_text else whole)
                except UnicodeDecodeError:
                    return messages, 1007
    return messages, protocol.close_sent.code if protocol.close_sent else None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(frames, max_size=8), st.lists(st.integers(1, 40), min_size=1), st.binary(max_size=4))
def test_the_fast_path_returns_what_the_library_alone_returns(
    frame_of_client: FrameOfClient,
    frames: list[tuple[int, bytes, bool]],
    sizes: list[int],
    garbage: bytes,
) -> None:
    """Any frames, in reads of any sizes, give the same messages and the same close code.

    One exception: when one read has text that is not UTF-8 and then another fault or close, the code may be
    that of the latter.
    """
    data = b"".join(frame_of_client(opcode, payload, fin=fin) for opcode, payload, fin in frames) + garbage
    reads, at = [], 0
    next_sizes = itertools.cycle(sizes)
    while at < len(data):
        end = at + next(next_sizes)
        reads.append(data[at:end])
        at = end
    protocol, inbound = fresh()
    messages: list[bytes | str] = []
    for read in reads:
        message = inbound.single_message(read)
        messages += inbound.receive(read) if message is None else [message]
        if b"" in protocol.data_to_send():
            break

    code = protocol.close_sent.code if protocol.close_sent else None
    expected_messages, expected_code = parse_with_library(data)
    assert messages == expected_messages
    assert code == expected_code or (expected_code == 1007 and code is not None)
