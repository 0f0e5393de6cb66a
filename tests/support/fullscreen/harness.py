"""Test harness: a controller connected to a fake server, and the main screens of the client."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import msgspec

from client_cli.core.addresses import Server
from client_cli.core.commands import MoveCards
from client_cli.core.conversation import Conversation
from client_cli.files.preferences import Preferences
from client_cli.text.style import Line, Style
from client_cli.text.translation import ENGLISH, Translation
from client_cli.tui.controller import Controller
from client_cli.tui.state import key_actions
from client_cli.tui.state.effects import Effects
from client_cli.tui.state.state import ScreenState
from fullscreen.example_race import NAMES, ExampleRace, solution
from fullscreen.fake_server import FakeServer
from protocol import from_client, from_server
from protocol.close_codes import CloseCode
from protocol.parts import GameView, LeaveReason, RacerState

SIZES: Final = ((80, 24), (120, 40), (160, 50))


class Harness:
    """A member of the example room at a controller; `now_ms` is the time on every clock."""

    def __init__(
        self, translate: Translation = ENGLISH, *, glyphs: bool = True, me: str = "ada", **settings: object
    ) -> None:
        self.now_ms = 0
        self.race = ExampleRace(me, **settings)
        self.conversation = Conversation(NAMES[me], from_client.Join(room="KTQMX"))
        self.controller = Controller(
            self.conversation,
            Server("ws://play.example.org:7466"),
            Style(80, 24, glyphs, translate),
            Preferences(),
            lambda _: None,
            clock=lambda: self.now_ms,
        )
        self.server = FakeServer(self.conversation, self.controller.message_received, lambda: self.now_ms)
        self.controller.use_connection(self.server.flush)
        self.conversation.connection_opened()
        self.server.receive()
        self.server.send(*self.race.joined())
        self.server.flush()

    @property
    def state(self) -> ScreenState:
        """The state of the screen."""
        return self.controller.state

    def change(self, **fields: Any) -> None:
        """Change fields of the state."""
        self.controller.state = replace(self.controller.state, **fields)

    def press(self, *keys: str) -> None:
        """Press keys one after another."""
        for key in keys:
            self.controller.press(key)

    def effects_of(self, *keys: str) -> Effects:
        """Press keys without carrying out their effects; return the effects of the last key."""
        effects: Effects = ()
        for key in keys:
            self.controller.state, effects = key_actions.press(self.state, self.controller.context, key)
        return effects

    def start_race(self, moves: int = 0) -> None:
        """Start the race and make some moves of the solution."""
        self.server.send(*self.race.chat(), self.race.countdown(), self.race.started())
        for source, target, cards in solution()[:moves]:
            self.conversation.submit_action(MoveCards(source, target, cards))
            self.server.flush()
        self.server.send(self.race.standings())
        self.now_ms = 83_000

    def finish_race(self) -> None:
        """Start the race and end it, with its record."""
        self.start_race()
        self.server.send(self.race.ended(), self.race.record_sent())


def _lobby(harness: Harness) -> None:
    harness.server.send(*harness.race.chat())


def _countdown(harness: Harness) -> None:
    harness.server.send(*harness.race.chat(), harness.race.countdown())
    harness.now_ms = 1000


def _race(harness: Harness) -> None:
    harness.start_race(18)
    harness.server.send(from_server.ChatMessage(seq=8, player="ming", text="這副牌好難！"))
    harness.press("3")


def _won(harness: Harness) -> None:
    harness.start_race(len(solution()))
    standings = harness.race.standings()
    rows = [
        msgspec.structs.replace(each, state=RacerState.WON, at_ms=83_456, rank=1)
        if each.player == "ada"
        else each
        for each in standings.rows
    ]
    harness.server.send(msgspec.structs.replace(standings, rows=rows))


def _refused(harness: Harness) -> None:
    harness.start_race(18)
    harness.press("2", "3")


def _results(harness: Harness) -> None:
    harness.finish_race()


def _scores(harness: Harness) -> None:
    harness.finish_race()
    harness.press("g", "g")


def _replay(harness: Harness) -> None:
    harness.finish_race()
    harness.press("w", "]", "]", "right")


def _settings(harness: Harness) -> None:
    harness.press("e", "down", "down", "right")


def _people(harness: Harness) -> None:
    harness.press("k", "down", "enter")


def _leaderboard(harness: Harness) -> None:
    harness.finish_race()
    harness.press("l")
    harness.server.send(harness.race.leaderboard())


def _lost(harness: Harness) -> None:
    harness.start_race(5)
    harness.controller.connection_lost(CloseCode.RESTART.sentence)


def _kicked(harness: Harness) -> None:
    harness.server.send(from_server.MemberLeft(seq=9, player="zoe", reason=LeaveReason.KICKED))
    assert harness.conversation.ended is not None
    harness.controller.ended(harness.conversation.ended.sentence)


def _watch(harness: Harness) -> None:
    harness.start_race()


def _board(harness: Harness) -> None:
    harness.start_race()
    harness.press("right")
    ref = getattr(harness.server.received[-1], "ref", 0)
    harness.server.send(from_server.Board(ref=ref, race=1, player="ming", game=_game_in_progress(harness)))


def _boards(harness: Harness) -> None:
    harness.start_race()
    game = _game_in_progress(harness)
    for player in harness.race.started().racers:
        harness.server.send(from_server.Board(ref=0, race=1, player=player, game=game))
    harness.press("right")


def _game_in_progress(harness: Harness) -> GameView:
    harness.server.start_race(harness.race.started().code)
    for move in solution()[:25]:
        harness.server.game.move(*move)  # type: ignore[union-attr]  # started above
    return harness.server.view()


Setup = tuple[Callable[[Harness], None], dict[str, object]]
SCREENS: Final[dict[str, Setup]] = {
    "lobby": (_lobby, {}),
    "countdown": (_countdown, {}),
    "race": (_race, {}),
    "refused": (_refused, {}),
    "won": (_won, {}),
    "results": (_results, {}),
    "scores": (_scores, {}),
    "replay": (_replay, {}),
    "settings": (_settings, {}),
    "options": (lambda harness: harness.press("o", "down"), {}),
    "people": (_people, {}),
    "leaderboard": (_leaderboard, {}),
    "help": (lambda harness: harness.press("?"), {}),
    "lost": (_lost, {}),
    "kicked": (_kicked, {"me": "zoe"}),
    "watch": (_watch, {"me": "mei"}),
    "board": (_board, {"me": "mei", "live_boards": True}),
    "boards": (_boards, {"me": "mei", "live_boards": True}),
}
"""For each screen the messages and keys that lead to it, and the arguments of the harness."""


def at_screen(name: str, translate: Translation = ENGLISH, *, glyphs: bool = True) -> Harness:
    """Return a harness that shows a screen."""
    prepare, arguments = SCREENS[name]
    harness = Harness(translate, glyphs=glyphs, **arguments)  # type: ignore[arg-type]  # `me` and settings
    prepare(harness)
    return harness


def screen_lines(
    name: str, size: tuple[int, int], translate: Translation = ENGLISH, *, glyphs: bool = True
) -> list[Line]:
    """Return the lines of a screen."""
    return at_screen(name, translate, glyphs=glyphs).controller.lines(*size)
