"""Typed commands into messages for the server."""

from typing import Final

from client_cli.core.commands import (
    About,
    Change,
    Chat,
    InvalidCommandError,
    LookUp,
    NameDeal,
    Save,
    Shift,
    Simple,
    changed,
)
from client_cli.core.model import Model
from client_cli.core.own_game import OwnGame, board_of
from protocol import from_client as say

ACTIONS: Final = frozenset({"undo", "restart", "forfeit"})
"""Simple commands that are actions in a race: they are numbered and wait for one another."""


def action(command: Shift | Simple, race: int, game: OwnGame) -> say.AnyAction:
    """Return the racer's next action in a race, on the board as it is drawn."""
    n = game.n + 1
    match command:
        case Shift(source, None, cards):
            return say.AutoMove(race=race, n=n, source=source, cards=cards)
        case Shift(source, int() as target, cards):
            if cards is None:
                cards = board_of(game.columns).fitting_cards(source, target)
            return say.Move(race=race, n=n, source=source, target=target, cards=cards)
        case Simple("undo"):
            return say.Undo(race=race, n=n)
        case Simple("restart"):
            return say.Restart(race=race, n=n)
        case Simple("forfeit"):
            return say.Forfeit(race=race, n=n)
        case _:
            raise ValueError(f"{command} is no action of a racer")


def request(
    command: Simple | About | Chat | Change | NameDeal | LookUp | Save, model: Model, named: str | None
) -> say.FromClient:
    """Return the request of a command; InvalidCommandError if there is nothing that it could be about.

    `named` is the deal that this client has named for the next race: to change a setting replaces all
    that was configured, so it is said again.
    """
    match command:
        case Simple(word):
            return _simple(word)
        case About("kick", name):
            return say.Kick(player=_player(model, name))
        case About(_, name):
            return say.GetBoard(player=_player(model, name))
        case Chat(text):
            return say.Chat(text=text)
        case Change():
            return say.Configure(settings=changed(model.settings, command), code=named)
        case NameDeal(code):
            return say.Configure(settings=model.settings, code=code)
        case LookUp(code):
            if code is None and model.race is None:
                raise InvalidCommandError("Type: leaderboard CODE, for example: leaderboard SS1-S1-AAAAABD")
            return say.SubscribeLeaderboard(code=code or (model.race.code if model.race else ""))
        case Save():
            if not model.races:
                raise InvalidCommandError("There has been no race in this room yet; save after the first.")
            return say.GetRecord(race=model.races)


def _simple(word: str) -> say.FromClient:
    match word:
        case "ready" | "unready":
            return say.Ready(ready=word == "ready")
        case "start":
            return say.StartCountdown()
        case "cancel":
            return say.CancelCountdown()
        case "lock" | "unlock":
            return say.Lock(locked=word == "lock")
        case "quit":
            return say.Leave()
        case _:
            raise ValueError(f"{word} asks nothing of the server")


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
    raise InvalidCommandError("Nobody here is called {name!r}; here are: {here}.", name=name[:40], here=here)
