"""Menus: the options, the settings of the room, the list of members."""

from dataclasses import replace
from typing import Final

import msgspec

from client_cli.core.translatable import gettext_noop as _
from client_cli.files.preferences import Preferences
from client_cli.tui.state import room_settings
from client_cli.tui.state.effects import ApplyPreferences, OpenPrompt, Prompt, SendRequest
from client_cli.tui.state.keys import KeyAction
from client_cli.tui.state.state import Context, Page, ScreenState, Update
from protocol import from_client

OPTIONS: Final = {
    "bell": _("ring the bell when a race is about to start"),
    "auto_place": _("auto placement: cards that do not fit go to the best column"),
    "double_click": _("a double click sends the group to the best column"),
    "dark": _("dark colours"),
}
"""Labels of the preferences, by field."""


def length(state: ScreenState, context: Context) -> int:
    """Return how many lines the open menu has."""
    match state.page:
        case Page.SETTINGS:
            return room_settings.code_line() + 1
        case Page.MEMBERS:
            return len(context.model.members)
        case _:
            return len(OPTIONS)


def press(state: ScreenState, context: Context, action: KeyAction) -> Update:
    """Do what a key means in a menu."""
    match action:
        case KeyAction.UP | KeyAction.DOWN:
            step = 1 if action is KeyAction.DOWN else -1
            return replace(state, line=(state.line + step) % max(1, length(state, context))), ()
        case KeyAction.PREVIOUS_VALUE | KeyAction.NEXT_VALUE:
            return _change_value(state, 1 if action is KeyAction.NEXT_VALUE else -1)
        case KeyAction.CHOOSE:
            return _choose(state, context)
        case KeyAction.CLOSE:
            return state.with_page(Page.ROOM), ()
        case _:
            return state, ()


def toggle(state: ScreenState, field: str) -> Update:
    """Turn an option on or off."""
    value = not getattr(state.preferences, field)
    preferences = msgspec.structs.replace(state.preferences, **{field: value})
    return with_preferences(state, preferences), (ApplyPreferences(),)


def apply_settings(state: ScreenState, draft: room_settings.Draft) -> Update:
    """Request the settings of a draft, and close the menu."""
    configure = from_client.Configure(settings=draft.settings, code=draft.code)
    return replace(state, draft=None).with_page(Page.ROOM), (SendRequest(configure),)


def with_preferences(state: ScreenState, preferences: Preferences) -> ScreenState:
    """Return the state with these preferences, in the selection as well."""
    selection = replace(
        state.selection, auto_place=preferences.auto_place, double_click=preferences.double_click
    )
    return replace(state, preferences=preferences, selection=selection)


def _change_value(state: ScreenState, step: int) -> Update:
    if state.page is Page.OPTIONS:
        return toggle(state, list(OPTIONS)[state.line])
    if state.page is Page.SETTINGS and state.draft is not None:
        return replace(state, draft=room_settings.change_value(state.draft, state.line, step)), ()
    return state, ()


def _choose(state: ScreenState, context: Context) -> Update:
    model = context.model
    match state.page:
        case Page.OPTIONS:
            return toggle(state, list(OPTIONS)[state.line])
        case Page.MEMBERS:
            target = model.members[min(state.line, len(model.members) - 1)].player
            allowed = model.me == model.host and target != model.me
            return replace(state, kick_target=target, question=KeyAction.CHOOSE if allowed else None), ()
        case Page.SETTINGS if state.draft is not None:
            draft = state.draft
            if state.line == room_settings.code_line():
                return state, (OpenPrompt(Prompt.GAME_CODE, draft.code or "SS1-S1-"),)
            return apply_settings(state, draft)
        case _:
            return state, ()
