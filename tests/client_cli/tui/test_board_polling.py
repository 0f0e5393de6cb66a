"""Board polling: which boards a spectator's client requests, and how often."""

from fullscreen.harness import Harness, at_screen

from client_cli.tui.board_polling import BOARD_MS, REQUEST_MS
from protocol import from_client, from_server

RACERS = ("ada", "ming", "zoe", "ben")


def requested(harness: Harness) -> list[str]:
    return [each.player for each in harness.server.received if isinstance(each, from_client.GetBoard)]


def answer(harness: Harness) -> None:
    """Answer the last request, so that the next one may be sent."""
    ref = harness.server.received[-1].ref  # type: ignore[union-attr]  # it is a request
    harness.server.send(from_server.Done(ref=ref))


def test_visible_boards_are_requested_in_turn() -> None:
    """Each at most once a second, all together at most four times a second."""
    harness = at_screen("boards")
    harness.controller.lines(160, 50)
    answer(harness)
    requests: list[tuple[int, str]] = []
    for at in range(0, 2 * BOARD_MS, 50):
        before = len(requested(harness))
        harness.now_ms += 50
        harness.controller.tick()
        requests += [(at, player) for player in requested(harness)[before:]]
        answer(harness)
    assert requests == [(number * REQUEST_MS, player) for number, player in enumerate([*RACERS, *RACERS])]
    assert len(RACERS) * REQUEST_MS == BOARD_MS


def test_a_small_screen_requests_only_the_chosen_board() -> None:
    harness = at_screen("boards")
    harness.controller.lines(80, 24)
    answer(harness)
    before = len(requested(harness))
    for _ in range(5):
        harness.now_ms += BOARD_MS
        harness.controller.tick()
        answer(harness)
    assert requested(harness)[before:] == ["ming"] * 5


def test_the_first_racer_s_board_is_requested_where_the_room_shows_boards() -> None:
    for live, types in ((True, [from_client.GetBoard]), (False, [])):
        harness = Harness(me="mei", live_boards=live)
        harness.start_race()
        before = len(harness.server.received)
        harness.now_ms += 1000
        harness.controller.tick()
        assert [type(each) for each in harness.server.received[before:]] == types


def test_the_chosen_board_is_requested_again_every_second() -> None:
    harness = at_screen("board")
    before = len(harness.server.received)
    for _ in range(21):
        harness.now_ms += 100
        harness.controller.tick()
        last = harness.server.received[-1]
        if isinstance(last, from_client.GetBoard) and not harness.conversation.idle:
            game = harness.server.view()
            harness.server.send(from_server.Board(ref=last.ref, race=1, player="ming", game=game))
    assert [type(each) for each in harness.server.received[before:]] == [from_client.GetBoard] * 3


def test_a_racer_requests_no_boards(racing: Harness) -> None:
    before = len(racing.server.received)
    for _ in range(5):
        racing.now_ms += BOARD_MS
        racing.controller.tick()
    assert len(racing.server.received) == before
