"""What somebody has before them besides what the server says: page, hand, choices, what has happened."""

from collections import deque
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Final

from client_cli.core.model import Model
from client_cli.core.own_game import OwnGame
from client_cli.files.preferences import Preferences
from client_cli.text.style import Role
from client_cli.tui.state.effects import Typing
from client_cli.tui.state.keys import Do, Where
from client_cli.tui.state.recorded_game import Reel, reel
from client_cli.tui.state.room_settings import Draft
from client_cli.tui.state.selection import Hand
from protocol.from_server import Leaderboard
from protocol.parts import Phase, RacerState
from protocol.record import FinishedRace

_LOG: Final = 200


class Page(Enum):
    """What is shown; ROOM is whatever the room is about."""

    ROOM = auto()
    HELP = auto()
    OPTIONS = auto()
    SETTINGS = auto()
    PEOPLE = auto()
    LEADERBOARD = auto()
    REPLAY = auto()
    ENDED = auto()


class Measure(Enum):
    """What a chart shows."""

    PROGRESS = auto()
    CARDS = auto()
    SCORE = auto()


@dataclass(slots=True)
class Player:
    """A game that is watched again: whose, how far, how fast. `moment` is ms since the start."""

    player: str
    moment: float = 0.0
    number: int = 0
    speed: float = 4.0
    playing: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything known besides the desk: the room, the deal named for the next race, the link, now."""

    model: Model
    named: str | None = None
    share: str = ""
    now: int = 0


@dataclass(slots=True)
class Desk:
    """The state of the screen: `before` is where help leads back to, `status` what went wrong or was done.

    Who watches sees `boards` as they were last; that of the racer `shown` is the chosen one. `victory` is the
    sentence of one's own win, once it has been told.
    """

    page: Page = Page.ROOM
    before: Page = Page.ROOM
    hand: Hand = field(default_factory=Hand)
    prefer: Preferences = field(default_factory=Preferences)
    log: deque[tuple[str, Role]] = field(default_factory=lambda: deque(maxlen=_LOG))
    status: str = ""
    lost: str = ""
    ended: str = ""
    typing: Typing | None = None
    question: Do | None = None
    kicked: str = ""
    line: int = 0
    results: bool = False
    record: FinishedRace | None = None
    reels: dict[str, Reel] = field(default_factory=dict)
    measure: Measure = Measure.PROGRESS
    replay: Player | None = None
    ladder: Leaderboard | None = None
    shown: str = ""
    boards: dict[str, OwnGame] = field(default_factory=dict)
    draft: Draft | None = None
    called: int = -1
    runs: int = 0
    saving: str = ""
    victory: str = ""

    def where(self, model: Model) -> Where:
        """Return what is on the screen, as far as keys mean something else there."""
        match self.page:
            case Page.HELP | Page.LEADERBOARD:
                return Where.TEXT
            case Page.OPTIONS | Page.SETTINGS | Page.PEOPLE:
                return Where.MENU
            case Page.REPLAY:
                return Where.REPLAY
            case Page.ENDED:
                return Where.ENDED
            case Page.ROOM:
                return self._in_room(model)

    def below(self, model: Model) -> Where:
        """Return what is under a page of help."""
        return replace(self, page=self.before).where(model)

    def _in_room(self, model: Model) -> Where:
        if model.phase is Phase.RACING:
            if model.game is None:
                return Where.WATCH
            return Where.WON if model.game.state is RacerState.WON else Where.RACE
        if self.results and model.results and model.phase is not Phase.COUNTDOWN:
            return Where.RESULTS
        return Where.LOBBY

    def tell(self, text: str, role: Role = Role.QUIET) -> None:
        """Add a sentence to what has happened."""
        self.log.append((text, role))

    def tell_before_victory(self, text: str, role: Role) -> None:
        """Add a sentence about what led to one's own win, of which the room may have been told before."""
        told = [*self.log]
        at = next((at for at, (known, _) in enumerate(told) if known == self.victory), len(told))
        self.log = deque([*told[:at], (text, role), *told[at:]], maxlen=_LOG)

    def open(self, page: Page) -> None:
        """Show a page from its beginning."""
        self.before = self.page if page is Page.HELP else Page.ROOM
        self.page, self.line, self.question = page, 0, None

    def reel(self, player: str) -> Reel | None:
        """Return a racer's game of the last race, once its record has come."""
        if self.record is None:
            return None
        if player not in self.reels:
            self.reels[player] = reel(self.record, player)
        return self.reels[player]
