import asyncio
from typing import cast

import pytest

from server.transport import TransportLimits, TransportStats
from server.transport.outgoing import Outgoing
from server.transport.write_batch import WriteBatch


class Socket:
    """The event loop's end of a connection: remembers what is done with it, and holds what it is told to."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.held = 0

    def write(self, data: bytes) -> None:
        self.done.append(data.decode())

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None:
        self.done.append("(deaf)")

    def resume_reading(self) -> None:
        self.done.append("(listens)")

    def get_write_buffer_size(self) -> int:
        return self.held


class Half(Outgoing):
    """A connection of which only the sending half is there."""

    def abort(self) -> None:
        cast("Socket", self._transport).done.append("(aborted)")

    def _drop_slow_client(self) -> None:
        cast("Socket", self._transport).done.append("(too slow)")

    def _close_socket(self) -> None:
        cast("Socket", self._transport).done.append("(hangs up)")

    def hang_up_when_all_is_written(self) -> None:
        """Do as the protocol does when nothing may follow."""
        self._closes_when_flushed = True
        self._flush_soon()


def _raise(error: Exception) -> None:
    raise error


@pytest.fixture
async def half() -> tuple[Half, Socket]:
    socket = Socket()
    write_batch = WriteBatch(asyncio.get_running_loop(), _raise)
    limits = TransportLimits(outbox_bytes=20, write_buffer_bytes=10)
    return Half(cast("asyncio.Transport", socket), write_batch, limits, TransportStats()), socket


async def end_turn() -> None:
    """Let the loop do what is to be done at the end of this turn."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)


async def test_all_that_is_sent_in_a_turn_is_one_write_in_its_order(half: tuple[Half, Socket]) -> None:
    out, socket = half
    out.send(b"one ")
    out.send_latest("standings", b"two ")
    out.send(b"three")
    await end_turn()

    assert socket.done == ["one two three"]


async def test_what_a_slow_client_is_sent_follows_what_was_on_its_way_already(
    half: tuple[Half, Socket],
) -> None:
    """A pause may come between the sending and the write of a turn."""
    out, socket = half
    out.send(b"sent ")
    out.pause_writing()
    out.send_latest("standings", b"old ")
    out.send(b"later ")
    out.send_latest("standings", b"new")
    await end_turn()
    before = list(socket.done)
    out.resume_writing()
    await end_turn()

    assert before == ["(deaf)", "sent "]
    assert socket.done[2:] == ["(listens)", "later new"]


async def test_a_pause_that_ends_in_the_same_turn_changes_no_order(half: tuple[Half, Socket]) -> None:
    out, socket = half
    out.send(b"one ")
    out.pause_writing()
    out.send(b"two ")
    out.resume_writing()
    out.send(b"three")
    await end_turn()

    assert socket.done == ["(deaf)", "(listens)", "one two three"]


async def test_nobody_hangs_up_on_a_slow_client_that_has_not_read_all(half: tuple[Half, Socket]) -> None:
    out, socket = half
    out.send(b"sent")
    out.pause_writing()
    out.send(b"waits")
    out.hang_up_when_all_is_written()
    await end_turn()
    before = list(socket.done)
    out.resume_writing()
    await end_turn()

    assert before == ["(deaf)", "sent"]
    assert socket.done[2:] == ["(listens)", "waits", "(hangs up)"]


async def test_a_slow_client_is_hung_up_on_when_nothing_waits_for_it(half: tuple[Half, Socket]) -> None:
    out, socket = half
    out.pause_writing()
    out.hang_up_when_all_is_written()
    out.resume_writing()
    await end_turn()

    assert socket.done == ["(deaf)", "(listens)", "(hangs up)"]


async def test_more_than_may_wait_is_too_much_and_what_the_loop_holds_counts(
    half: tuple[Half, Socket],
) -> None:
    out, socket = half
    out.pause_writing()
    socket.held = 15
    out.send(b"12345")
    before = list(socket.done)
    out.send(b"6")

    assert before == ["(deaf)"]
    assert socket.done[1:] == ["(too slow)"]
    assert out.outbox_bytes == 21


async def test_one_large_answer_may_wait_whatever_its_size_and_a_second_may_not(
    half: tuple[Half, Socket],
) -> None:
    out, socket = half
    out.pause_writing()
    out.send(b"x" * 1000)
    before = list(socket.done)
    out.send(b"x" * 1000)

    assert before == ["(deaf)"]
    assert socket.done[1:] == ["(too slow)"]


async def test_what_may_wait_does_not_grow_with_each_pause(half: tuple[Half, Socket]) -> None:
    """Or a client that reads a little too slowly would have more and more waiting for it."""
    out, socket = half
    for _ in range(5):
        out.pause_writing()
        out.send(b"x" * 10)
        out.resume_writing()
        await end_turn()
    out.pause_writing()
    socket.held = 20
    out.send(b"y")

    assert socket.done[-1] == "(too slow)"


async def test_a_large_answer_that_has_waited_may_go_on_waiting_in_the_socket(
    half: tuple[Half, Socket],
) -> None:
    out, socket = half
    out.pause_writing()
    out.send(b"x" * 1000)
    out.resume_writing()
    await end_turn()
    out.pause_writing()
    socket.held = 1000
    out.send(b"y" * 20)
    before = socket.done[-1]
    out.send(b"z")

    assert (before, socket.done[-1]) == ("(deaf)", "(too slow)")
