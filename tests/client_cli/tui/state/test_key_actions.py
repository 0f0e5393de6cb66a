"""What keys do: on the desk, and what they bring about outside."""

import pytest
from fullscreen.scenes import Table, at_table

from client_cli.core.commands import MoveCards, SimpleCommand
from client_cli.tui.state.effects import Act, Ask, Copy, Effects, Leave, Type, Typing
from client_cli.tui.state.key_actions import press
from client_cli.tui.state.keys import Where
from client_cli.tui.state.state import Measure, Page
from protocol import from_client as say


def pressed(table: Table, *keys: str) -> Effects:
    """Press keys, and return what the last of them brings about."""
    effects: Effects = ()
    for key in keys:
        effects = press(table.seat.desk, table.seat.scene, key)
    return effects


@pytest.mark.parametrize(
    ("key", "effects"),
    [
        ("r", (Ask(say.Ready(ready=False)),)),  # she is ready already
        ("s", (Ask(say.StartCountdown()),)),
        ("x", (Ask(say.Lock(locked=True)),)),
        ("c", (Copy("simonrace join ws://play.example.org:7466/KTQMX"),)),
        ("t", (Type(Typing.SAY),)),
        (":", (Type(Typing.COMMAND),)),
        ("F5", ()),
    ],
)
def test_a_key_in_the_lobby(table: Table, key: str, effects: Effects) -> None:
    assert pressed(table, key) == effects


def test_start_is_cancel_during_the_countdown() -> None:
    assert pressed(at_table("countdown"), "s") == (Ask(say.CancelCountdown()),)


@pytest.mark.parametrize(
    ("keys", "effects"),
    [
        ("1 0", (Act(MoveCards(0, 9)),)),
        ("3 3", (Act(MoveCards(2, None)),)),
        ("right right space right enter", (Act(MoveCards(2, 3)),)),
        ("left a", (Act(MoveCards(9, None)),)),
        ("4 up up down right space", (Act(MoveCards(3, 4, 1)),)),
        ("5 escape", ()),
        ("u", (Act(SimpleCommand("undo")),)),
        ("R y", (Act(SimpleCommand("restart")),)),
        ("R n", ()),
        ("F enter", (Act(SimpleCommand("forfeit")),)),
        ("F u", ()),
    ],
)
def test_keys_in_a_race(racing: Table, keys: str, effects: Effects) -> None:
    assert pressed(racing, *keys.split()) == effects


def test_undo_puts_back_what_is_held(racing: Table) -> None:
    pressed(racing, "3", "u")
    assert racing.seat.desk.hand.held is None


@pytest.mark.parametrize(("key", "question"), [("R", "restart"), ("F", "forfeit"), ("q", "leave")])
def test_what_cannot_be_taken_back_is_asked_about(racing: Table, key: str, question: str) -> None:
    pressed(racing, key)
    assert racing.seat.desk.question is not None
    assert racing.seat.desk.question.name.lower() == question
    pressed(racing, "x")
    assert racing.seat.desk.question is None


def test_leaving_needs_a_yes(racing: Table) -> None:
    assert pressed(racing, "q", "y") == (Leave(),)
    assert pressed(racing, "q", "q") == ()


def test_a_kicked_player_leaves_without_a_question() -> None:
    assert pressed(at_table("kicked"), "q") == (Leave(),)


def test_pages_open_and_close(table: Table) -> None:
    for key, page in (("?", Page.HELP), ("o", Page.OPTIONS), ("e", Page.SETTINGS), ("k", Page.PEOPLE)):
        pressed(table, key)
        assert table.seat.desk.page is page
        pressed(table, "escape")
        assert table.seat.desk.page is Page.ROOM


def test_help_leads_back_to_where_it_was_asked_for() -> None:
    table = at_table("replay")
    pressed(table, "?", "escape")
    pages = [table.seat.desk.page]
    pressed(table, "escape")
    assert [*pages, table.seat.desk.page] == [Page.REPLAY, Page.ROOM]


def test_a_long_page_is_scrolled_as_far_as_it_goes(table: Table) -> None:
    pressed(table, "?", *["down"] * 200)
    table.seat.rows(80, 24)
    assert table.seat.desk.line < 60
    pressed(table, *["up"] * 200)
    assert table.seat.desk.line == 0


def test_results_stay_until_one_leaves_them_and_can_be_seen_again(over: Table) -> None:
    """Somebody else who is ready opens the lobby; nobody is thrown out of the results by that."""
    desk, model = over.seat.desk, over.conversation.model
    assert desk.where(model) is Where.RESULTS
    pressed(over, "escape")
    assert desk.where(model) is Where.LOBBY
    pressed(over, "v")
    assert desk.where(model) is Where.RESULTS
    assert pressed(over, "n") == (Ask(say.Ready()),)
    assert desk.where(model) is Where.LOBBY


def test_the_chart_shows_one_thing_after_another(over: Table) -> None:
    seen = []
    for _ in range(3):
        pressed(over, "g")
        seen.append(over.seat.desk.measure)
    assert seen == [Measure.CARDS, Measure.SCORE, Measure.PROGRESS]


def test_saving_proposes_a_name(over: Table) -> None:
    assert pressed(over, "s") == (Type(Typing.SAVE, "simonrace-KTQMX-1.json"),)


def test_the_leaderboard_is_asked_for(over: Table) -> None:
    assert pressed(over, "l") == (Ask(say.SubscribeLeaderboard(code="SS1-S4-FRIENDS")),)


def test_watching_again_begins_with_one_s_own_game_and_goes_from_racer_to_racer(over: Table) -> None:
    pressed(over, "w")
    replay = over.seat.desk.replay
    assert replay is not None
    assert replay.player == "ada"
    pressed(over, "up")
    assert over.seat.desk.replay is not None
    assert over.seat.desk.replay.player == "ben"
    pressed(over, "escape")
    assert over.seat.desk.where(over.conversation.model) is Where.RESULTS


def test_a_record_that_has_not_come_is_asked_for_again(over: Table) -> None:
    over.seat.desk.record = None
    assert pressed(over, "w") == (Ask(say.GetRecord(race=1)),)


def test_a_watcher_asks_for_one_board_after_another() -> None:
    table = at_table("board")
    for key, player in (("right", "zoe"), ("left", "ming"), ("left", "ada"), ("left", "ben")):
        assert pressed(table, key) == (Ask(say.GetBoard(player=player)),)
        assert table.seat.desk.shown == player


def test_a_watcher_who_may_see_no_board_chooses_none() -> None:
    """The server's answer says why; the standings stay."""
    table = at_table("watch")
    assert pressed(table, "right") == (Ask(say.GetBoard(player="ada")),)
    assert table.seat.desk.shown == ""
