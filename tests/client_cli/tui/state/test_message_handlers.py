"""What messages change on the desk."""

from fullscreen.evening import solution
from fullscreen.scenes import Table, at_table

from client_cli.core.commands import MoveCards
from client_cli.text.style import Role
from client_cli.tui.state.keys import Where
from client_cli.tui.state.state import Page
from protocol import from_client as say
from protocol import from_server as msg


def test_a_refusal_shows_its_rule_until_something_is_done(racing: Table) -> None:
    racing.press("2", "3")
    assert racing.seat.desk.status == "A card goes on a card one rank higher."
    racing.press("left")
    assert racing.seat.desk.status == ""


def test_a_run_that_leaves_the_table_is_told_and_one_that_comes_back_is_not(racing: Table) -> None:
    def told() -> int:
        return sum("A run has left the table, from K" in text for text, _ in racing.seat.desk.log)

    for source, target, count in solution():
        racing.conversation.submit_action(MoveCards(source, target, count))
        racing.server.nudge()
        if told():
            break
    assert racing.server.view().runs == told() == 1
    racing.press("u")
    assert (racing.server.view().runs, told()) == (0, 1)


def test_the_last_run_is_told_before_the_win_that_it_made(racing: Table) -> None:
    """The room's events come before the answer to the action that brought them about."""
    moves = solution()
    for source, target, count in moves[:-1]:
        racing.conversation.submit_action(MoveCards(source, target, count))
        racing.server.nudge()
    racing.server.prompt = False
    racing.conversation.submit_action(MoveCards(*moves[-1]))
    racing.server.nudge()
    racing.server.tell(msg.RacerWon(seq=20, player="ada", at_ms=83_456, score=837, moves=63))
    racing.server.tell(msg.RacerForfeited(seq=21, player="ben"))
    racing.server.deliver()
    desk = racing.seat.desk
    run, won, after = list(desk.log)[-3:]
    assert (run[0][:28], run[1]) == ("A run has left the table, fr", Role.BAR)
    assert won == ("Ada has won in 1:23.456 with 63 moves: 837 points.", Role.TEXT)
    assert after == ("Ben has forfeited.", Role.QUIET)
    assert desk.where(racing.conversation.model) is Where.WON


def test_an_error_is_told_in_the_reader_s_words(table: Table) -> None:
    table.server.tell(msg.Error(code="nobody_ready", text="A race needs somebody who is ready."))
    assert table.seat.desk.status == "A race needs somebody who is ready."
    table.server.tell(msg.Error(code="of_a_newer_server", text="The moon is full."))
    assert table.seat.desk.status == "The moon is full."


def test_a_notice_is_among_what_has_happened(racing: Table) -> None:
    racing.server.tell(msg.Notice(code="time_warning", text="Soon.", remaining_ms=60_000))
    assert racing.seat.desk.log[-1] == ("The time limit of this race is near. (60 s)", Role.WARNING)


def test_the_start_closes_whatever_is_open(table: Table) -> None:
    """Nobody misses a race behind a page of settings."""
    table.press("?")
    table.server.tell(table.evening.started())
    assert table.seat.desk.page is Page.ROOM
    assert table.seat.desk.where(table.conversation.model) is Where.RACE


def test_the_end_shows_the_results_and_asks_for_the_record(racing: Table) -> None:
    racing.press("3")
    racing.server.tell(racing.evening.over())
    assert racing.seat.desk.hand.held is None
    assert racing.seat.desk.where(racing.conversation.model) is Where.RESULTS
    asked = racing.server.said[-1]
    assert isinstance(asked, say.GetRecord)
    assert asked.race == 1


def test_a_lobby_that_somebody_else_opens_leaves_the_results_in_sight(over: Table) -> None:
    over.server.tell(msg.LobbyOpened(seq=30), msg.ReadyChanged(seq=31, player="ming", ready=True))
    assert over.seat.desk.where(over.conversation.model) is Where.RESULTS
    over.server.tell(over.evening.countdown())
    assert over.seat.desk.where(over.conversation.model) is Where.LOBBY


def test_a_second_race_begins_with_a_clean_desk(over: Table) -> None:
    over.press("w")
    over.server.tell(over.evening.started())
    desk = over.seat.desk
    assert (desk.page, desk.record, desk.replay, desk.reels, desk.results) == (
        Page.ROOM,
        None,
        None,
        {},
        False,
    )


def test_the_bell_can_be_turned_off(table: Table) -> None:
    table.press("o", "enter", "escape")
    assert table.seat.desk.prefer.bell is False
    rung: list[object] = []
    table.seat.screen = _Deaf(rung)
    table.server.tell(table.evening.countdown(), table.evening.started())
    for table.now in range(0, 5000, 100):
        table.seat.tick()
    assert rung == []


class _Deaf:
    def __init__(self, rung: list[object]) -> None:
        self.rung = rung

    def show(self) -> None:
        pass

    def carry_out(self, effect: object) -> None:
        self.rung.append(effect)


def test_a_watcher_sees_the_first_s_board_by_itself_where_the_room_allows_it() -> None:
    for live, asked in ((True, [say.GetBoard]), (False, [])):
        table = Table(me="mei", live_boards=live)
        table.race()
        before = len(table.server.said)
        table.now += 1000
        table.seat.tick()
        assert [type(each) for each in table.server.said[before:]] == asked


def test_a_board_of_a_race_that_is_over_is_shown_in_no_other() -> None:
    """Its answer may come late; or the connection was lost meanwhile, and a snapshot is of another race."""
    table = at_table("board")
    assert list(table.seat.desk.boards) == ["ming"]
    table.server.tell(msg.Board(race=2, player="ada", game=table.server.view()))
    assert list(table.seat.desk.boards) == ["ming"]
    table.server.tell(table.evening.entered()[-1])
    assert (table.seat.desk.boards, table.seat.desk.shown) == ({}, "")


def test_a_board_that_one_watches_is_asked_for_again_every_second() -> None:
    table = at_table("board")
    before = len(table.server.said)
    for _ in range(21):
        table.now += 100
        table.seat.tick()
        if isinstance(table.server.said[-1], say.GetBoard) and not table.conversation.idle:
            board = msg.Board(ref=table.server.said[-1].ref, race=1, player="ming", game=table.server.view())
            table.server.tell(board)
    assert [type(each) for each in table.server.said[before:]] == [say.GetBoard] * 3
