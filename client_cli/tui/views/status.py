"""Log and status line: what has happened, a question, or the prompt of the input line."""

from client_cli.core.translatable import gettext_noop as _
from client_cli.text.server_texts import joined
from client_cli.text.style import Line, Role, Style, line
from client_cli.text.width import safe, wrap
from client_cli.tui.state.effects import Prompt
from client_cli.tui.state.key_actions import QUESTIONS
from client_cli.tui.state.keys import KeyAction
from client_cli.tui.state.state import Context, ScreenState

PROMPTS = {
    Prompt.CHAT: _("chat"),
    Prompt.COMMAND: _("command"),
    Prompt.GAME_CODE: _("game code"),
    Prompt.SAVE_PATH: _("save the race in"),
}


def log_lines(state: ScreenState, style: Style, height: int) -> list[Line]:
    """Return the newest lines of the log, at the bottom of `height` lines."""
    wrapped = [
        (part, role)
        for text, role in state.log[-height:]
        if height
        for part in wrap(safe(text), max(10, style.width - 2))
    ]
    shown = [line(f" {part}", role) for part, role in wrapped[-height:]]
    return [*([()] * (height - len(shown))), *shown]


def status_line(state: ScreenState, context: Context, style: Style) -> Line:
    """Return what matters most now: no connection, a question, a prompt, or the status."""
    translate = style.translate
    if state.connection_lost:
        return line(f" {state.connection_lost}", Role.WARNING)
    if state.question is not None:
        name = safe(context.model.name(state.kick_target)) if state.question is KeyAction.CHOOSE else ""
        question = translate(QUESTIONS[state.question], name=name)
        return line(" " + joined(translate, question, translate("y: yes, any other key: no")), Role.WARNING)
    if state.prompt is not None:
        return line(prompt_text(state.prompt, style), Role.TITLE)
    return line(f" {state.status}" if state.status else "", Role.WARNING)


def prompt_text(prompt: Prompt, style: Style) -> str:
    """Return the text in front of the input line."""
    return f" {style.translate(PROMPTS[prompt])}" + style.translate(": ")
