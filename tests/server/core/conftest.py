"""`story`: a room to which tests submit commands one by one, with a clock that they set."""

from collections.abc import Callable
from copy import deepcopy

import pytest

from protocol import from_client as ask
from protocol.from_client import RoomRequest
from protocol.parts import RacerState, Result, Settings, StartMode
from server.core import commands as cmd
from server.core import events as ev
from server.core.commands import Command
from server.core.decide import Decision, decide
from server.core.room import Room, fold
from server.core.rules import Rules

CODE = "SS1-S1-AAAAABD"


class Story:
    """A room, its log and its clock in ms. The events of each command are encoded, decoded and folded."""

    def __init__(self) -> None:
        self.room = Room("KQXMB")
        self.rules = Rules()
        self.now = 1_000_000
        self.log: list[bytes] = []

    def do(self, command: Command) -> Decision:
        """Decide a command and fold its events; check that the decision alone changes nothing."""
        before = deepcopy(self.room)
        decision = decide(self.room, command, self.now, self.rules)
        assert self.room == before
        assert decide(before, command, self.now, self.rules) == decision
        if isinstance(decision, list):
            for event in decision:
                self.log.append(ev.to_bytes(event))
                fold(self.room, ev.from_bytes(self.log[-1]))
        return decision

    def later(self, ms: int) -> "Story":
        self.now += ms
        return self

    # Members.

    def open(
        self, *, code: str | None = None, key: str | None = None, settings: Settings | None = None
    ) -> Decision:
        """Let Ann open the room on node n1; `key` is the hash of its password."""
        return self.do(cmd.OpenRoom("ann", "Ann", "n1", settings or Settings(), code, key))

    def all_ready_room(self, *others: str) -> None:
        """Let Ann open a room with `start_mode` `all_ready`, and others join it."""
        self.open(settings=Settings(start_mode=StartMode.ALL_READY))
        for each in others:
            self.join(each)

    def join(
        self,
        player: str,
        *,
        node: str = "n1",
        name: str | None = None,
        spectate: bool = False,
        key: str | None = None,
    ) -> Decision:
        return self.do(cmd.JoinRoom(player, name or player.title(), node, spectate, key))

    def disconnect(self, player: str, node: str = "n1") -> Decision:
        return self.do(cmd.Disconnect(player, node))

    def leave(self, player: str) -> Decision:
        return self.do(cmd.LeaveRoom(player))

    def tick(self) -> Decision:
        return self.do(cmd.Tick())

    # Requests.

    def request(
        self, player: str, request: RoomRequest, code: str | None = None, node: str = "n1"
    ) -> Decision:
        return self.do(cmd.MemberRequest(player, node, request, code))

    def ready(self, player: str, ready: bool = True) -> Decision:
        return self.request(player, ask.Ready(ready=ready))

    def start_countdown(self, player: str = "ann") -> Decision:
        return self.request(player, ask.StartCountdown())

    def cancel_countdown(self, player: str = "ann") -> Decision:
        return self.request(player, ask.CancelCountdown())

    def kick(self, player: str, by: str = "ann") -> Decision:
        return self.request(by, ask.Kick(player=player))

    def lock(self, locked: bool = True, by: str = "ann") -> Decision:
        return self.request(by, ask.Lock(locked=locked))

    def configure(self, settings: Settings, code: str | None = None, by: str = "ann") -> Decision:
        return self.request(by, ask.Configure(settings=settings), code)

    # The race.

    def start_race(self, code: str = CODE) -> Decision:
        """Start the race at the end of the countdown, if one runs."""
        self.now = max(self.now, self.room.starts_at_ms)
        return self.do(cmd.StartRace(code))

    def race(self, *racers: str) -> None:
        """Start a race of these members."""
        for each in racers:
            self.ready(each)
        self.start_countdown(self.room.host)
        self.start_race()

    @property
    def at_ms(self) -> int:
        race = self.room.race
        assert race is not None
        return self.now - race.started_at_ms

    def win(self, player: str, race: int | None = None) -> Decision:
        return self.do(cmd.Win(player, race or self.room.races, self.at_ms, 851, 49))

    def forfeit(self, player: str) -> Decision:
        return self.do(cmd.Forfeit(player, self.room.races))

    def undo_forfeit(self, player: str) -> Decision:
        return self.do(cmd.UndoForfeit(player, self.room.races))

    def results(self) -> tuple[Result, ...]:
        """Return results of games without a move."""
        race = self.room.race
        assert race is not None
        return tuple(
            Result(each.player, each.name, 1, RacerState.UNFINISHED, 500, 0, 0, 0)
            for each in race.racers.values()
        )

    def end_race(self, race: int | None = None) -> Decision:
        return self.do(cmd.EndRace(race or self.room.races, self.results()))


@pytest.fixture
def story() -> Story:
    return Story()


@pytest.fixture(scope="session")
def new_story() -> Callable[[], Story]:
    """Create rooms, for tests that need many."""
    return Story
