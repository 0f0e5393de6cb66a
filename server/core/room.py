"""State of a room: a fold over the events of its log.

Only `fold` changes a `Room`. `server.core.decide` decides which events happen.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, assert_never

from protocol.parts import LeaveReason, Phase, RacerState, Result, Settings
from server.core import events as ev
from server.core.phases import phase_after

RECENT_RACES: Final = 20
"""Races of a room whose actions can still be answered if they are sent again."""


@dataclass(slots=True)
class Member:
    """A member. `join_number` orders members by the time since they joined: the smallest joined first."""

    player: str
    name: str
    join_number: int
    node: str
    spectator: bool
    ready: bool = False
    disconnected_at_ms: int | None = None


@dataclass(slots=True)
class Racer:
    """A racer, as far as the room's log says; the moves are in the racer's own log."""

    player: str
    name: str
    state: RacerState = RacerState.PLAYING
    at_ms: int = 0
    score: int = 0
    moves: int = 0
    forfeited_at_ms: int = 0


@dataclass(slots=True)
class Race:
    """A race that is running, or the last one."""

    number: int
    code: str
    started_at_ms: int
    time_limit_ms: int
    racers: dict[str, Racer]
    results: tuple[Result, ...] | None = None

    @property
    def ends_at_ms(self) -> int:
        """Time at which the time limit is reached, on the clock that all servers share."""
        return self.started_at_ms + self.time_limit_ms


@dataclass(slots=True)
class Room:
    """State of one room. `length` is the length of its log, which is the `seq` of the last event.

    `held` is whether `all_ready` must wait for another `ready` before it starts a countdown, because a
    countdown was cancelled or the settings were changed. `race_codes` are the game codes of the last
    `RECENT_RACES` races, by number. `joins` and `chat_characters` count all joins and all characters of chat.
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
    chat_characters: int = 0

    @property
    def running_race(self) -> Race | None:
        """The race that is running, or None."""
        return self.race if self.phase is Phase.RACING else None

    def connected(self) -> list[Member]:
        """Return the connected members, in the order in which they joined."""
        return [member for member in self.members.values() if member.disconnected_at_ms is None]

    def nodes(self) -> set[str]:
        """Return the nodes that hold the members' connections."""
        return {member.node for member in self.members.values() if member.disconnected_at_ms is None}


class IllegalTransition(ValueError):  # noqa: N818 - the name says what happened
    """An event that cannot happen in the phase of the room."""


def check_transitions(room: Room, events: Iterable[ev.Event]) -> None:
    """Raise IllegalTransition if these events, in this order, cannot happen in the room now."""
    phase = room.phase
    for event in events:
        phase = _phase_after(room, phase, event)


def fold(room: Room, event: ev.Event) -> None:
    """Apply an event to the room. Raises IllegalTransition, and changes nothing, if it cannot happen."""
    room.phase = _phase_after(room, room.phase, event)
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
            room.chat_characters += len(event.text)
        case ev.CountdownStarted():
            room.starts_at_ms, room.drawing_node = event.starts_at_ms, event.node
        case ev.CountdownCancelled():
            room.held = True
        case ev.RaceStarted():
            _fold_start(room, event)
        case ev.RacerWon() | ev.RacerForfeited() | ev.RacerForfeitUndone() | ev.RaceEnded():
            _fold_race(room, event)
        case ev.LobbyOpened():
            pass
        case _:
            assert_never(event)


def _phase_after(room: Room, phase: Phase, event: ev.Event) -> Phase:
    after = phase_after(phase, event)
    if after is None:
        raise IllegalTransition(f"room {room.code}: {event} in phase {phase}")
    return after


def _fold_start(room: Room, event: ev.RaceStarted) -> None:
    room.races, room.named_code = event.race, None
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


def _fold_race(
    room: Room, event: ev.RacerWon | ev.RacerForfeited | ev.RacerForfeitUndone | ev.RaceEnded
) -> None:
    race = room.race
    if race is None:
        raise AssertionError(f"room {room.code} is in phase {room.phase} and has no race")
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
        case _:
            assert_never(event)
