"""The settings of a room as people read, choose and type them: one row for each field of `Settings`.

Everything that the client shows of a setting comes from SETTINGS: the options of the command line, the
command `set`, its help, the menu and the lobby of the full screen, and the lobby of the line client. The
lines of a pipe show the fields by their names on the wire.

A new setting touches three files: `protocol/parts.py` (its field), this one (its row), and the rule of the
server that uses it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from client_cli.core import times
from client_cli.core.translatable import Plural, Translatable
from client_cli.core.translatable import gettext_noop as _
from protocol import limits
from protocol.parts import Ranking, Settings, StartMode

DEFAULTS: Settings = Settings()
"""Settings of a room that nobody has changed."""

_YES_NO: Final = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}


class Values(Protocol):
    """The values of a setting."""

    @property
    def choices(self) -> tuple[Any, ...]:
        """Values that a menu offers, in their order."""

    @property
    def description(self) -> Translatable:
        """The values that can be typed, in words."""

    def parse(self, text: str) -> Any | None:
        """Return the value of a typed text, None if there is none."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """A few values, each typed as it is on the wire."""

    choices: tuple[Any, ...]

    @property
    def description(self) -> Translatable:
        """The values in words: `1, 2 or 4`."""
        *before, last = map(str, self.choices)
        values = before[0]
        for each in before[1:]:
            values = Translatable("{values}, {value}", values=values, value=each)
        return Translatable("{values} or {value}", values=values, value=last)

    def parse(self, text: str) -> Any | None:
        """Return the value that is written like this."""
        return next((each for each in self.choices if str(each) == text), None)


@dataclass(frozen=True, slots=True)
class YesOrNo:
    """True or False."""

    choices: tuple[bool, ...] = (True, False)

    @property
    def description(self) -> Translatable:
        """The values in words."""
        return Translatable("yes or no")

    def parse(self, text: str) -> bool | None:
        """Return the value of yes, on, true, no, off or false."""
        return _YES_NO.get(text)


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `least` to `most`. `unit` stands for it in help: SECONDS or COUNT."""

    least: int
    most: int
    unit: str
    choices: tuple[int, ...]

    @property
    def description(self) -> Translatable:
        """The range in words."""
        if self.unit == _SECONDS:
            return Translatable("seconds, {least} to {most}", least=self.least, most=self.most)
        return Translatable("{least} to {most}", least=self.least, most=self.most)

    def parse(self, text: str) -> int | None:
        """Return the number, if it is in the range."""
        if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
            return None
        return int(text) if self.least <= int(text) <= self.most else None


_SECONDS: Final = _("SECONDS")
_COUNT: Final = _("COUNT")
_DIGITS: Final = 9
"""Digits of a number beyond every range."""


@dataclass(frozen=True, slots=True)
class RoomSetting:
    """One setting: its field in `Settings`, and what people see of it.

    `key` names it in the command `set`, with hyphens as the option, in capitals as the environment variable.
    `show` makes the text of a value beside the label; `summary` that in a line of all settings, where None is
    a value that need not be mentioned. `of_random_deal` settings have no effect on a deal that is named.
    """

    field: str
    key: str
    values: Values
    label: str
    help: str
    show: Callable[[Any], str]
    summary: Callable[[Any], str | None] = lambda _: None
    of_random_deal: bool = False

    def text(self, settings: Settings) -> str:
        """Return the value as text, to be translated."""
        return self.show(getattr(settings, self.field))


def _either(yes: str, no: str) -> Callable[[bool], str]:
    return lambda value: yes if value else no


SETTINGS: tuple[RoomSetting, ...] = (
    RoomSetting(
        field="suits",
        key="suits",
        values=OneOf((1, 2, 4)),
        label=_("suits"),
        help=_("How many suits a random deal has."),
        show=lambda value: Plural("{count} suit", "{count} suits", value),
        summary=lambda value: Plural("{count} suit", "{count} suits", value),
        of_random_deal=True,
    ),
    RoomSetting(
        field="winnable",
        key="winnable",
        values=YesOrNo(),
        label=_("deals"),
        help=_("Draw only deals that can be won."),
        show=_either(_("can be won"), _("any")),
        summary=_either(_("can be won"), _("any deal")),
        of_random_deal=True,
    ),
    RoomSetting(
        field="ranking",
        key="ranking",
        values=OneOf(tuple(Ranking)),
        label=_("won by"),
        help=_("What decides the ranks."),
        show=lambda value: _("time") if value is Ranking.TIME else _("score"),
        summary=lambda value: _("fastest wins") if value is Ranking.TIME else _("best score wins"),
    ),
    RoomSetting(
        field="start_mode",
        key="start",
        values=OneOf(tuple(StartMode)),
        label=_("started by"),
        help=_("Who starts a race: the host, or all by being ready."),
        show=lambda value: _("the host") if value is StartMode.HOST else _("all ready"),
        summary=lambda value: _("the host starts") if value is StartMode.HOST else _("all ready starts"),
    ),
    RoomSetting(
        field="countdown_s",
        key="countdown",
        values=Number(0, limits.COUNTDOWN_SECONDS, _SECONDS, (0, 3, 5, 10, 15, 30, 60)),
        label=_("countdown"),
        help=_("Length of the countdown, in seconds."),
        show=lambda value: Plural("{count} second", "{count} seconds", value),
    ),
    RoomSetting(
        field="time_limit_s",
        key="time_limit",
        values=Number(
            1,
            limits.TIME_LIMIT_SECONDS,
            _SECONDS,
            (60, 120, 180, 300, 600, 900, 1200, 1800, 2700, 3600, 7200, 86400),
        ),
        label=_("time limit"),
        help=_("Time limit of a race, in seconds."),
        show=lambda value: times.rough(value * 1000),
        summary=lambda value: Translatable("{time} at most", time=times.rough(value * 1000)),
    ),
    RoomSetting(
        field="max_members",
        key="max_members",
        values=Number(
            1, limits.ROOM_MEMBERS, _COUNT, (1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 30, 50, 100, 200, 500, 1000)
        ),
        label=_("most members"),
        help=_("Most members of the room, spectators included."),
        show=str,
    ),
    RoomSetting(
        field="live_boards",
        key="live_boards",
        values=YesOrNo(),
        label=_("boards"),
        help=_("Show boards to spectators during the race."),
        show=_either(_("live to spectators"), _("hidden")),
        summary=lambda value: _("boards shown live") if value else None,
    ),
)
"""The settings in the order in which they are shown."""


def find(name: str) -> RoomSetting | None:
    """Return the setting with this key or field; hyphens count as underscores."""
    wanted = name.lower().replace("-", "_")
    return next((each for each in SETTINGS if wanted in (each.key, each.field)), None)


def summaries(settings: Settings, *, of_random_deal: bool) -> list[str]:
    """Return what a line about all settings says, either of a random deal or of the rest."""
    rows = (each for each in SETTINGS if each.of_random_deal is of_random_deal)
    texts = (each.summary(getattr(settings, each.field)) for each in rows)
    return [text for text in texts if text is not None]
