"""One person's seat: the desk, the link and what goes between. It knows no Textual; an app is its screen."""

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from client_cli.core.addresses import Server
from client_cli.core.conversation import Conversation, Identity
from client_cli.files.preferences import Preferences
from client_cli.files.saved_records import SaveError, save
from client_cli.net.connection import now_ms
from client_cli.text.style import Role, Style
from client_cli.tui.state import key_actions, menus, message_handlers, playback
from client_cli.tui.state import selection as hands
from client_cli.tui.state import typed_lines as typed
from client_cli.tui.state.effects import Act, Ask, Effect, Effects, End, Keep, Leave, Type
from client_cli.tui.state.keys import Where
from client_cli.tui.state.state import Desk, Page, Scene
from client_cli.tui.views.ink import Row
from client_cli.tui.views.screen import HEAD, hint_at, plan, screen
from client_cli.tui.views.spectator import visible
from protocol import from_client as say
from protocol import from_server as msg
from protocol.parts import Phase

BOARD_MS: Final = 1000
"""How often the board of a racer whom one watches is asked for, at most."""

ASK_MS: Final = 250
"""How much time is between two such questions, however many boards are seen."""


class Screen(Protocol):
    """What a seat is shown on."""

    def show(self) -> None:
        """Draw what has changed."""

    def carry_out(self, effect: Effect) -> None:
        """Do what only a screen can: type, copy, ring, end."""


class Seat:
    """Takes in messages, keys and the mouse. It is the watcher of the connection.

    `nudge` sends what the link has to say; `keep` takes the identity that the server knows one by. Before
    there is a room, and with it a screen, `aside` is told what one has to wait for.
    """

    def __init__(
        self,
        conversation: Conversation,
        server: Server,
        style: Style,
        prefer: Preferences,
        keep: Callable[[Identity], None],
        *,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self.conversation, self.style = conversation, style
        self.desk = Desk(prefer=prefer)
        menus.adopt(self.desk)
        self.nudge: Callable[[], None] = _nothing
        self.aside: Callable[[str], None] = _to_nobody
        self.screen: Screen | None = None
        self.entered = asyncio.Event()
        self._server, self._keep = server, keep
        self._clock, self._ticked = clock, clock()
        self._asked: dict[str, int] = {}
        self._size = (80, 24)

    @property
    def scene(self) -> Scene:
        """What is known now."""
        model = self.conversation.model
        return Scene(model, self.conversation.named_code, self._server.room_link(model.room), self._clock())

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the screen at a size."""
        self._size = (width, height)
        return screen(self.desk, self.scene, self._sized(width, height))

    def message_received(self, message: msg.FromServer) -> None:
        """Take up a message, and show what it changes."""
        if isinstance(message, msg.Welcome) and self.conversation.identity is not None:
            self._keep(self.conversation.identity)
        self._do(message_handlers.heard(self.desk, self.scene, message, self.style))
        if self.conversation.model.room:
            self.entered.set()
        self._show()

    def connection_lost(self, why: str) -> None:
        """Show that the connection is gone until it is back."""
        translate = self.style.translate
        self.desk.lost = translate("Connection lost, trying again.")
        self.desk.tell(translate.sentence(why), Role.WARNING)
        if not self.entered.is_set():
            self.aside(translate("{why} Trying again.", why=translate.sentence(why)))
        self._show()

    def connection_restored(self) -> None:
        """Show that the connection is there again."""
        self.desk.lost = ""
        self.desk.tell(self.style.translate("The connection is back."))
        self._show()

    def ended(self, why: str) -> None:
        """Show for good why the conversation is over; without a reason it was meant to be."""
        self.desk.lost = ""
        if not why:
            self._carry_out(End())
            return
        self.desk.ended = self.style.translate.sentence(why)
        self.desk.open(Page.ENDED)
        self._show()

    def press(self, key: str) -> None:
        """Take in a key."""
        self._do(key_actions.press(self.desk, self.scene, key))
        self._show()

    def typed(self, text: str | None) -> None:
        """Take in a line that was typed; None: it was given up."""
        if text is None:
            self.desk.typing = None
        else:
            self._do(typed.typed(self.desk, self.scene, text, self.style.translate))
        self._show()

    def point(self, what: str, x: int, y: int, width: int, height: int) -> None:
        """Take in the mouse: `down`, `move` or `up` at a cell of a screen of this size."""
        model = self.conversation.model
        where = self.desk.where(model)
        if what == "down" and y == height - 1:
            key = hint_at(where, self._sized(width, height), x)
            if key is not None:
                self.press(key)
            return
        if model.game is None or where is not Where.RACE:
            return
        table = model.game.columns
        laid = plan(self._sized(width, height))
        inside = HEAD <= y < HEAD + laid.body
        spot = laid.shape.spot(table, x - laid.left, y - HEAD) if inside else None
        match what:
            case "down" if spot is not None:
                self.desk.status = ""
                self._do(
                    key_actions.handled(self.desk, hands.pressed(self.desk.hand, spot, self._clock(), table))
                )
            case "move" if spot is not None:
                self.desk.hand = hands.dragged(self.desk.hand, spot)
            case "up":
                self._do(key_actions.handled(self.desk, hands.released(self.desk.hand, spot, table)))
            case _:
                return
        self._show()

    def scroll(self, key: str) -> None:
        """Take in the wheel, as the key `up` or `down`; in a race it picks nothing up."""
        if self.desk.where(self.conversation.model) is not Where.RACE or self.desk.hand.held is not None:
            self.press(key)

    def tick(self) -> None:
        """Let time go by: clocks, the countdown's bell, a game that is watched again, a board one watches."""
        scene, desk = self.scene, self.desk
        elapsed, self._ticked = scene.now - self._ticked, scene.now
        self._do(message_handlers.ticked(desk, scene))
        if desk.page is Page.REPLAY and desk.replay is not None:
            reel = desk.reel(desk.replay.player)
            if reel is not None:
                playback.run(desk.replay, reel, elapsed)
        watched = self._watched(scene)
        if watched is not None:
            self._asked[watched] = scene.now
            self._do((Ask(say.GetBoard(player=watched)),))
        if scene.model.phase in (Phase.COUNTDOWN, Phase.RACING) or desk.page is Page.REPLAY:
            self._show()

    def _watched(self, scene: Scene) -> str | None:
        """Return whose board is to be asked for now: of those that are seen the one asked for longest ago."""
        model, desk, now = scene.model, self.desk, scene.now
        if desk.where(model) is not Where.WATCH or not (self.conversation.live and self.conversation.idle):
            return None
        style = self._sized(*self._size)
        seen = visible(desk, model, (style.width, plan(style).body))
        if not seen and model.settings.live_boards and model.standings:
            seen = (model.standings[0].player,)
        asked = {each: self._asked.get(each, -BOARD_MS) for each in seen}
        first = min(asked, key=lambda each: asked[each], default=None)
        if first is None or now - asked[first] < BOARD_MS or now - max(asked.values()) < ASK_MS:
            return None
        return first

    def _sized(self, width: int, height: int) -> Style:
        return Style(width, height, self.style.glyphs, self.style.translate)

    def _do(self, effects: Effects) -> None:
        for effect in effects:
            match effect:
                case Act(command):
                    self.conversation.submit_action(command)
                    self.nudge()
                case Ask(request):
                    self.conversation.submit_request(request)
                    self.nudge()
                case Keep(path):
                    self._write(path)
                case Type(what):
                    self.desk.typing = what
                    self._carry_out(effect)
                case Leave():
                    self._leave()
                case _:
                    self._carry_out(effect)
        self._tell_notes()

    def _tell_notes(self) -> None:
        for note in self.conversation.take_notes():
            self.desk.status = self.style.translate.sentence(note)
            self.desk.tell(self.desk.status)

    def _leave(self) -> None:
        """Give up the seat; whoever shows the screen waits a moment for the server to know it."""
        if self.conversation.live and self.conversation.ended is None:
            self.conversation.submit_request(say.Leave())
            self.nudge()
            self._carry_out(Leave())
        else:
            self._carry_out(End())

    def _carry_out(self, effect: Effect) -> None:
        if self.screen is not None:
            self.screen.carry_out(effect)

    def _show(self) -> None:
        if self.screen is not None:
            self.screen.show()

    def _write(self, name: str) -> None:
        if self.desk.record is None:
            return
        try:
            self.desk.status = self.style.translate.sentence(save(self.desk.record, name))
        except SaveError as fault:
            self.desk.status = self.style.translate.sentence(fault.sentence)


def _nothing() -> None:
    """Nobody is connected yet."""


def _to_nobody(_: str) -> None:
    """Tell nobody."""
