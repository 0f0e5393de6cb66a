"""Answers to requests about the connection and the room, errors and notices."""

from typing import Annotated

from msgspec import Meta

from protocol.base import Message
from protocol.fields import ClockMs, Ref, RoomCode
from protocol.parts import GameView, Member, Phase, RaceView, Result, Settings


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """The client is identified. `token` comes only with a new identity, and only once."""

    ref: Ref = 0
    protocol: Annotated[int, Meta(description="major version of the protocol")]
    server: Annotated[str, Meta(description="name and version of the server program")]
    player: Annotated[str, Meta(description="public id of the client's player; the client keeps it")]
    token: Annotated[str, Meta(description="secret of a new identity; the client keeps it")] | None = None
    name: Annotated[str, Meta(description="name of the player, normalized")]
    clock_ms: ClockMs


class Pong(Message, frozen=True, kw_only=True, tag="pong"):
    """The answer to `ping`, with a sample of the servers' clock."""

    ref: Ref = 0
    clock_ms: ClockMs


class Done(Message, frozen=True, kw_only=True, tag="done"):
    """The request was carried out and stored."""

    when = "answer to a request that has no other"

    ref: Ref = 0


class Error(Message, frozen=True, kw_only=True, tag="error"):
    """A message was not carried out, and nothing changed. It echoes what it answers, as far as readable."""

    when = "in place of any answer"

    ref: Ref = 0
    request: Annotated[str, Meta(description="type of the message that this answers")] | None = None
    race: Annotated[int, Meta(description="`race` of the message that this answers")] | None = None
    n: Annotated[int, Meta(description="`n` of the action that this answers")] | None = None
    code: Annotated[str, Meta(description="error code")]
    text: Annotated[str, Meta(description="the error in English, for people; may say more than the code")]
    temporary: Annotated[bool, Meta(description="whether the same request can succeed later")] = False
    retry_in_ms: Annotated[int, Meta(description="time to wait before sending it again")] | None = None


class Notice(Message, frozen=True, kw_only=True, tag="notice"):
    """A notice for people."""

    when = "at any time"

    code: Annotated[str, Meta(description="notice code")]
    text: Annotated[str, Meta(description="the notice for people, in the language of `hello`")]
    retry_in_ms: (
        Annotated[int, Meta(description="with `restarting`: wait before connecting again")] | None
    ) = None
    remaining_ms: Annotated[int, Meta(description="with `time_warning`: time left in the race")] | None = None


class Room(Message, frozen=True, kw_only=True, tag="room"):
    """A snapshot of the room. It replaces everything that the client knew about it."""

    ref: Ref = 0
    seq: Annotated[int, Meta(description="last event that this snapshot contains")]
    clock_ms: ClockMs
    room: RoomCode
    you: Annotated[str, Meta(description="player id of the client")]
    host: Annotated[str, Meta(description="player id of the member who can start, configure, lock and kick")]
    owner: Annotated[str, Meta(description="player id of the room's creator, who is host when connected")]
    phase: Annotated[Phase, Meta(description="phase of the room")]
    settings: Annotated[Settings, Meta(description="all settings of the room")]
    locked: Annotated[bool, Meta(description="whether new members are kept out")]
    has_password: Annotated[bool, Meta(description="whether new members need a password")]
    named_code: Annotated[
        bool,
        Meta(description="whether the host named the deal of the next race, which is sent at its start"),
    ]
    races: Annotated[int, Meta(description="how many races have started in this room")]
    members: Annotated[list[Member], Meta(description="all members, in the order in which they entered")]
    starts_in_ms: (
        Annotated[int, Meta(description="in a countdown: time until the start, from `clock_ms`")] | None
    ) = None
    current_race: Annotated[RaceView, Meta(description="in a race: the running race")] | None = None
    game: Annotated[GameView, Meta(description="the client's game, if it races")] | None = None
    results: Annotated[list[Result], Meta(description="after a race: its results")] | None = None


class Resumed(Message, frozen=True, kw_only=True, tag="resumed"):
    """The client is back in the room. The missed events follow in order, up to `seq`."""

    when = "answer to `join` with `seen`, if the server can replay every missed event"

    ref: Ref = 0
    seq: Annotated[int, Meta(description="length of the room's log: the events that follow end there")]
    clock_ms: ClockMs
    game: Annotated[GameView, Meta(description="the client's game, if it races")] | None = None
