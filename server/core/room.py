"""A room as it stands: the fold over its log.

`fold` is the only place that changes a `Room`. What may happen is decided in `server.core.decide`.
"""

from dataclasses import dataclass, field
from typing import Final, assert_never

from protocol.parts import LeaveReason, Phase, RacerState, Result, Settings
from server.core import events as ev

RECENT_RACES: Final = 20
"""Races of a room whose actions can still be answered when they are sent again."""


@dataclass(slots=True)
class Member:
    """Somebody in the room. `since` counts joins: the smaller, the longer present."""

    player: str
    name: str
    since: int
    node: str
    spectator: bool
    ready: bool = False
    disconnected_at_ms: int | None = None


@dataclass(slots=True)
class Racer:
    """What the room's log knows of a racer; a running game's progress is in the racer's own log."""

    player: str
    name: str
    state: RacerState = RacerState.PLAYING
    at_ms: int = 0
    score: int = 0
    moves: int = 0
    forfeited_at_ms: int = 0


@dataclass(slots=True)
class Race:
    """A race, running or over."""

    number: int
    code: str
    started_at_ms: int
    time_limit_ms: int
    racers: dict[str, Racer]
    results: tuple[Result, ...] | None = None

    @property
    def ends_at_ms(self) -> int:
        """When the time limit is reached, on the store's clock."""
        return self.started_at_ms + self.time_limit_ms


@dataclass(slots=True)
class Room:
    """The state of one room; `length` is the length of its log, and with it the last event's `seq`.

    `race_codes` are the game codes of the last `RECENT_RACES` races, by number. `held`: nothing starts
    until a member gets ready, because the host cancelled a countdown or changed the settings. `said` counts
    the characters of all chat.
    """

    code: str
    length: int = 0
    owner: str = ""
    host: str = ""
    password: str | None = None
    settings: Settings = field(default_factory=Settings)
    named_code: str | None = None
    locked: bool = False
    held: bool = False
    phase: Phase = Phase.LOBBY
    members: dict[str, Member] = field(default_factory=dict)
    kicked: set[str] = field(default_factory=set)
    joins: int = 0
    starts_at_ms: int = 0
    drawing_node: str = ""
    race: Race | None = None
    races: int = 0
    race_codes: dict[int, str] = field(default_factory=dict)
    changed_at_ms: int = 0
    said: int = 0

    def present(self) -> list[Member]:
        """Return who is connected, the longest present first."""
        return [member for member in self.members.values() if member.disconnected_at_ms is None]

    def nodes(self) -> set[str]:
        """Return the nodes that hold somebody's connection."""
        return {member.node for member in self.members.values() if member.disconnected_at_ms is None}


def fold(room: Room, event: ev.Event) -> None:
    """Let an event that was remembered, or is about to be, change the room."""
    room.length += 1
    room.changed_at_ms = event.clock_ms
    match event:
        case ev.RoomOpened():
            room.owner = room.host = event.owner
            room.settings, room.password, room.named_code = event.settings, event.password, event.code
        case ev.MemberJoined():
            room.joins += 1
            room.members[event.player] = Member(
                event.player, event.name, room.joins, event.node, event.spectator
            )
        case ev.MemberLeft():
            room.members.pop(event.player, None)
            if event.reason is LeaveReason.KICKED and event.player != room.owner:
                room.kicked.add(event.player)
        case ev.MemberDisconnected():
            room.members[event.player].disconnected_at_ms = event.clock_ms
        case ev.MemberReconnected():
            member = room.members[event.player]
            member.disconnected_at_ms, member.node = None, event.node
        case ev.ReadyChanged():
            member = room.members[event.player]
            member.ready = event.ready
            member.spectator = member.spectator and not event.ready
            room.held = room.held and not event.ready
        case ev.Configured():
            room.settings, room.named_code, room.held = event.settings, event.code, True
        case ev.LockChanged():
            room.locked = event.locked
        case ev.HostChanged():
            room.host = event.player
        case ev.ChatMessage():
            room.said += len(event.text)
        case ev.CountdownStarted():
            room.phase, room.starts_at_ms, room.drawing_node = Phase.COUNTDOWN, event.starts_at_ms, event.node
        case ev.CountdownCancelled():
            room.phase, room.held = Phase.LOBBY, True
        case ev.RaceStarted():
            _start(room, event)
        case ev.RacerWon() | ev.RacerForfeited() | ev.RacerForfeitUndone() | ev.RaceEnded():
            _race(room, event)
        case ev.LobbyOpened():
            room.phase = Phase.LOBBY
        case _:
            assert_never(event)


def _start(room: Room, event: ev.RaceStarted) -> None:
    room.phase, room.races, room.named_code = Phase.RACING, event.race, None
    room.race = Race(
        event.race,
        event.code,
        event.clock_ms,
        event.time_limit_ms,
        {player: Racer(player, name) for player, name in event.racers},
    )
    room.race_codes[event.race] = event.code
    if len(room.race_codes) > RECENT_RACES:
        del room.race_codes[min(room.race_codes)]
    for member in room.members.values():
        member.ready = False


def _race(room: Room, event: ev.RacerWon | ev.RacerForfeited | ev.RacerForfeitUndone | ev.RaceEnded) -> None:
    race = room.race
    if race is None:
        raise ValueError(f"room {room.code}: {event} without a race")
    match event:
        case ev.RacerWon():
            racer = race.racers[event.player]
            racer.state, racer.at_ms = RacerState.WON, event.at_ms
            racer.score, racer.moves = event.score, event.moves
        case ev.RacerForfeited():
            racer = race.racers[event.player]
            racer.state, racer.forfeited_at_ms = RacerState.FORFEITED, event.clock_ms
        case ev.RacerForfeitUndone():
            race.racers[event.player].state = RacerState.PLAYING
        case ev.RaceEnded():
            race.results = event.results
            room.phase = Phase.RESULTS
        case _:
            assert_never(event)
