"""The deal of the next race, drawn while the countdown runs."""

from racetest import CODE, OTHER_CODE, Gather, StartNode


async def test_a_deal_drawn_for_other_settings_is_not_used(node: StartNode, party: Gather) -> None:
    """The host cancels, chooses more suits and starts again: the deal has as many suits as chosen."""
    where = await node()
    (ada,) = await party(where, "Ada", code=None, countdown_s=60, winnable=False)
    await ada.ready()
    await ada.start()
    await ada.do("cancel_countdown")
    await ada.do("configure", settings={"countdown_s": 0, "suits": 4, "winnable": True})
    await ada.start()
    assert (await ada.racing())["code"].startswith("SS1-S4-")


async def test_the_next_race_has_another_deal_unless_named(node: StartNode, race: Gather) -> None:
    """A named code is for one race; to race on it again one names it again."""
    (ada,) = await race(await node(), "Ada")
    await ada.win()
    await ada.expect("race_ended")
    await ada.ready()
    await ada.start()
    second = (await ada.racing())["code"]
    assert second not in (CODE, OTHER_CODE)
