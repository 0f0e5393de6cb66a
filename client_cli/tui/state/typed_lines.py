"""Lines typed at the bottom of the screen: chat, commands, a game code, a file name."""

from dataclasses import replace
from typing import Final

from client_cli.core.commands import InvalidCommandError, MoveCards, SaveRace, SimpleCommand, parse
from client_cli.core.requests import ACTIONS, request
from client_cli.text.translation import Translation
from client_cli.tui.state import menus
from client_cli.tui.state.effects import LeaveRoom, Prompt, SaveRecord, SendAction, SendRequest
from client_cli.tui.state.state import Context, Page, ScreenState, Update
from engine import GameCode, InvalidGameCode
from protocol import from_client, limits
from protocol.errors import ErrorCode

_PAGES: Final = {
    "help": Page.HELP,
    "who": Page.MEMBERS,
    "standings": Page.ROOM,
    "board": Page.ROOM,
    "wait": Page.ROOM,
}
"""Commands of the line client that show something, and the page that shows it here."""


def submit(state: ScreenState, context: Context, text: str, translate: Translation) -> Update:
    """Do what a typed line asks for; the status says what is wrong with it."""
    prompt = state.prompt
    state = replace(state, prompt=None, status="")
    text = text.strip()
    match prompt:
        case Prompt.CHAT if text:
            return state, (SendRequest(from_client.Chat(text=text[: limits.CHAT_LENGTH])),)
        case Prompt.COMMAND:
            try:
                return _run_command(state, context, text)
            except InvalidCommandError as error:
                return replace(state, status=translate.sentence(error.sentence)), ()
        case Prompt.GAME_CODE if state.draft is not None:
            try:
                code = str(GameCode.parse(text)) if text and not text.endswith("-") else None
            except InvalidGameCode:
                return replace(state, status=translate(ErrorCode.BAD_CODE.sentence)), ()
            return menus.apply_settings(state, replace(state.draft, code=code))
        case Prompt.SAVE_PATH if text:
            return save(state, context, text)
        case _:
            return state, ()


def save(state: ScreenState, context: Context, path: str) -> Update:
    """Save the record of the last race to a file, or request the record first."""
    if state.recording is not None:
        return state, (SaveRecord(path),)
    get_record = from_client.GetRecord(race=context.model.races)
    return replace(state, save_path=path), (SendRequest(get_record),)


def _run_command(state: ScreenState, context: Context, text: str) -> Update:
    command = parse(text)
    match command:
        case None:
            return state, ()
        case MoveCards():
            return state, (SendAction(command),)
        case SimpleCommand(word) if word in ACTIONS:
            return state, (SendAction(command),)
        case SimpleCommand("quit"):
            return state, (LeaveRoom(),)
        case SimpleCommand(word) if word in _PAGES:
            return state.with_page(_PAGES[word]), ()
        case SaveRace(path):
            request(command, context.model, context.named_code)  # raises if there was no race
            return save(state, context, path)
        case _:
            asked = request(command, context.model, context.named_code)
            if isinstance(asked, from_client.SubscribeLeaderboard):
                state = replace(state, leaderboard=None).with_page(Page.LEADERBOARD)
            return state, (SendRequest(asked),)
