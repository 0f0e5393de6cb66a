"""Random winnable deals, drawn by a process that ends with its server."""

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
    """Return the process ids of the children of this process."""
    me = os.getpid()
    return {int(pid) for pid in Path(f"/proc/{me}/task/{me}/children").read_text().split()}


@pytest.mark.parametrize("suits", [1, 2, 4])
async def test_a_winnable_deal_can_be_won(suits: int) -> None:
    """It has the requested number of suits, and no deal comes twice."""
    dealer = DealSource(bound_s=20.0)
    codes = [GameCode.parse(await dealer.draw(suits, True)) for _ in range(3)]
    assert [code.suits for code in codes] == [suits] * 3
    assert all(isinstance(solve(deal(code)), Solved) for code in codes)
    assert len(set(codes)) == 3
    assert dealer.given_up == 0
    await dealer.aclose()


async def test_other_deals_need_no_process() -> None:
    """A deal that need not be winnable is not solved."""
    before = children()
    dealer = DealSource()
    assert GameCode.parse(await dealer.draw(4, False)).suits == 4
    assert children() == before
    await dealer.aclose()


async def test_a_draw_that_takes_too_long_is_given_up() -> None:
    """The race starts nevertheless, on a deal that was not solved; the slow worker is ended."""
    before = children()
    dealer = DealSource(bound_s=0.0)
    assert GameCode.parse(await dealer.draw(2, True)).suits == 2
    assert dealer.given_up == 1
    await until(lambda: children() == before)


async def test_a_worker_that_dies_is_replaced() -> None:
    """The draw during which it died is given up; the next one has a new worker."""
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


async def test_rooms_that_start_together_draw_one_after_another() -> None:
    """One worker serves all, and each room gets its own deal."""
    before = children()
    dealer = DealSource(bound_s=20.0)
    codes = await asyncio.gather(*(dealer.draw(suits, True) for suits in (1, 2, 4, 1)))
    assert [GameCode.parse(code).suits for code in codes] == [1, 2, 4, 1]
    assert len(children() - before) == 1
    await dealer.aclose()
    assert children() == before
