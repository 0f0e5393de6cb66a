"""Requests and actions made from typed commands."""

from typing import Final

from client_cli.core.commands import (
    ChangeSetting,
    Chat,
    InvalidCommandError,
    MemberCommand,
    MoveCards,
    NameDeal,
    SaveRace,
    ShowLeaderboard,
    SimpleCommand,
    changed_settings,
)
from client_cli.core.model import Model
from client_cli.core.own_game import OwnGame, board_of
from protocol import from_client

ACTIONS: Final = frozenset({"undo", "restart", "forfeit"})
"""Simple commands that are actions in a race: they are numbered, and sent one at a time."""


def action(command: MoveCards | SimpleCommand, race: int, game: OwnGame) -> from_client.AnyAction:
    """Return the racer's next action, on the board that the client shows."""
    n = game.n + 1
    match command:
        case MoveCards(source, None, cards):
            return from_client.AutoMove(race=race, n=n, source=source, cards=cards)
        case MoveCards(source, int() as target, cards):
            if cards is None:
                cards = board_of(game.columns).fitting_cards(source, target)
            return from_client.Move(race=race, n=n, source=source, target=target, cards=cards)
        case SimpleCommand("undo"):
            return from_client.Undo(race=race, n=n)
        case SimpleCommand("restart"):
            return from_client.Restart(race=race, n=n)
        case SimpleCommand("forfeit"):
            return from_client.Forfeit(race=race, n=n)
        case _:
            raise ValueError(f"{command} is not an action of a racer")


def request(
    command: SimpleCommand | MemberCommand | Chat | ChangeSetting | NameDeal | ShowLeaderboard | SaveRace,
    model: Model,
    named_code: str | None,
) -> from_client.FromClient:
    """Return the request of a command. Raises InvalidCommandError if it can refer to nothing.

    `named_code` is the deal that this client has named for the next race. A `configure` request replaces
    everything that was configured, so a change of a setting repeats it.
    """
    match command:
        case SimpleCommand(word):
            return _simple(word)
        case MemberCommand("kick", name):
            return from_client.Kick(player=_player(model, name))
        case MemberCommand(_, name):
            return from_client.GetBoard(player=_player(model, name))
        case Chat(text):
            return from_client.Chat(text=text)
        case ChangeSetting():
            return from_client.Configure(settings=changed_settings(model.settings, command), code=named_code)
        case NameDeal(code):
            return from_client.Configure(settings=model.settings, code=code)
        case ShowLeaderboard(code):
            if code is None and model.race is None:
                raise InvalidCommandError("Type: leaderboard CODE, for example: leaderboard SS1-S1-AAAAABD")
            return from_client.SubscribeLeaderboard(code=code or (model.race.code if model.race else ""))
        case SaveRace():
            if not model.races:
                raise InvalidCommandError("This room has had no race yet. Save after the first one.")
            return from_client.GetRecord(race=model.races)


def _simple(word: str) -> from_client.FromClient:
    match word:
        case "ready" | "unready":
            return from_client.Ready(ready=word == "ready")
        case "start":
            return from_client.StartCountdown()
        case "cancel":
            return from_client.CancelCountdown()
        case "lock" | "unlock":
            return from_client.Lock(locked=word == "lock")
        case "quit":
            return from_client.Leave()
        case _:
            raise ValueError(f"{word} is not a request")


def _player(model: Model, name: str) -> str:
    member = model.find(name)
    if member is not None:
        return member.player
    gone = next(
        (player for player, known in model.names.items() if known.casefold() == name.casefold()), None
    )
    if gone is not None:
        return gone
    here = ", ".join(each.name for each in model.members)
    raise InvalidCommandError(
        "No member is called {name!r}. The members are: {here}.", name=name[:40], here=here
    )
