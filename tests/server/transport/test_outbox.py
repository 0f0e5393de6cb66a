from hypothesis import given
from hypothesis import strategies as st

from server.transport.outbox import Outbox


def test_ordered_frames_are_taken_in_the_order_they_were_pushed() -> None:
    outbox = Outbox()
    for frame in (b"one ", b"two ", b"one ", b"three"):
        outbox.push(frame)

    assert outbox.take() == b"one two one three"


def test_a_newer_frame_of_a_kind_replaces_the_older_one_and_goes_to_the_end() -> None:
    """Frames pushed between the two describe earlier events, so they are read first."""
    outbox = Outbox()
    outbox.push_latest("standings", b"[old standings]")
    outbox.push(b"[finish]")
    outbox.push_latest("clock", b"[clock]")
    outbox.push_latest("standings", b"[new standings]")

    assert outbox.size == len(b"[finish][clock][new standings]")
    assert outbox.take() == b"[finish][clock][new standings]"


def test_a_frame_that_was_taken_is_not_replaced() -> None:
    outbox = Outbox()
    outbox.push_latest("standings", b"first")
    first = outbox.take()
    outbox.push_latest("standings", b"second")

    assert (first, outbox.take(), outbox.size) == (b"first", b"second", 0)


@given(st.lists(st.tuples(st.sampled_from([None, "a", "b"]), st.binary(max_size=9))))
def test_the_size_is_the_length_of_what_is_taken(sent: list[tuple[str | None, bytes]]) -> None:
    """Ordered frames are never dropped, and exactly the last frame of each kind is kept."""
    outbox = Outbox()
    for kind, frame in sent:
        if kind is None:
            outbox.push(frame)
        else:
            outbox.push_latest(kind, frame)
    last_of_kind = {kind: server for server, (kind, _) in enumerate(sent)}
    expected = b"".join(
        frame for server, (kind, frame) in enumerate(sent) if kind is None or last_of_kind[kind] == server
    )

    assert outbox.size == len(expected)
    assert outbox.take() == expected
