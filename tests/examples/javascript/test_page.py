"""The page that plays in a browser, as people use it."""

from typing import Any

from racetest import CODE, Connect, StartNode, detour, solution, url_of

from engine import Game, GameCode, deal

STEPS = detour()
DEAL = deal(GameCode.parse(CODE))
LOBBY = "Get ready for the next race; the host starts it."
FREE_S1 = "Cards move together only if they have one suit and descending ranks without a gap."


async def started(page: Any, host: Any) -> None:
    """Start a race of the page and its host Ada."""
    await page("press('ready')")
    await host.expect("ready_changed", ready=True)
    await host.start()
    await page.says("go!")
    await page.shows(DEAL)


async def test_a_player_wins_on_the_page(node: StartNode, person: Connect, page: Any) -> None:
    """A click picks up a card and all below it, the next click is where they go."""
    ada = await person(await node(), "Ada")
    ben = await page()
    await ben.enters(ada.url, await ada.create(CODE))
    await started(ben, ada)
    game = Game(DEAL)
    for step in STEPS[:-1]:
        game.move(step["from"], step["to"], step["cards"])
        await ben.clicks(step["from"], step["cards"])
        await ben.clicks(step["to"])
        await ben.shows(game.board)
    await ben.clicks(STEPS[-1]["from"], STEPS[-1]["cards"])
    await ben.clicks(STEPS[-1]["to"])
    await ben.says("The race is over.")
    (line,) = await ben("lines('standings')")
    assert line.startswith(f"1. Ben {900 - len(STEPS)} points {len(STEPS)} moves 4 runs won in 0:")


async def test_a_card_that_is_clicked_twice_goes_to_the_best_place(
    node: StartNode, person: Connect, page: Any
) -> None:
    """Undo brings it back."""
    ada = await person(await node(), "Ada")
    ben = await page()
    await ben.enters(ada.url, await ada.create(CODE))
    await started(ben, ada)
    await ben.clicks(0)
    await ben.clicks(0)
    assert await ben.says("moves") == "499 points, 1 moves"
    await ben("press('undo')")
    await ben.says("500 points, 0 moves")
    await ben.shows(DEAL)


async def test_a_refusal_is_shown_in_words(node: StartNode, person: Connect, page: Any) -> None:
    """The board stays, and no card is held any more."""
    ada = await person(await node(), "Ada")
    ben = await page()
    await ben.enters(ada.url, await ada.create(CODE))
    await started(ben, ada)
    await ben.clicks(0, 8)
    assert await ben("board().filter(({ className }) => className.includes('held')).length") == 8
    await ben.clicks(9)
    assert await ben.says("Cards") == FREE_S1
    assert await ben("board().filter(({ className }) => className.includes('held')).length") == 0
    await ben.shows(DEAL)


async def test_no_card_is_replaced_when_another_racer_moves(
    node: StartNode, person: Connect, page: Any
) -> None:
    """A browser loses a click if its button is replaced between press and release."""
    ada = await person(await node(), "Ada")
    ben = await page()
    await ben.enters(ada.url, await ada.create(CODE))
    await ada.ready()
    await started(ben, ada)
    await ada.racing()
    await ben("void (globalThis.before = board())")
    await ada.moves(solution()[:3])
    await ben("until(() => lines('standings').some((line) => line.includes('497 points')))")
    assert await ben("board().length === 52 && board().every((card, at) => card === before[at])") is True


async def test_it_shows_that_the_connection_is_lost_and_continues_when_it_is_back(
    node: StartNode, person: Connect, page: Any
) -> None:
    """What was clicked in between is sent then."""
    where = await node()
    host, port = where.address
    ada = await person(where, "Ada")
    ben = await page()
    await ben.enters(ada.url, await ada.create(CODE))
    await started(ben, ada)
    await where.stop()
    assert await ben.says("no connection") == "There is no connection; trying again."
    await ben.clicks(STEPS[0]["from"], STEPS[0]["cards"])
    await ben.clicks(STEPS[0]["to"])
    await node(host=host, port=port)
    assert await ben.says("moves") == "499 points, 1 moves"


async def test_before_the_first_connection_it_asks_about_server_and_origin(page: Any) -> None:
    """A browser does not say why it cannot connect. After leaving, the form is there again."""
    ben = await page("http://play.example.org:8000/#BKMRT")
    assert await ben("fields()") == ["ws://play.example.org:7466", "BKMRT", ""]
    await ben("enter('ws://localhost:1', 'BKMRT', 'Ben')")
    assert await ben.says("no connection") == (
        "There is no connection; trying again. Is a server at ws://localhost:1, and was it started with "
        "--origins http://play.example.org:8000?"
    )
    assert await ben("[document.getElementById('enter').hidden, buttons().filter(Boolean)]") == [
        True,
        ["leave"],
    ]
    await ben("press('leave')")
    await ben.says("left")
    assert await ben("[document.getElementById('enter').hidden, buttons()]") == [False, []]


async def test_the_player_who_opens_a_room_has_the_buttons_of_the_host(node: StartNode, page: Any) -> None:
    """All members see who is ready."""
    url = url_of(await node())
    ada, ben = await page(), await page()
    await ada.enters(url, "new", "Ada")
    room = (await ada("shown('link')")).removeprefix("Room ")
    assert await ada("location.hash") == f"#{room}"
    await ben.enters(url, room)
    assert await ada("buttons()") == ["ready", "start", "leave"]
    assert await ben("buttons()") == ["ready", "leave"]
    assert [await each("shown('status')") for each in (ada, ben)] == [LOBBY, LOBBY]
    await ada("press('ready')")
    await ben("until(() => lines('members')[0] === 'Ada, host, ready')")
    await ada("until(() => buttons().includes('not ready'))")
    await ada("press('start')")
    await ada("until(() => buttons().includes('cancel'))")
    await ada("press('cancel')")
    await ada("until(() => buttons().includes('start'))")
    await ada("press('not ready')")
    await ben("until(() => lines('members')[0] === 'Ada, host')")


async def test_only_a_racer_has_the_buttons_of_the_race(node: StartNode, person: Connect, page: Any) -> None:
    """A member who was not ready, or joined late, sees the standings and can get ready for the next race."""
    ada = await person(await node(), "Ada")
    ben, carl = await page(), await page()
    await ben.enters(ada.url, await ada.create(CODE))
    await carl.enters(ada.url, ada.room, "Carl")
    await started(ben, ada)
    await carl.says("go!")
    assert await ben("buttons()") == ["undo", "restart", "forfeit", "leave"]
    assert await carl("buttons()") == ["ready", "leave"]
    await carl("until(() => lines('standings').length)")
    assert await carl("cards()") == []


async def test_it_ends_with_the_reason_and_the_form(node: StartNode, person: Connect, page: Any) -> None:
    ada = await person(await node(), "Ada")
    ben = await page()
    await ben.enters(ada.url, await ada.create(CODE))
    joined = await ada.expect("member_joined")
    await ada.do("kick", player=joined["member"]["player"])
    await ben.says("kicked")
    assert await ben("[document.getElementById('enter').hidden, lines('members'), buttons()]") == [
        False,
        [],
        [],
    ]
