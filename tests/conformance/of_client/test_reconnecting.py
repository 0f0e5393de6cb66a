"""Checks of when a client comes back, and of waits that are drawn anew."""

from collections.abc import Awaitable, Callable
from types import ModuleType

import pytest

from conformance.errors import CheckFailedError
from conformance.of_client.fake_room import ROOM
from conformance.of_client.reconnecting import require_full_jitter

BOUNDS = (0.2, 0.4, 0.8, 1.6)


async def test_whoever_comes_back_after_4002_fails(
    example: ModuleType,
    failures: Callable[..., Awaitable[list[str]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two such clients would throw each other out for ever."""
    monkeypatch.setattr(example, "is_final", lambda _: False)
    after_4002 = "after 4002 it does not come back"
    entered = "it takes unknown fields and messages, and enters a room"
    assert await failures(example.Client("", ROOM, "Ann"), after_4002, after=entered) == [after_4002]


def test_waits_that_are_drawn_anew_below_growing_bounds_are_full_jitter() -> None:
    """A busy computer may add a second to each."""
    require_full_jitter([0.1, 0.35, 0.2, 1.5], BOUNDS)
    require_full_jitter([1.15, 0.35, 0.2, 2.55], BOUNDS)


@pytest.mark.parametrize(
    ("waits", "expected"),
    [
        ([0.1, 0.35, 0.2, 2.7], "waits of at most 0.2, 0.4, 0.8, 1.6 s"),
        ([0.1, 0.2, 0.4, 0.8], "waits that are drawn anew each time"),
        ([0.2, 0.2, 0.2, 0.2], "waits that are drawn anew each time"),
        ([0.0, 0.0, 0.0, 0.0], "waits that are drawn anew each time"),
    ],
)
def test_other_waits_are_not(waits: list[float], expected: str) -> None:
    """Too long, always the same part of the bound, always the same, none at all."""
    with pytest.raises(CheckFailedError) as failure:
        require_full_jitter(waits, BOUNDS)
    assert failure.value.expected == expected
