from hypothesis import given
from hypothesis import strategies as st

from server.transport.outbox import Outbox


def test_frames_come_out_in_the_order_they_went_in() -> None:
    outbox = Outbox()
    for frame in (b"one ", b"two ", b"one ", b"three"):
        outbox.push(frame)

    assert outbox.take() == b"one two one three"


def test_a_newer_frame_of_a_kind_replaces_the_older_and_waits_at_the_end() -> None:
    """What was sent between the two happened before the newer one, so it is read first."""
    outbox = Outbox()
    outbox.push_latest("standings", b"[old standings]")
    outbox.push(b"[finish]")
    outbox.push_latest("clock_ms", b"[clock]")
    outbox.push_latest("standings", b"[new standings]")

    assert outbox.size == len(b"[finish][clock][new standings]")
    assert outbox.take() == b"[finish][clock][new standings]"


def test_a_taken_frame_is_not_replaced() -> None:
    outbox = Outbox()
    outbox.push_latest("standings", b"first")
    first = outbox.take()
    outbox.push_latest("standings", b"second")

    assert (first, outbox.take(), outbox.size) == (b"first", b"second", 0)


@given(st.lists(st.tuples(st.sampled_from([None, "a", "b"]), st.binary(max_size=9))))
def test_the_size_is_the_size_of_what_comes_out(sent: list[tuple[str | None, bytes]]) -> None:
    """Ordered frames are never dropped, and of each kind exactly the last one stays."""
    outbox = Outbox()
    for kind, frame in sent:
        if kind is None:
            outbox.push(frame)
        else:
            outbox.push_latest(kind, frame)
    last_of_kind = {kind: place for place, (kind, _) in enumerate(sent)}
    expected = b"".join(
        frame for place, (kind, frame) in enumerate(sent) if kind is None or last_of_kind[kind] == place
    )

    assert outbox.size == len(expected)
    assert outbox.take() == expected
