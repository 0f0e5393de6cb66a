"""Requests and actions made from commands."""

from dataclasses import replace

import pytest

from client_cli.core.commands import (
    ChangeSetting,
    Chat,
    Command,
    InvalidCommandError,
    MemberCommand,
    MoveCards,
    NameDeal,
    SaveRace,
    ShowLeaderboard,
    SimpleCommand,
)
from client_cli.core.model import Model
from client_cli.core.own_game import OwnGame
from client_cli.core.requests import action, request
from protocol import from_client
from protocol.parts import Settings

GAME = OwnGame((("9S", "8S"), ("9H",), *[()] * 8), n=4)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (MoveCards(0, 1, 2), from_client.Move(race=1, n=5, source=0, target=1, cards=2)),
        (MoveCards(0, 1), from_client.Move(race=1, n=5, source=0, target=1, cards=1)),
        (MoveCards(0, 2), from_client.Move(race=1, n=5, source=0, target=2, cards=2)),
        (MoveCards(0), from_client.AutoMove(race=1, n=5, source=0)),
        (SimpleCommand("undo"), from_client.Undo(race=1, n=5)),
        (SimpleCommand("restart"), from_client.Restart(race=1, n=5)),
        (SimpleCommand("forfeit"), from_client.Forfeit(race=1, n=5)),
    ],
)
def test_an_action_has_the_next_number(
    command: MoveCards | SimpleCommand, message: from_client.AnyAction
) -> None:
    assert action(command, 1, GAME) == message


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (SimpleCommand("ready"), from_client.Ready()),
        (SimpleCommand("unready"), from_client.Ready(ready=False)),
        (SimpleCommand("start"), from_client.StartCountdown()),
        (SimpleCommand("cancel"), from_client.CancelCountdown()),
        (SimpleCommand("lock"), from_client.Lock()),
        (SimpleCommand("unlock"), from_client.Lock(locked=False)),
        (SimpleCommand("quit"), from_client.Leave()),
        (MemberCommand("kick", "陳小明"), from_client.Kick(player="ming")),
        (MemberCommand("show", "ada"), from_client.GetBoard(player="ada")),
        (Chat("hi"), from_client.Chat(text="hi")),
        (
            ChangeSetting("suits", "2"),
            from_client.Configure(settings=Settings(suits=2), code="SS1-S1-AAAAABD"),
        ),
        (
            NameDeal("SS1-S1-ZZZZZZZ"),
            from_client.Configure(settings=Settings(suits=4), code="SS1-S1-ZZZZZZZ"),
        ),
        (NameDeal(None), from_client.Configure(settings=Settings(suits=4))),
        (ShowLeaderboard("SS1-S1-ZZZZZZZ"), from_client.SubscribeLeaderboard(code="SS1-S1-ZZZZZZZ")),
        (SaveRace("race.json"), from_client.GetRecord(race=2)),
    ],
)
def test_a_command_becomes_a_request(lobby: Model, command: Command, message: from_client.FromClient) -> None:
    assert not isinstance(command, MoveCards)
    assert request(command, replace(lobby, races=2), "SS1-S1-AAAAABD") == message


def test_leaderboard_without_a_code_means_the_last_race(racing: Model) -> None:
    assert request(ShowLeaderboard(None), racing, None) == from_client.SubscribeLeaderboard(
        code="SS1-S4-AAAAABD"
    )


def test_a_member_who_left_still_has_a_board(lobby: Model) -> None:
    gone = replace(lobby, members=lobby.members[:1])
    assert request(MemberCommand("show", "陳小明"), gone, None) == from_client.GetBoard(player="ming")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (MemberCommand("kick", "Zoe"), "No member is called 'Zoe'. The members are: Ada, 陳小明."),
        (ShowLeaderboard(None), "Type: leaderboard CODE, for example: leaderboard SS1-S1-AAAAABD"),
        (SaveRace("x"), "This room has had no race yet. Save after the first one."),
        (ChangeSetting("suits", "9"), "'9' is not a value of suits. Give 1, 2 or 4."),
    ],
)
def test_a_command_that_refers_to_nothing_is_refused(lobby: Model, command: Command, sentence: str) -> None:
    assert not isinstance(command, MoveCards)
    with pytest.raises(InvalidCommandError) as refused:
        request(command, lobby, None)
    assert str(refused.value) == sentence
