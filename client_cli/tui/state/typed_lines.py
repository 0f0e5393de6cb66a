"""What becomes of a line that was typed at the bottom of the screen."""

from dataclasses import replace
from typing import Final

from client_cli.core.commands import InvalidCommandError, MoveCards, SaveRace, SimpleCommand, parse
from client_cli.core.requests import ACTIONS, request
from client_cli.text.translation import Translation
from client_cli.tui.state.effects import Act, Ask, Effects, Keep, Leave, Typing
from client_cli.tui.state.state import Desk, Page, Scene
from protocol import from_client as say
from protocol import limits

_PAGES: Final = {
    "help": Page.HELP,
    "who": Page.PEOPLE,
    "standings": Page.ROOM,
    "board": Page.ROOM,
    "wait": Page.ROOM,
}


def typed(desk: Desk, scene: Scene, text: str, translate: Translation) -> Effects:
    """Do what a typed line says; what is wrong with it stands in the status."""
    what, desk.typing, desk.status = desk.typing, None, ""
    text = text.strip()
    match what:
        case Typing.SAY:
            return (Ask(say.Chat(text=text[: limits.CHAT_LENGTH])),) if text else ()
        case Typing.COMMAND:
            try:
                return _command(desk, scene, text)
            except InvalidCommandError as fault:
                desk.status = translate.sentence(fault.sentence)
        case Typing.CODE:
            if desk.draft is not None:
                named = text.upper() if text and not text.endswith("-") else None
                desk.draft = replace(desk.draft, code=named)
        case Typing.SAVE:
            return keep(desk, scene, text) if text else ()
        case None:
            pass
    return ()


def keep(desk: Desk, scene: Scene, path: str) -> Effects:
    """Write the record into a file, or ask for it first."""
    if desk.record is not None:
        return (Keep(path),)
    desk.saving = path
    return (Ask(say.GetRecord(race=scene.model.races)),)


def _command(desk: Desk, scene: Scene, text: str) -> Effects:
    command = parse(text)
    match command:
        case None:
            return ()
        case MoveCards():
            return (Act(command),)
        case SimpleCommand(word) if word in ACTIONS:
            return (Act(command),)
        case SimpleCommand("quit"):
            return (Leave(),)
        case SimpleCommand(word) if word in _PAGES:
            desk.open(_PAGES[word])
            return ()
        case SaveRace(path):
            request(command, scene.model, scene.named)  # it says whether there is anything to keep
            return keep(desk, scene, path)
        case _:
            asked = request(command, scene.model, scene.named)
            if isinstance(asked, say.SubscribeLeaderboard):
                desk.ladder = None
                desk.open(Page.LEADERBOARD)
            return (Ask(asked),)
