"""The main screens, each brought about by the messages and keys that lead there, at a fixed time."""

from collections.abc import Callable
from typing import Final

import msgspec

from client_cli.core.addresses import Server
from client_cli.core.commands import MoveCards
from client_cli.core.conversation import Conversation
from client_cli.files.preferences import Preferences
from client_cli.text.style import Style
from client_cli.text.translation import ENGLISH, Translation
from client_cli.tui.controller import Seat
from client_cli.tui.views.ink import Row
from fullscreen.evening import NAMES, Evening, solution
from fullscreen.fake import FakeServer
from protocol import from_client as say
from protocol import from_server as msg
from protocol.close_codes import CloseCode
from protocol.parts import GameView, LeaveReason, RacerState

SIZES: Final = ((80, 24), (120, 40), (160, 50))


class Table:
    """Somebody at a screen of a fake server; `now` is the time on every clock."""

    def __init__(
        self, translate: Translation = ENGLISH, *, glyphs: bool = True, me: str = "ada", **settings: object
    ) -> None:
        self.now = 0
        self.evening = Evening(me, **settings)
        self.conversation = Conversation(NAMES[me], say.Join(room="KTQMX"))
        style = Style(80, 24, glyphs, translate)
        self.seat = Seat(
            self.conversation,
            Server("ws://play.example.org:7466"),
            style,
            Preferences(),
            lambda _: None,
            clock=lambda: self.now,
        )
        self.server = FakeServer(self.conversation, self.seat.message_received, lambda: self.now)
        self.seat.nudge = self.server.nudge
        self.conversation.connection_opened()
        self.server.hear()
        self.server.tell(*self.evening.entered())
        self.server.nudge()

    def press(self, *keys: str) -> None:
        """Press keys one after another."""
        for key in keys:
            self.seat.press(key)

    def race(self, moves: int = 0) -> None:
        """Begin the race and make some moves of the solution."""
        self.server.tell(*self.evening.chat(), self.evening.countdown(), self.evening.started())
        for source, target, count in solution()[:moves]:
            self.conversation.submit_action(MoveCards(source, target, count))
            self.server.nudge()
        self.server.tell(self.evening.standings())
        self.now = 83_000

    def finish(self) -> None:
        """Let the race end, with its record."""
        self.race()
        self.server.tell(self.evening.over(), self.evening.record())


def _lobby(table: Table) -> None:
    table.server.tell(*table.evening.chat())


def _countdown(table: Table) -> None:
    table.server.tell(*table.evening.chat(), table.evening.countdown())
    table.now = 1000


def _race(table: Table) -> None:
    table.race(18)
    table.server.tell(msg.ChatMessage(seq=8, player="ming", text="這副牌好難！"))
    table.press("3")


def _won(table: Table) -> None:
    table.race(len(solution()))
    standings = table.evening.standings()
    rows = [
        msgspec.structs.replace(each, state=RacerState.WON, at_ms=83_456, rank=1)
        if each.player == "ada"
        else each
        for each in standings.rows
    ]
    table.server.tell(msgspec.structs.replace(standings, rows=rows))


def _refused(table: Table) -> None:
    table.race(18)
    table.press("2", "3")


def _results(table: Table) -> None:
    table.finish()


def _scores(table: Table) -> None:
    table.finish()
    table.press("g", "g")


def _replay(table: Table) -> None:
    table.finish()
    table.press("w", "]", "]", "right")


def _settings(table: Table) -> None:
    table.press("e", "down", "down", "right")


def _people(table: Table) -> None:
    table.press("k", "down", "enter")


def _leaderboard(table: Table) -> None:
    table.finish()
    table.press("l")
    table.server.tell(table.evening.leaderboard())


def _lost(table: Table) -> None:
    table.race(5)
    table.seat.connection_lost(CloseCode.RESTART.sentence)


def _kicked(table: Table) -> None:
    table.server.tell(msg.MemberLeft(seq=9, player="zoe", reason=LeaveReason.KICKED))
    assert table.conversation.ended is not None
    table.seat.ended(table.conversation.ended.sentence)


def _watch(table: Table) -> None:
    table.race()


def _board(table: Table) -> None:
    table.race()
    table.press("right")
    ref = getattr(table.server.said[-1], "ref", 0)
    table.server.tell(msg.Board(ref=ref, race=1, player="ming", game=_played(table)))


def _boards(table: Table) -> None:
    table.race()
    game = _played(table)
    for player in table.evening.started().racers:
        table.server.tell(msg.Board(ref=0, race=1, player=player, game=game))
    table.press("right")


def _played(table: Table) -> GameView:
    table.server.begin(table.evening.started().code)
    for move in solution()[:25]:
        table.server.game.move(*move)  # type: ignore[union-attr]  # begun above
    return table.server.view()


Scene = tuple[Callable[[Table], None], dict[str, object]]
SCENES: Final[dict[str, Scene]] = {
    "lobby": (_lobby, {}),
    "countdown": (_countdown, {}),
    "race": (_race, {}),
    "refused": (_refused, {}),
    "won": (_won, {}),
    "results": (_results, {}),
    "scores": (_scores, {}),
    "replay": (_replay, {}),
    "settings": (_settings, {}),
    "options": (lambda table: table.press("o", "down"), {}),
    "people": (_people, {}),
    "leaderboard": (_leaderboard, {}),
    "help": (lambda table: table.press("?"), {}),
    "lost": (_lost, {}),
    "kicked": (_kicked, {"me": "zoe"}),
    "watch": (_watch, {"me": "mei"}),
    "board": (_board, {"me": "mei", "live_boards": True}),
    "boards": (_boards, {"me": "mei", "live_boards": True}),
}
"""What leads to a screen, and for whom."""


def at_table(name: str, translate: Translation = ENGLISH, *, glyphs: bool = True) -> Table:
    """Return somebody who sees the screen of this name."""
    lead, options = SCENES[name]
    table = Table(translate, glyphs=glyphs, **options)  # type: ignore[arg-type]  # `me` and settings
    lead(table)
    return table


def drawn(
    name: str, size: tuple[int, int], translate: Translation = ENGLISH, *, glyphs: bool = True
) -> list[Row]:
    """Return the rows of a screen."""
    return at_table(name, translate, glyphs=glyphs).seat.rows(*size)
