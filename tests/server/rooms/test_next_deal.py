"""The deal of the next race: drawn once, for the settings that the room has when it starts."""

import asyncio

from roomtest import RoomNode, idle

from protocol.parts import Settings
from server.rooms.next_deal import NextDeal


async def test_a_deal_is_drawn_when_it_is_first_asked_for(here: RoomNode) -> None:
    """`drawn` is called at the end, and the code is there from then on."""
    drawn: list[str | None] = []
    settings = Settings(suits=2, winnable=True)
    deal = NextDeal(here.context, lambda: drawn.append(deal.code_for(settings)))
    assert deal.code_for(settings) is None
    assert deal.code_for(settings) is None
    await idle()
    assert drawn == [here.deals.code]
    assert here.deals.drawn == [(2, True)]


async def test_a_deal_for_other_settings_is_not_used(here: RoomNode) -> None:
    """The host cancelled, and chose more suits."""
    deal = NextDeal(here.context, lambda: None)
    deal.code_for(Settings(suits=1))
    await idle()
    assert deal.code_for(Settings(suits=4)) is None
    await idle()
    assert [suits for suits, _ in here.deals.drawn] == [1, 4]
    assert deal.code_for(Settings(suits=4)) == here.deals.code


async def test_one_deal_is_drawn_at_a_time(here: RoomNode) -> None:
    """Settings that change during a draw cause another one when it has ended."""
    here.deals.held = asyncio.Event()
    deal = NextDeal(here.context, lambda: None)
    deal.code_for(Settings(suits=1))
    await idle()
    deal.code_for(Settings(suits=4))
    await idle()
    assert [suits for suits, _ in here.deals.drawn] == [1]
    here.deals.held.set()
    await idle()
    assert deal.code_for(Settings(suits=4)) is None
    await idle()
    assert deal.code_for(Settings(suits=4)) == here.deals.code


async def test_the_next_race_gets_another_deal(here: RoomNode) -> None:
    """The race that has started uses the code."""
    deal = NextDeal(here.context, lambda: None)
    deal.code_for(Settings())
    await idle()
    deal.discard()
    assert deal.code_for(Settings()) is None
    await idle()
    assert len(here.deals.drawn) == 2
