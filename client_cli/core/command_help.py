"""List of the commands that people type, a line each."""

import textwrap
from typing import Final

from client_cli.core import room_settings
from client_cli.core.translatable import gettext_noop as _

_SET: Final = _("set KEY VALUE             change a setting of the room (host); the keys are:")
_INDENT: Final = " " * 26
_HELP_WIDTH: Final = 79

_HELP: Final = (
    _("3 7          move the cards that fit from column 3 to column 7"),
    _("3 7 2        move the last 2 cards from column 3 to column 7"),
    _("3            move the group at the end of column 3 to the best column"),
    _("undo, u      undo the last action (a forfeit within 10 seconds)"),
    _("restart      start the deal again; the clock keeps running"),
    _("forfeit      forfeit this race"),
    _("ready, unready            take part in the next race, or not"),
    _("start, cancel             start the countdown, or cancel it (host)"),
    _SET,
    _("code CODE, code none      name the next deal, or have a random one (host)"),
    _("lock, unlock, kick NAME   control who may be in the room (host)"),
    _("chat TEXT                 send a chat message to the room"),
    _("who, standings, board     show the members, the standings, your board"),
    _("show NAME                 show a member's board: after the race, or if live"),
    _("leaderboard [CODE]        show the best results on a deal"),
    _("save FILE    save the last race; check it with: simonrace verify FILE"),
    _("wait         in a script: wait for the end of the race"),
    _("help, ?      this list"),
    _("quit, q      leave the room"),
)


def setting_keys() -> list[str]:
    """Return the keys of the command `set`."""
    return [each.key for each in room_settings.SETTINGS]


def help_lines() -> list[str]:
    """Return the list of commands, to be translated line by line."""
    keys = textwrap.wrap(
        ", ".join(setting_keys()), _HELP_WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT
    )
    at = _HELP.index(_SET) + 1
    return [*_HELP[:at], *keys, *_HELP[at:]]
