"""What becomes of a typed line."""

import pytest
from fullscreen.scenes import Table

from client_cli.core.commands import MoveCards, SimpleCommand
from client_cli.text.translation import ENGLISH
from client_cli.tui.state.effects import Act, Ask, Effects, Keep, Leave, Typing
from client_cli.tui.state.state import Page
from client_cli.tui.state.typed_lines import typed
from protocol import from_client as say
from protocol.limits import CHAT_LENGTH
from protocol.parts import Settings


def given(table: Table, what: Typing, text: str) -> Effects:
    table.seat.desk.typing = what
    return typed(table.seat.desk, table.seat.scene, text, ENGLISH)


@pytest.mark.parametrize(
    ("text", "effects"),
    [
        ("3 7 2", (Act(MoveCards(2, 6, 2)),)),
        ("undo", (Act(SimpleCommand("undo")),)),
        ("quit", (Leave(),)),
        ("kick ben", (Ask(say.Kick(player="ben")),)),
        ("set suits 2", (Ask(say.Configure(settings=Settings(suits=2))),)),
        ("", ()),
    ],
)
def test_every_command_of_the_line_client_works_here_too(table: Table, text: str, effects: Effects) -> None:
    assert given(table, Typing.COMMAND, text) == effects
    assert table.seat.desk.typing is None


def test_what_is_no_command_is_told(table: Table) -> None:
    assert given(table, Typing.COMMAND, "jump") == ()
    assert table.seat.desk.status == "There is no command 'jump'. Type help to see all commands."


@pytest.mark.parametrize(("text", "page"), [("help", Page.HELP), ("who", Page.PEOPLE)])
def test_a_command_that_shows_something_opens_its_page(table: Table, text: str, page: Page) -> None:
    assert given(table, Typing.COMMAND, text) == ()
    assert table.seat.desk.page is page


def test_a_leaderboard_can_be_asked_for_by_code(table: Table) -> None:
    assert given(table, Typing.COMMAND, "leaderboard SS1-S1-AAAAABD") == (
        Ask(say.SubscribeLeaderboard(code="SS1-S1-AAAAABD")),
    )
    assert table.seat.desk.page is Page.LEADERBOARD


def test_what_is_said_is_never_too_long(table: Table) -> None:
    assert given(table, Typing.SAY, "x" * 400) == (Ask(say.Chat(text="x" * CHAT_LENGTH)),)
    assert given(table, Typing.SAY, "  ") == ()


def test_a_deal_is_named_in_the_draft(table: Table) -> None:
    table.press("e")
    given(table, Typing.CODE, " ss1-s4-friends ")
    assert table.seat.desk.draft is not None
    assert table.seat.desk.draft.code == "SS1-S4-FRIENDS"
    given(table, Typing.CODE, "SS1-S1-")
    assert table.seat.desk.draft.code is None


def test_a_race_is_kept_as_soon_as_its_record_is_there(over: Table) -> None:
    assert given(over, Typing.SAVE, "a.json") == (Keep("a.json"),)
    assert given(over, Typing.COMMAND, "save b.json") == (Keep("b.json"),)
    over.seat.desk.record = None
    assert given(over, Typing.SAVE, "c.json") == (Ask(say.GetRecord(race=1)),)
    assert over.seat.desk.saving == "c.json"


def test_there_is_nothing_to_keep_before_the_first_race(table: Table) -> None:
    assert given(table, Typing.COMMAND, "save a.json") == ()
    assert table.seat.desk.status.startswith("This room has had no race yet")
