"""Controller with a server that delays, refuses and disconnects: the drawn board is always the server's."""

import random
from pathlib import Path

import pytest
from fullscreen.harness import Harness, at_screen

from client_cli.core.commands import MoveCards, SimpleCommand
from client_cli.core.own_game import table
from client_cli.tui.mouse import MouseEvent
from client_cli.tui.state.selection import HeldGroup
from client_cli.tui.state.state import Page
from protocol import from_server


@pytest.mark.parametrize("seed", range(12))
def test_the_drawn_board_is_the_server_s_after_every_answer(seed: int) -> None:
    """Random keys, late answers, and connections that break in between.

    The drawn board is the server's after each answer to the newest action; at the end score and moves are
    as well.
    """
    chance = random.Random(seed)
    harness = Harness()
    harness.start_race()
    server, conversation = harness.server, harness.conversation
    server.delivers_at_once = False
    for _ in range(400):
        step = chance.random()
        if step < 0.55:
            harness.press(*_keys(harness, chance))
        elif step < 0.93:
            server.receive()
            if server.answers:
                server.deliver()
                _assert_same_board_if_idle(harness)
        else:
            _disconnect_and_resume(harness, chance)
    while server.answers or not conversation.idle:
        server.receive()
        while server.answers:
            server.deliver()
    assert conversation.model.game is not None
    assert conversation.model.game.columns == table(server.view().columns)
    assert (conversation.model.game.n, conversation.model.game.score, conversation.model.game.moves) == (
        server.n,
        server.view().score,
        server.view().moves,
    )
    assert server.n > 20


def _keys(harness: Harness, chance: random.Random) -> list[str]:
    """Return the keys of a move that is legal on the server's board, or any other key."""
    if chance.random() < 0.5 and (legal := harness.server.board.legal_moves()):
        move = chance.choice(legal)
        return ["escape", str((move.source + 1) % 10), str((move.target + 1) % 10)]
    return [chance.choice([*"1234567890au", "space", "left", "up", "down", "escape"])]


def _assert_same_board_if_idle(harness: Harness) -> None:
    game = harness.conversation.model.game
    assert game is not None
    if game.n == harness.server.n:
        assert game.columns == table(harness.server.view().columns)


def _disconnect_and_resume(harness: Harness, chance: random.Random) -> None:
    """Break the connection; some sent messages have arrived, their answers are lost."""
    server, conversation = harness.server, harness.conversation
    if chance.random() < 0.5:
        server.receive()
    server.answers.clear()
    while conversation.next_message() is not None:
        pass
    harness.controller.connection_lost("The connection was lost.")
    conversation.connection_closed(None)
    conversation.connection_opened()
    conversation.next_message()
    server.send(harness.race.welcome())
    conversation.next_message()
    server.send(
        from_server.Resumed(ref=99, seq=conversation.model.seq, clock_ms=1_000_000, game=server.view())
    )
    harness.controller.connection_restored()
    _assert_same_board_if_idle(harness)


def test_a_lost_connection_is_shown_until_it_is_back(racing: Harness) -> None:
    racing.controller.connection_lost("The connection was lost.")
    assert racing.state.connection_lost == "Connection lost, trying again."
    assert racing.state.log[-1][0] == "The connection was lost."
    racing.controller.connection_restored()
    assert racing.state.connection_lost == ""
    assert racing.state.log[-1][0] == "The connection is back."


def test_the_reason_for_the_end_of_the_conversation_stays_on_the_screen() -> None:
    harness = at_screen("kicked")
    assert harness.state.page is Page.ENDED
    harness.press("t", "r", "1")
    assert harness.state.page is Page.ENDED


def test_a_race_is_saved_to_a_file(finished: Harness, tmp_path: Path) -> None:
    """The log says so, which wraps long lines: the whole command to verify it can be read."""
    path = tmp_path / "race.json"
    finished.press("s")
    finished.controller.submit(str(path))
    assert b'"simonrace-record-2"' in path.read_bytes()
    saved = f"Race 1 is saved in {path}. Verify it with: simonrace verify {path}"
    assert (finished.state.log[-1][0], finished.state.status) == (saved, "")


def test_a_file_that_cannot_be_written_is_reported(finished: Harness, tmp_path: Path) -> None:
    finished.press("s")
    finished.controller.submit(str(tmp_path / "no" / "race.json"))
    assert "No such file or directory" in finished.state.status


def test_a_move_without_a_race_is_reported(harness: Harness) -> None:
    harness.press(":")
    harness.controller.submit("3 7")
    assert harness.state.status == "You are not in a running race. Get ready for the next one."


def test_the_mouse_picks_nothing_up_outside_a_race(harness: Harness) -> None:
    harness.controller.point(MouseEvent.DOWN, 10, 10, 80, 24)
    assert harness.state.selection.held is None


def test_the_wheel_scrolls_pages_and_resizes_a_held_group_but_picks_nothing_up(racing: Harness) -> None:
    racing.controller.scroll("up")
    held = [racing.state.selection.held]
    racing.press("3")
    racing.controller.scroll("down")
    assert [*held, racing.state.selection.held] == [None, HeldGroup(2, 1)]
    racing.press("escape", "?")
    racing.controller.scroll("down")
    assert racing.state.line == 1


def test_the_cards_of_a_queued_move_are_counted_when_it_is_sent(racing: Harness) -> None:
    """Of two moves typed at once, the second applies to the board after the first."""
    racing.server.delivers_at_once = False
    racing.conversation.submit_action(MoveCards(0, 4))
    racing.conversation.submit_action(SimpleCommand("undo"))
    racing.server.delivers_at_once = True
    racing.server.flush()
    assert racing.conversation.idle
    assert racing.conversation.model.game is not None
    assert racing.conversation.model.game.columns == table(racing.server.view().columns)
