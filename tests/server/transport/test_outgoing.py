import asyncio
from typing import cast

import pytest

from server.transport import TransportLimits, TransportStats
from server.transport.outgoing import Outgoing
from server.transport.write_batch import WriteBatch


class FakeTransport:
    """A transport that records its calls; `buffered` is the size of its write buffer."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.buffered = 0

    def write(self, data: bytes) -> None:
        self.calls.append(data.decode())

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None:
        self.calls.append("(pauses reading)")

    def resume_reading(self) -> None:
        self.calls.append("(resumes reading)")

    def get_write_buffer_size(self) -> int:
        return self.buffered


class SendingHalf(Outgoing):
    """A connection that has only the sending half."""

    def abort(self) -> None:
        cast("FakeTransport", self._transport).calls.append("(aborted)")

    def _drop_slow_client(self) -> None:
        cast("FakeTransport", self._transport).calls.append("(drops slow client)")

    def _close_socket(self) -> None:
        cast("FakeTransport", self._transport).calls.append("(closes socket)")

    def close_when_flushed(self) -> None:
        """Close the socket after everything was written, as after the close handshake."""
        self._closes_when_flushed = True
        self._flush_soon()


def _raise(error: Exception) -> None:
    raise error


@pytest.fixture
async def half() -> tuple[SendingHalf, FakeTransport]:
    transport = FakeTransport()
    write_batch = WriteBatch(asyncio.get_running_loop(), _raise)
    limits = TransportLimits(outbox_bytes=20, write_buffer_bytes=10)
    return SendingHalf(cast("asyncio.Transport", transport), write_batch, limits, TransportStats()), transport


async def end_turn() -> None:
    """Wait until the event loop has flushed the frames of this turn."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)


async def test_frames_sent_in_one_turn_are_one_write_in_order(
    half: tuple[SendingHalf, FakeTransport],
) -> None:
    out, transport = half
    out.send(b"one ")
    out.send_latest("standings", b"two ")
    out.send(b"three")
    await end_turn()

    assert transport.calls == ["one two three"]


async def test_queued_frames_follow_frames_sent_before_the_pause(
    half: tuple[SendingHalf, FakeTransport],
) -> None:
    """Writing may be paused between sending a frame and the write of that turn."""
    out, transport = half
    out.send(b"sent ")
    out.pause_writing()
    out.send_latest("standings", b"old ")
    out.send(b"later ")
    out.send_latest("standings", b"new")
    await end_turn()
    before = list(transport.calls)
    out.resume_writing()
    await end_turn()

    assert before == ["(pauses reading)", "sent "]
    assert transport.calls[2:] == ["(resumes reading)", "later new"]


async def test_a_pause_that_ends_in_the_same_turn_keeps_the_order(
    half: tuple[SendingHalf, FakeTransport],
) -> None:
    out, transport = half
    out.send(b"one ")
    out.pause_writing()
    out.send(b"two ")
    out.resume_writing()
    out.send(b"three")
    await end_turn()

    assert transport.calls == ["(pauses reading)", "(resumes reading)", "one two three"]


async def test_the_socket_of_a_slow_client_is_closed_after_all_queued_frames(
    half: tuple[SendingHalf, FakeTransport],
) -> None:
    out, transport = half
    out.send(b"sent")
    out.pause_writing()
    out.send(b"waits")
    out.close_when_flushed()
    await end_turn()
    before = list(transport.calls)
    out.resume_writing()
    await end_turn()

    assert before == ["(pauses reading)", "sent"]
    assert transport.calls[2:] == ["(resumes reading)", "waits", "(closes socket)"]


async def test_the_socket_of_a_slow_client_is_closed_when_nothing_is_queued(
    half: tuple[SendingHalf, FakeTransport],
) -> None:
    out, transport = half
    out.pause_writing()
    out.close_when_flushed()
    out.resume_writing()
    await end_turn()

    assert transport.calls == ["(pauses reading)", "(resumes reading)", "(closes socket)"]


async def test_the_limit_applies_to_queued_bytes_here_and_in_the_event_loop(
    half: tuple[SendingHalf, FakeTransport],
) -> None:
    out, transport = half
    out.pause_writing()
    transport.buffered = 15
    out.send(b"12345")
    before = list(transport.calls)
    out.send(b"6")

    assert before == ["(pauses reading)"]
    assert transport.calls[1:] == ["(drops slow client)"]
    assert out.outbox_bytes == 21


async def test_one_large_message_may_be_queued_and_a_second_one_may_not(
    half: tuple[SendingHalf, FakeTransport],
) -> None:
    out, transport = half
    out.pause_writing()
    out.send(b"x" * 1000)
    before = list(transport.calls)
    out.send(b"x" * 1000)

    assert before == ["(pauses reading)"]
    assert transport.calls[1:] == ["(drops slow client)"]


async def test_the_limit_does_not_grow_with_each_pause(half: tuple[SendingHalf, FakeTransport]) -> None:
    """Otherwise more and more would be queued for a client that reads a little too slowly."""
    out, transport = half
    for _ in range(5):
        out.pause_writing()
        out.send(b"x" * 10)
        out.resume_writing()
        await end_turn()
    out.pause_writing()
    transport.buffered = 20
    out.send(b"y")

    assert transport.calls[-1] == "(drops slow client)"


async def test_a_large_message_from_the_outbox_may_wait_in_the_event_loop(
    half: tuple[SendingHalf, FakeTransport],
) -> None:
    out, transport = half
    out.pause_writing()
    out.send(b"x" * 1000)
    out.resume_writing()
    await end_turn()
    out.pause_writing()
    transport.buffered = 1000
    out.send(b"y" * 20)
    before = transport.calls[-1]
    out.send(b"z")

    assert (before, transport.calls[-1]) == ("(pauses reading)", "(drops slow client)")
