"""Menus: options of one's own, settings of the room, people."""

from dataclasses import replace
from typing import Final

import msgspec

from client_cli.core.translatable import gettext_noop as _
from client_cli.tui.state import room_settings
from client_cli.tui.state.effects import Ask, Effects, Prefer, Type, Typing
from client_cli.tui.state.keys import Do
from client_cli.tui.state.state import Desk, Page, Scene
from protocol import from_client as say

OPTIONS: Final = {
    "bell": _("ring the bell when a race is about to start"),
    "auto_place": _("auto placement: what is dropped where it does not fit goes to the best place"),
    "double_click": _("a double click sends the group to the best column"),
    "dark": _("dark colours"),
}


def length(desk: Desk, scene: Scene) -> int:
    """Return how many lines the menu on the screen has."""
    match desk.page:
        case Page.SETTINGS:
            return room_settings.code_line() + 1
        case Page.PEOPLE:
            return len(scene.model.members)
        case _:
            return len(OPTIONS)


def press(desk: Desk, scene: Scene, do: Do) -> Effects:
    """Do what a key means in a menu."""
    match do:
        case Do.UP | Do.DOWN:
            desk.line = (desk.line + (1 if do is Do.DOWN else -1)) % max(1, length(desk, scene))
        case Do.LESS | Do.GREATER:
            return _change(desk, 1 if do is Do.GREATER else -1)
        case Do.CHOOSE:
            return _choose(desk, scene)
        case Do.CLOSE:
            desk.open(Page.ROOM)
        case _:
            pass
    return ()


def toggle(desk: Desk, field: str) -> Effects:
    """Turn one of the options on or off."""
    desk.prefer = msgspec.structs.replace(desk.prefer, **{field: not getattr(desk.prefer, field)})
    adopt(desk)
    return (Prefer(),)


def adopt(desk: Desk) -> None:
    """Let the hand work as the options say."""
    prefer = desk.prefer
    desk.hand = replace(desk.hand, auto_place=prefer.auto_place, double_click=prefer.double_click)


def _change(desk: Desk, step: int) -> Effects:
    if desk.page is Page.OPTIONS:
        return toggle(desk, list(OPTIONS)[desk.line])
    if desk.page is Page.SETTINGS and desk.draft is not None:
        desk.draft = room_settings.stepped(desk.draft, desk.line, step)
    return ()


def _choose(desk: Desk, scene: Scene) -> Effects:
    model = scene.model
    match desk.page:
        case Page.OPTIONS:
            return toggle(desk, list(OPTIONS)[desk.line])
        case Page.PEOPLE:
            desk.kicked = model.members[min(desk.line, len(model.members) - 1)].player
            desk.question = Do.CHOOSE if model.me == model.host and desk.kicked != model.me else None
        case Page.SETTINGS if desk.draft is not None:
            if desk.line == room_settings.code_line():
                return (Type(Typing.CODE, desk.draft.code or "SS1-S1-"),)
            wanted, desk.draft = desk.draft, None
            desk.open(Page.ROOM)
            return (Ask(say.Configure(settings=wanted.settings, code=wanted.code)),)
        case _:
            pass
    return ()
