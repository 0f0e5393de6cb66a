"""Clients that reconnect when they must not, and waits without jitter."""

from collections.abc import Awaitable, Callable
from types import ModuleType

import pytest

from conformance.errors import CheckFailedError
from conformance.of_client.fake_room import ROOM
from conformance.of_client.reconnecting import require_full_jitter

BOUNDS = (0.2, 0.4, 0.8, 1.6)


async def test_a_client_that_reconnects_after_4002_fails(
    example: ModuleType,
    failures: Callable[..., Awaitable[list[str]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two such clients would close each other endlessly."""
    monkeypatch.setattr(example, "is_final", lambda _: False)
    after_4002 = "after 4002 it does not reconnect"
    entered = "it ignores unknown fields and messages, and enters a room"
    assert await failures(example.Client("", ROOM, "Ann"), after_4002, after=entered) == [after_4002]


def test_random_waits_below_growing_bounds_are_full_jitter() -> None:
    """A busy computer can add a second to each."""
    require_full_jitter([0.1, 0.35, 0.2, 1.5], BOUNDS)
    require_full_jitter([1.15, 0.35, 0.2, 2.55], BOUNDS)


@pytest.mark.parametrize(
    ("waits", "expected"),
    [
        ([0.1, 0.35, 0.2, 2.7], "waits of at most 0.2, 0.4, 0.8, 1.6 s"),
        ([0.1, 0.2, 0.4, 0.8], "waits that are random each time"),
        ([0.2, 0.2, 0.2, 0.2], "waits that are random each time"),
        ([0.0, 0.0, 0.0, 0.0], "waits that are random each time"),
    ],
)
def test_other_waits_fail(waits: list[float], expected: str) -> None:
    """Too long, always the same share of the bound, always the same, no wait."""
    with pytest.raises(CheckFailedError) as failure:
        require_full_jitter(waits, BOUNDS)
    assert failure.value.expected == expected
