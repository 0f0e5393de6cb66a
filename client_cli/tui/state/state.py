"""State of the full screen, beside the room's model: page, selection, options, message log."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Final

from client_cli.core.model import Model
from client_cli.core.own_game import OwnGame
from client_cli.files.preferences import Preferences
from client_cli.text.style import Role
from client_cli.tui.state.effects import Effects, Prompt
from client_cli.tui.state.keys import KeyAction, Mode
from client_cli.tui.state.playback import Playback
from client_cli.tui.state.recorded_game import Recording
from client_cli.tui.state.room_settings import Draft
from client_cli.tui.state.selection import Selection
from protocol.from_server import Leaderboard
from protocol.parts import Phase, RacerState

_LOG_LENGTH: Final = 200


class Page(Enum):
    """Page on the screen; ROOM is the lobby, the race or the results."""

    ROOM = auto()
    HELP = auto()
    OPTIONS = auto()
    SETTINGS = auto()
    MEMBERS = auto()
    LEADERBOARD = auto()
    REPLAY = auto()
    ENDED = auto()


class Measure(Enum):
    """Quantity that the chart of the results shows."""

    PROGRESS = auto()
    CARDS_LEFT = auto()
    SCORE = auto()


@dataclass(frozen=True, slots=True)
class Context:
    """What the client knows beside the state of the screen."""

    model: Model
    named_code: str | None = None  # game code that this client has named for the next race
    share_link: str = ""  # address of the room for friends
    now_ms: int = 0  # the client's own clock


@dataclass(frozen=True, slots=True)
class ScreenState:
    """State of the screen. Keys, typed lines and messages return a changed copy."""

    page: Page = Page.ROOM
    page_before_help: Page = Page.ROOM
    selection: Selection = field(default_factory=Selection)
    preferences: Preferences = field(default_factory=Preferences)
    log: tuple[tuple[str, Role], ...] = ()  # sentences about what has happened, the newest last
    status: str = ""  # result of the last key or request, until the next key
    connection_lost: str = ""  # sentence shown while there is no connection
    end_reason: str = ""  # why the conversation has ended, on the page ENDED
    prompt: Prompt | None = None  # what the open input line asks for
    question: KeyAction | None = None  # action that waits for a yes
    kick_target: str = ""  # player that `question` CHOOSE is about
    line: int = 0  # chosen line of a menu, first visible line of a text
    show_results: bool = False  # ROOM shows the last results in place of the lobby
    recording: Recording | None = None  # the last race, once its record has arrived
    measure: Measure = Measure.PROGRESS
    playback: Playback | None = None
    leaderboard: Leaderboard | None = None
    watched: str = ""  # racer whose board a spectator has chosen
    boards: Mapping[str, OwnGame] = field(default_factory=dict)  # newest boards seen, by racer
    draft: Draft | None = None  # settings being edited
    countdown_second: int = -1  # last second of the countdown that was handled
    runs: int = 0  # removed runs that the log has reported
    save_path: str = ""  # where to save the record when it arrives
    win_sentence: str = ""  # log sentence about this player's own win

    def mode(self, model: Model) -> Mode:
        """Return the mode that decides what keys mean now."""
        match self.page:
            case Page.HELP | Page.LEADERBOARD:
                return Mode.TEXT
            case Page.OPTIONS | Page.SETTINGS:
                return Mode.MENU
            case Page.MEMBERS:
                return Mode.MEMBERS
            case Page.REPLAY:
                return Mode.REPLAY
            case Page.ENDED:
                return Mode.ENDED
            case Page.ROOM:
                return self._room_mode(model)

    def mode_before_help(self, model: Model) -> Mode:
        """Return the mode that the help page was opened in."""
        return replace(self, page=self.page_before_help).mode(model)

    def _room_mode(self, model: Model) -> Mode:
        if model.phase is Phase.RACING:
            if model.game is None:
                return Mode.SPECTATE
            return Mode.WON if model.game.state is RacerState.WON else Mode.RACE
        if self.show_results and model.results and model.phase is not Phase.COUNTDOWN:
            return Mode.RESULTS
        return Mode.LOBBY

    def with_page(self, page: Page) -> "ScreenState":
        """Return the state with a page opened at its beginning."""
        before = self.page if page is Page.HELP else Page.ROOM
        return replace(self, page_before_help=before, page=page, line=0, question=None)

    def with_log(self, text: str, role: Role = Role.QUIET) -> "ScreenState":
        """Return the state with a sentence added to the log."""
        return replace(self, log=(*self.log, (text, role))[-_LOG_LENGTH:])

    def with_log_before_win(self, text: str, role: Role) -> "ScreenState":
        """Return the state with a sentence added before the one about this player's own win.

        The room's event about a win may arrive before the answer to the action that won.
        """
        at = next((at for at, (known, _) in enumerate(self.log) if known == self.win_sentence), len(self.log))
        return replace(self, log=(*self.log[:at], (text, role), *self.log[at:])[-_LOG_LENGTH:])


Update = tuple[ScreenState, Effects]
"""The changed state and what to do outside of it."""
