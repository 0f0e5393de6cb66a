"""Asking a store that is away until it answers."""

import pytest

from server.rooms.retry import retry_while_unavailable
from server.store.port import StoreRefused, StoreUnavailable


async def test_a_read_is_repeated_until_the_store_answers() -> None:
    """Away or refusing, it is asked again, and the answer counts."""
    answers: list[Exception | str] = [StoreUnavailable("gone"), StoreRefused("full"), "here"]

    async def ask() -> str:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert await retry_while_unavailable(ask) == "here"
    assert answers == []


async def test_a_bug_is_not_repeated() -> None:
    """Asking again would not mend it."""

    async def ask() -> str:
        raise ValueError("a bug")

    with pytest.raises(ValueError, match="a bug"):
        await retry_while_unavailable(ask)
