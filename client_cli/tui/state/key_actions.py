"""Key actions: what a key changes in the state, and what it asks for outside."""

from dataclasses import replace
from typing import Final

from client_cli.core.commands import SimpleCommand
from client_cli.core.translatable import gettext_noop as _
from client_cli.tui.state import menus, playback, room_keys
from client_cli.tui.state import selection as selections
from client_cli.tui.state.effects import LeaveRoom, SendAction, SendRequest
from client_cli.tui.state.keys import KeyAction, Mode, find_action
from client_cli.tui.state.state import Context, Page, ScreenState, Update
from protocol import from_client

QUESTIONS: Final = {
    KeyAction.RESTART: _("Restart this deal? The clock keeps running."),
    KeyAction.FORFEIT: _("Forfeit this race?"),
    KeyAction.LEAVE: _("Leave the room?"),
    KeyAction.CHOOSE: _("Remove {name} from the room permanently?"),
}
"""Questions before an action that cannot be undone; CHOOSE is that of the list of members."""

_CONFIRMED: Final = (KeyAction.RESTART, KeyAction.FORFEIT, KeyAction.LEAVE)
_YES_KEYS: Final = frozenset({"y", "Y", "enter", "ctrl+c", "是"})


def press(state: ScreenState, context: Context, key: str) -> Update:
    """Do what a key means in the current mode."""
    if state.question is not None:
        return _answer_question(state, context, key)
    mode = state.mode(context.model)
    action = find_action(mode, key)
    if action is None:
        return state, ()
    state = replace(state, status="")
    if action is KeyAction.COLUMN and context.model.game is not None:
        column = (int(key) - 1) % 10
        return with_selection(
            state, selections.press_column(state.selection, column, context.model.game.columns)
        )
    if action in _CONFIRMED and not (action is KeyAction.LEAVE and mode is Mode.ENDED):
        return replace(state, question=action), ()
    match mode:
        case Mode.RACE:
            after = _press_in_race(state, context, action)
            return room_keys.press(state, context, action) if after is None else after
        case Mode.REPLAY:
            return _press_in_replay(state, context, action)
        case Mode.MENU | Mode.MEMBERS:
            return menus.press(state, context, action)
        case _:
            return room_keys.press(state, context, action)


def with_selection(state: ScreenState, outcome: selections.Outcome) -> Update:
    """Return the state with a changed selection, and the action to send, if any."""
    selection, shift = outcome
    return replace(state, selection=selection), () if shift is None else (SendAction(shift),)


def _answer_question(state: ScreenState, context: Context, key: str) -> Update:
    action, state = state.question, replace(state, question=None)
    if key not in _YES_KEYS:
        return state, ()
    match action:
        case KeyAction.RESTART | KeyAction.FORFEIT:
            word = "restart" if action is KeyAction.RESTART else "forfeit"
            state = replace(state, selection=selections.put_back(state.selection))
            return state, (SendAction(SimpleCommand(word)),)
        case KeyAction.LEAVE:
            return state, (LeaveRoom(),)
        case _:
            if context.model.me == state.kick_target:
                return state, ()
            return state, (SendRequest(from_client.Kick(player=state.kick_target)),)


def _press_in_race(state: ScreenState, context: Context, action: KeyAction) -> Update | None:
    """Do what a key means for the cards; None if it is a key of the room."""
    game, selection = context.model.game, state.selection
    if game is None:
        return None
    match action:
        case KeyAction.LEFT | KeyAction.RIGHT:
            moved = selections.move_cursor(selection, 1 if action is KeyAction.RIGHT else -1)
            return replace(state, selection=moved), ()
        case KeyAction.HOLD_MORE | KeyAction.HOLD_FEWER:
            step = 1 if action is KeyAction.HOLD_MORE else -1
            return replace(state, selection=selections.resize(selection, step, game.columns)), ()
        case KeyAction.PICK_OR_DROP:
            return with_selection(state, selections.press_cursor(selection, game.columns))
        case KeyAction.AUTO_MOVE:
            return with_selection(state, selections.auto_move(selection, game.columns))
        case KeyAction.PUT_BACK:
            return replace(state, selection=selections.put_back(selection)), ()
        case KeyAction.UNDO:
            state = replace(state, selection=selections.put_back(selection))
            return state, (SendAction(SimpleCommand("undo")),)
        case KeyAction.AUTO_PLACE:
            return menus.toggle(state, "auto_place")
        case _:
            return None


def _press_in_replay(state: ScreenState, context: Context, action: KeyAction) -> Update:
    shown, recording = state.playback, state.recording
    if shown is None or recording is None:
        return state.with_page(Page.ROOM), ()
    match action:
        case KeyAction.NEXT_RACER | KeyAction.PREVIOUS_RACER:
            racers = recording.racers
            at = racers.index(shown.player) + (1 if action is KeyAction.NEXT_RACER else -1)
            player = racers[at % len(racers)]
            index = recording.game(player).index_at(int(shown.moment_ms))
            return replace(state, playback=replace(shown, player=player, index=index)), ()
        case KeyAction.CLOSE | KeyAction.HELP | KeyAction.SAVE:
            state = replace(state, playback=replace(shown, playing=False))
            return room_keys.press(state, context, action)
        case _:
            shown = playback.press(shown, recording.game(shown.player), action)
            return replace(state, playback=shown), ()
