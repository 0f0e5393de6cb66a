"""A room as it stands: the fold over its log.

`fold` is the only place that changes a `Room`. What may happen is decided in `server.core.decide`.
"""

from dataclasses import dataclass, field
from typing import assert_never

from protocol.parts import LeaveReason, Phase, RacerState, Result, Settings
from server.core import events as ev


@dataclass(slots=True)
class Member:
    """Somebody in the room. `since` counts joins: the smaller, the longer present."""

    player: str
    name: str
    since: int
    node: str
    watching: bool
    ready: bool = False
    away_since: int | None = None


@dataclass(slots=True)
class Racer:
    """What the room's log knows of a racer; a running game's progress is in the racer's own log."""

    player: str
    name: str
    state: RacerState = RacerState.PLAYING
    elapsed: int = 0
    score: int = 0
    moves: int = 0
    gave_up_at: int = 0


@dataclass(slots=True)
class Race:
    """A race, running or over."""

    number: int
    code: str
    started_at: int
    time_limit_ms: int
    racers: dict[str, Racer]
    results: tuple[Result, ...] | None = None

    @property
    def ends_at(self) -> int:
        """When the time limit is reached, on the store's clock."""
        return self.started_at + self.time_limit_ms


@dataclass(slots=True)
class Room:
    """The state of one room; `length` is the length of its log, and with it the last event's `seq`.

    `held` means that nothing starts by itself until somebody says anew that they are ready: the host has
    stopped a countdown, or has changed what the race will be. `said` counts the characters of all chat.
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
    starts_at: int = 0
    drawing_node: str = ""
    race: Race | None = None
    races: int = 0
    changed_at: int = 0
    said: int = 0

    def present(self) -> list[Member]:
        """Return who is connected, the longest present first."""
        return [member for member in self.members.values() if member.away_since is None]

    def nodes(self) -> set[str]:
        """Return the nodes that hold somebody's connection."""
        return {member.node for member in self.members.values() if member.away_since is None}


def fold(room: Room, event: ev.Event) -> None:
    """Let an event that was remembered, or is about to be, change the room."""
    room.length += 1
    room.changed_at = event.at
    match event:
        case ev.Opened():
            room.owner = room.host = event.owner
            room.settings, room.password, room.named_code = event.settings, event.password, event.code
        case ev.Joined():
            room.joins += 1
            room.members[event.player] = Member(
                event.player, event.name, room.joins, event.node, event.watching
            )
        case ev.Left():
            room.members.pop(event.player, None)
            if event.reason is LeaveReason.KICKED and event.player != room.owner:
                room.kicked.add(event.player)
        case ev.WentAway():
            room.members[event.player].away_since = event.at
        case ev.CameBack():
            member = room.members[event.player]
            member.away_since, member.node = None, event.node
        case ev.ReadySet():
            member = room.members[event.player]
            member.ready = event.ready
            member.watching = member.watching and not event.ready
            room.held = room.held and not event.ready
        case ev.SettingsSet():
            room.settings, room.named_code, room.held = event.settings, event.code, True
        case ev.LockSet():
            room.locked = event.locked
        case ev.HostSet():
            room.host = event.player
        case ev.Spoke():
            room.said += len(event.text)
        case ev.CountdownBegan():
            room.phase, room.starts_at, room.drawing_node = Phase.COUNTDOWN, event.starts_at, event.node
        case ev.CountdownEnded():
            room.phase, room.held = Phase.LOBBY, True
        case ev.Started():
            _start(room, event)
        case ev.Won() | ev.GaveUp() | ev.TookBack() | ev.Ended():
            _race(room, event)
        case ev.LobbyReopened():
            room.phase = Phase.LOBBY
        case _:
            assert_never(event)


def _start(room: Room, event: ev.Started) -> None:
    room.phase, room.races, room.named_code = Phase.RACING, event.race, None
    room.race = Race(
        event.race,
        event.code,
        event.at,
        event.time_limit_ms,
        {player: Racer(player, name) for player, name in event.racers},
    )
    for member in room.members.values():
        member.ready = False


def _race(room: Room, event: ev.Won | ev.GaveUp | ev.TookBack | ev.Ended) -> None:
    race = room.race
    if race is None:
        raise ValueError(f"room {room.code}: {event} without a race")
    match event:
        case ev.Won():
            racer = race.racers[event.player]
            racer.state, racer.elapsed = RacerState.WON, event.elapsed
            racer.score, racer.moves = event.score, event.moves
        case ev.GaveUp():
            racer = race.racers[event.player]
            racer.state, racer.gave_up_at = RacerState.FORFEITED, event.at
        case ev.TookBack():
            race.racers[event.player].state = RacerState.PLAYING
        case ev.Ended():
            race.results = event.results
            room.phase = Phase.RESULTS
        case _:
            assert_never(event)
