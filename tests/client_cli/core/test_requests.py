"""Typed commands as messages."""

from dataclasses import replace

import pytest

from client_cli.core.commands import (
    About,
    Change,
    Chat,
    Command,
    InvalidCommandError,
    LookUp,
    NameDeal,
    Save,
    Shift,
    Simple,
)
from client_cli.core.model import Model
from client_cli.core.own_game import OwnGame
from client_cli.core.requests import action, request
from protocol import from_client as say
from protocol.parts import Settings

GAME = OwnGame((("9S", "8S"), ("9H",), *[()] * 8), n=4)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (Shift(0, 1, 2), say.Move(race=1, n=5, source=0, target=1, cards=2)),
        (Shift(0, 1), say.Move(race=1, n=5, source=0, target=1, cards=1)),
        (Shift(0, 2), say.Move(race=1, n=5, source=0, target=2, cards=2)),
        (Shift(0), say.AutoMove(race=1, n=5, source=0)),
        (Simple("undo"), say.Undo(race=1, n=5)),
        (Simple("restart"), say.Restart(race=1, n=5)),
        (Simple("forfeit"), say.Forfeit(race=1, n=5)),
    ],
)
def test_an_action_has_the_number_after_the_last_one(command: Shift | Simple, message: say.AnyAction) -> None:
    assert action(command, 1, GAME) == message


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (Simple("ready"), say.Ready()),
        (Simple("unready"), say.Ready(ready=False)),
        (Simple("start"), say.StartCountdown()),
        (Simple("cancel"), say.CancelCountdown()),
        (Simple("lock"), say.Lock()),
        (Simple("unlock"), say.Lock(locked=False)),
        (Simple("quit"), say.Leave()),
        (About("kick", "陳小明"), say.Kick(player="ming")),
        (About("show", "ada"), say.GetBoard(player="ada")),
        (Chat("hi"), say.Chat(text="hi")),
        (Change("suits", "2"), say.Configure(settings=Settings(suits=2), code="SS1-S1-AAAAABD")),
        (NameDeal("SS1-S1-ZZZZZZZ"), say.Configure(settings=Settings(suits=4), code="SS1-S1-ZZZZZZZ")),
        (NameDeal(None), say.Configure(settings=Settings(suits=4))),
        (LookUp("SS1-S1-ZZZZZZZ"), say.SubscribeLeaderboard(code="SS1-S1-ZZZZZZZ")),
        (Save("race.json"), say.GetRecord(race=2)),
    ],
)
def test_a_command_is_a_request(lobby: Model, command: Command, message: say.FromClient) -> None:
    assert not isinstance(command, Shift)
    assert request(command, replace(lobby, races=2), "SS1-S1-AAAAABD") == message


def test_the_leaderboard_of_the_race_is_meant_where_no_code_is_named(racing: Model) -> None:
    assert request(LookUp(None), racing, None) == say.SubscribeLeaderboard(code="SS1-S4-AAAAABD")


def test_who_has_left_still_has_a_board(lobby: Model) -> None:
    gone = replace(lobby, members=lobby.members[:1])
    assert request(About("show", "陳小明"), gone, None) == say.GetBoard(player="ming")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (About("kick", "Zoe"), "Nobody here is called 'Zoe'; here are: Ada, 陳小明."),
        (LookUp(None), "Type: leaderboard CODE, for example: leaderboard SS1-S1-AAAAABD"),
        (Save("x"), "There has been no race in this room yet; save after the first."),
        (Change("suits", "9"), "suits is 1, 2 or 4, not '9'."),
    ],
)
def test_what_is_about_nothing_is_told_at_once(lobby: Model, command: Command, sentence: str) -> None:
    assert not isinstance(command, Shift)
    with pytest.raises(InvalidCommandError) as refused:
        request(command, lobby, None)
    assert str(refused.value) == sentence
