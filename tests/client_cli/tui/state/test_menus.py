"""Menus: options, settings, people."""

from fullscreen.scenes import Table

from client_cli.tui.state.effects import Ask, Type, Typing
from client_cli.tui.state.keys import Do
from client_cli.tui.state.menus import length, press
from client_cli.tui.state.state import Page
from protocol import from_client as say
from protocol.parts import Ranking, Settings


def test_settings_are_changed_line_by_line_and_asked_for_at_once(table: Table) -> None:
    table.press("e", "left", "down", "down", "right")
    assert table.seat.desk.draft is not None
    assert press(table.seat.desk, table.seat.scene, Do.CHOOSE) == (
        Ask(say.Configure(settings=Settings(suits=2, ranking=Ranking.SCORE))),
    )
    assert table.seat.desk.page is Page.ROOM


def test_a_named_deal_stays_named_when_settings_change(table: Table) -> None:
    table.conversation.named_code = "SS1-S1-AAAAABD"
    table.press("e", "enter")
    assert table.server.said[-1] == say.Configure(ref=2, settings=Settings(suits=4), code="SS1-S1-AAAAABD")


def test_the_last_line_of_the_settings_names_a_deal(table: Table) -> None:
    table.press("e", "up")
    assert press(table.seat.desk, table.seat.scene, Do.CHOOSE) == (Type(Typing.CODE, "SS1-S1-"),)


def test_the_host_removes_somebody_after_a_question_and_never_herself(table: Table) -> None:
    table.press("k", "enter")
    assert table.seat.desk.question is None
    table.press("down", "down", "enter", "y")
    assert table.server.said[-1] == say.Kick(ref=2, player="zoe")


def test_only_the_host_is_asked() -> None:
    table = Table(me="ming")
    table.press("k", "down", "down", "enter")
    assert table.seat.desk.question is None


def test_lines_go_around(table: Table) -> None:
    table.press("o", "up")
    assert table.seat.desk.line == length(table.seat.desk, table.seat.scene) - 1
    table.press("down")
    assert table.seat.desk.line == 0
