"""Random deals that can be won, drawn by a process that cannot outlive its server."""

import asyncio
import os
from pathlib import Path

import pytest
from racetest import until

from engine.code import GameCode
from engine.deal import deal
from engine.solver import Solved, solve
from server.services.deals.source import DealSource


def children() -> set[int]:
    """Return the process ids of our own children."""
    me = os.getpid()
    return {int(pid) for pid in Path(f"/proc/{me}/task/{me}/children").read_text().split()}


@pytest.mark.parametrize("suits", [1, 2, 4])
async def test_a_winnable_deal_can_be_won(suits: int) -> None:
    """Of the suits asked for, and no other deal twice."""
    dealer = DealSource(bound_s=20.0)
    codes = [GameCode.parse(await dealer.draw(suits, True)) for _ in range(3)]
    assert [code.suits for code in codes] == [suits] * 3
    assert all(isinstance(solve(deal(code)), Solved) for code in codes)
    assert len(set(codes)) == 3
    assert dealer.given_up == 0
    await dealer.aclose()


async def test_any_deal_needs_no_process() -> None:
    """Where it need not be winnable there is nothing to solve."""
    before = children()
    dealer = DealSource()
    assert GameCode.parse(await dealer.draw(4, False)).suits == 4
    assert children() == before
    await dealer.aclose()


async def test_a_draw_that_takes_too_long_is_given_up() -> None:
    """The race starts all the same, on a deal that nobody has solved; the slow worker is ended."""
    before = children()
    dealer = DealSource(bound_s=0.0)
    assert GameCode.parse(await dealer.draw(2, True)).suits == 2
    assert dealer.given_up == 1
    await until(lambda: children() == before)


async def test_a_worker_that_dies_is_replaced() -> None:
    """The draw that it died in is given up; the next one has a new worker."""
    before = children()
    dealer = DealSource(bound_s=20.0)
    await dealer.draw(1, True)
    (worker,) = children() - before
    os.kill(worker, 9)
    await until(lambda: children() == before)
    assert GameCode.parse(await dealer.draw(1, True)).suits == 1
    assert dealer.given_up <= 1
    await dealer.aclose()
    assert children() == before


async def test_draws_run_one_after_the_other() -> None:
    """One worker serves them all, and each gets its own deal."""
    before = children()
    dealer = DealSource(bound_s=20.0)
    codes = await asyncio.gather(*(dealer.draw(suits, True) for suits in (1, 2, 4, 1)))
    assert [GameCode.parse(code).suits for code in codes] == [1, 2, 4, 1]
    assert len(children() - before) == 1
    await dealer.aclose()
    assert children() == before
