"""A seat before a server that delays, refuses and drops: what is drawn is always the server's board."""

import random
from pathlib import Path

import pytest
from fullscreen.scenes import Table, at_table

from client_cli.core.commands import MoveCards, SimpleCommand
from client_cli.core.own_game import table as frozen
from client_cli.tui.state.selection import Held
from client_cli.tui.state.state import Page
from protocol import from_server as msg


@pytest.mark.parametrize("seed", range(12))
def test_the_drawn_board_is_the_server_s_after_every_answer(seed: int) -> None:
    """Keys are pressed at random while answers are late; connections break in the middle of it.

    After each answer that is the newest the drawn board is the server's; when all is quiet, so is all else.
    """
    chance = random.Random(seed)
    table = Table()
    table.race()
    server, conversation = table.server, table.conversation
    server.prompt = False
    for _ in range(400):
        what = chance.random()
        if what < 0.55:
            table.press(*_keys(table, chance))
        elif what < 0.93:
            server.hear()
            if server.answers:
                server.deliver()
                _same_if_quiet(table)
        else:
            _drop_and_resume(table, chance)
    while server.answers or not conversation.idle:
        server.hear()
        while server.answers:
            server.deliver()
    assert conversation.model.game is not None
    assert conversation.model.game.columns == frozen(server.view().columns)
    assert (conversation.model.game.n, conversation.model.game.score, conversation.model.game.moves) == (
        server.n,
        server.view().score,
        server.view().moves,
    )
    assert server.n > 20


def _keys(table: Table, chance: random.Random) -> list[str]:
    """Return keys that somebody might press: a move that is legal on the server's board, or anything."""
    if chance.random() < 0.5 and (legal := table.server.board.legal_moves()):
        move = chance.choice(legal)
        return ["escape", str((move.source + 1) % 10), str((move.target + 1) % 10)]
    return [chance.choice([*"1234567890au", "space", "left", "up", "down", "escape"])]


def _same_if_quiet(table: Table) -> None:
    game = table.conversation.model.game
    assert game is not None
    if game.n == table.server.n:
        assert game.columns == frozen(table.server.view().columns)


def _drop_and_resume(table: Table, chance: random.Random) -> None:
    """The connection breaks; some of what was on its way arrived, its answers are lost."""
    server, conversation = table.server, table.conversation
    if chance.random() < 0.5:
        server.hear()
    server.answers.clear()
    while conversation.next_message() is not None:
        pass
    table.seat.connection_lost("The connection was lost.")
    conversation.connection_closed(None)
    conversation.connection_opened()
    conversation.next_message()
    server.tell(table.evening.welcome())
    conversation.next_message()
    server.tell(msg.Resumed(ref=99, seq=conversation.model.seq, clock_ms=1_000_000, game=server.view()))
    table.seat.connection_restored()
    _same_if_quiet(table)


def test_a_lost_connection_is_told_until_it_is_back(racing: Table) -> None:
    racing.seat.connection_lost("The connection was lost.")
    assert racing.seat.desk.lost == "Connection lost, trying again."
    assert racing.seat.desk.log[-1][0] == "The connection was lost."
    racing.seat.connection_restored()
    assert racing.seat.desk.lost == ""
    assert racing.seat.desk.log[-1][0] == "The connection is back."


def test_the_end_of_the_conversation_stays_on_the_screen_with_its_reason() -> None:
    table = at_table("kicked")
    assert table.seat.desk.page is Page.ENDED
    table.press("t", "r", "1")
    assert table.seat.desk.page is Page.ENDED


def test_a_race_is_written_into_a_file(over: Table, tmp_path: Path) -> None:
    path = tmp_path / "race.json"
    over.press("s")
    over.seat.typed(str(path))
    assert b'"simonrace-record-2"' in path.read_bytes()
    assert over.seat.desk.status == f"Race 1 is saved in {path}. Verify it with: simonrace verify {path}"


def test_a_file_that_cannot_be_written_is_told(over: Table, tmp_path: Path) -> None:
    over.press("s")
    over.seat.typed(str(tmp_path / "no" / "race.json"))
    assert "No such file or directory" in over.seat.desk.status


def test_a_move_without_a_race_is_told(table: Table) -> None:
    table.press(":")
    table.seat.typed("3 7")
    assert table.seat.desk.status == "You are not in a running race. Get ready for the next one."


def test_the_mouse_means_nothing_outside_a_race(table: Table) -> None:
    table.seat.point("down", 10, 10, 80, 24)
    assert table.seat.desk.hand.held is None


def test_the_wheel_scrolls_pages_and_sizes_a_held_group_but_picks_nothing_up(racing: Table) -> None:
    racing.seat.scroll("up")
    held = [racing.seat.desk.hand.held]
    racing.press("3")
    racing.seat.scroll("down")
    assert [*held, racing.seat.desk.hand.held] == [None, Held(2, 1)]
    racing.press("escape", "?")
    racing.seat.scroll("down")
    assert racing.seat.desk.line == 1


def test_a_queued_move_counts_its_cards_when_it_is_its_turn(racing: Table) -> None:
    """Two moves typed at once: the second is about the board after the first."""
    racing.server.prompt = False
    racing.conversation.submit_action(MoveCards(0, 4))
    racing.conversation.submit_action(SimpleCommand("undo"))
    racing.server.prompt = True
    racing.server.nudge()
    assert racing.conversation.idle
    assert racing.conversation.model.game is not None
    assert racing.conversation.model.game.columns == frozen(racing.server.view().columns)
