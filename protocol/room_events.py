"""What happens in a room, as everybody in it is told: one class an event, tagged by `type`.

Every event has a `seq`; a client gives the last one it saw to come back without loss. Numbers may be skipped:
the log has entries that are not for everybody.
"""

from msgspec import Struct

from protocol.parts import Columns, LeaveReason, Person, Result, Settings, StopReason


class Message(Struct, frozen=True, tag_field="type", kw_only=True, omit_defaults=True):
    """What all messages of the server share: the tag."""


class Event(Message, frozen=True, kw_only=True):
    """What all events of a room share: their place in its log."""

    seq: int


class PersonJoined(Event, frozen=True, kw_only=True, tag="person_joined"):
    """Somebody new is in the room."""

    person: Person


class PersonLeft(Event, frozen=True, kw_only=True, tag="person_left"):
    """Somebody is no longer in the room."""

    player: str
    reason: LeaveReason


class PersonAway(Event, frozen=True, kw_only=True, tag="person_away"):
    """Somebody lost the connection; the seat is kept."""

    player: str


class PersonBack(Event, frozen=True, kw_only=True, tag="person_back"):
    """Somebody who was away is back."""

    player: str


class ReadyChanged(Event, frozen=True, kw_only=True, tag="ready_changed"):
    """Somebody is ready for the next race, or is not any more."""

    player: str
    ready: bool


class Configured(Event, frozen=True, kw_only=True, tag="configured"):
    """The settings of the room are these now."""

    settings: Settings
    named_code: bool


class LockChanged(Event, frozen=True, kw_only=True, tag="lock_changed"):
    """The room was locked or opened."""

    locked: bool


class HostChanged(Event, frozen=True, kw_only=True, tag="host_changed"):
    """Somebody else is the host now."""

    player: str


class Said(Event, frozen=True, kw_only=True, tag="said"):
    """Somebody said a line."""

    player: str
    text: str


class CountdownStarted(Event, frozen=True, kw_only=True, tag="countdown_started"):
    """A race starts in `starts_in` milliseconds from `clock`."""

    race: int
    starts_in: int
    clock: int


class CountdownStopped(Event, frozen=True, kw_only=True, tag="countdown_stopped"):
    """The countdown ended without a race."""

    reason: StopReason


class RaceStarted(Event, frozen=True, kw_only=True, tag="race_started"):
    """The race runs: here is the deal. `elapsed` is what has passed since the start at `clock`."""

    race: int
    code: str
    columns: Columns
    racers: list[str]
    time_limit: int
    elapsed: int
    clock: int


class RacerWon(Event, frozen=True, kw_only=True, tag="racer_won"):
    """A racer has won in `elapsed` milliseconds."""

    player: str
    elapsed: int
    score: int
    moves: int


class RacerForfeited(Event, frozen=True, kw_only=True, tag="racer_forfeited"):
    """A racer has given up."""

    player: str


class RacerReturned(Event, frozen=True, kw_only=True, tag="racer_returned"):
    """A racer has taken the forfeit back."""

    player: str


class RaceOver(Event, frozen=True, kw_only=True, tag="race_over"):
    """The race is over; these are its final results."""

    race: int
    code: str
    results: list[Result]


class LobbyOpened(Event, frozen=True, kw_only=True, tag="lobby_opened"):
    """The room makes ready for the next race."""


RoomEvent = (
    PersonJoined
    | PersonLeft
    | PersonAway
    | PersonBack
    | ReadyChanged
    | Configured
    | LockChanged
    | HostChanged
    | Said
    | CountdownStarted
    | CountdownStopped
    | RaceStarted
    | RacerWon
    | RacerForfeited
    | RacerReturned
    | RaceOver
    | LobbyOpened
)
