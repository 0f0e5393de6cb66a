"""The client's model of a room: a fold over the server's messages. It has no rules of the game."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

import msgspec

from client_cli.core import own_game
from protocol import from_server
from protocol.from_client import AnyAction
from protocol.parts import Member, Phase, RaceView, Result, Settings, StandingsRow


@dataclass(frozen=True, slots=True)
class RaceInfo:
    """The running or last race; `started_ms` is a time on the servers' clock."""

    number: int
    code: str
    deal: own_game.Table
    racers: tuple[str, ...]
    started_ms: int
    time_limit_ms: int


@dataclass(frozen=True, slots=True)
class Model:
    """Everything that a front end shows. Names of members are kept after they have left."""

    me: str = ""
    room: str = ""
    host: str = ""
    owner: str = ""
    phase: Phase = Phase.LOBBY
    settings: Settings = field(default_factory=Settings)
    locked: bool = False
    has_password: bool = False
    named_code: bool = False
    races: int = 0
    members: tuple[Member, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    starts_at_ms: int | None = None
    race: RaceInfo | None = None
    game: own_game.OwnGame | None = None
    standings: tuple[StandingsRow, ...] = ()
    results: tuple[Result, ...] = ()
    seq: int = 0  # of the last event of the room
    pending: AnyAction | None = None  # the action under way
    refusal: str = ""  # why the last action was refused
    clock_ahead: int | None = None  # ms by which the servers' clock is ahead of the client's
    catching_up: tuple[int, own_game.OwnGame] | None = None  # game of a resumed connection, after event `seq`

    @property
    def racing(self) -> bool:
        """Whether this player is a racer of the running race."""
        return self.phase is Phase.RACING and self.game is not None

    @property
    def race_number(self) -> int:
        """Number of the running or last race, 0 without one."""
        return self.race.number if self.race else 0

    def name(self, player: str) -> str:
        """Return the name of a player, or the id if the name is unknown."""
        return self.names.get(player, player)

    def find(self, name: str) -> Member | None:
        """Return the member with this name, in any case."""
        wanted = name.casefold()
        return next((each for each in self.members if each.name.casefold() == wanted), None)

    def elapsed(self, now: int) -> int:
        """Return the ms since the start of the race; `now` is the client's own clock in ms."""
        return max(0, self._server_now(now) - self.race.started_ms) if self.race else 0

    def starts_in(self, now: int) -> int:
        """Return the ms until the race starts."""
        return max(0, self.starts_at_ms - self._server_now(now)) if self.starts_at_ms is not None else 0

    def _server_now(self, now: int) -> int:
        return now + (self.clock_ahead or 0)


def sent(model: Model, action: AnyAction) -> Model:
    """Return the model with an action under way; its answer does not repeat what it was.

    An action of another race than the running one does not touch the board.
    """
    if action.race != model.race_number:
        return model
    return replace(model, pending=action, refusal="")


def fold(model: Model, message: from_server.FromServer, now: int) -> Model:
    """Return the model after a message that arrived at `now`, the client's own clock in ms."""
    match message:
        case from_server.Welcome():
            return replace(model, me=message.player, clock_ahead=message.clock_ms - now)
        case from_server.Pong():
            return replace(model, clock_ahead=message.clock_ms - now)
        case from_server.Room():
            return _room(model, message, now)
        case from_server.Resumed():
            return _resumed(model, message, now)
        case from_server.Accepted():
            return _accepted(model, message)
        case from_server.Refused():
            if message.race != model.race_number:
                return model
            return replace(model, pending=None, refusal=message.text)
        case from_server.Game():
            if message.race != model.race_number:
                return model
            return replace(model, game=own_game.from_view(message.game), pending=None)
        case from_server.Error() if _is_pending(model, message.race, message.n):
            return replace(model, pending=None)
        case from_server.Standings():
            return replace(model, standings=tuple(message.rows))
        case (
            from_server.Done()
            | from_server.Error()
            | from_server.Notice()
            | from_server.Board()
            | from_server.Leaderboard()
            | from_server.RecordSent()
        ):
            return model
        case _:
            return replace(_event(model, message), seq=max(model.seq, message.seq))


def _room(model: Model, message: from_server.Room, now: int) -> Model:
    names = {each.player: each.name for each in [*(message.results or ()), *message.members]}
    return Model(
        me=message.you,
        room=message.room,
        host=message.host,
        owner=message.owner,
        phase=message.phase,
        settings=message.settings,
        locked=message.locked,
        has_password=message.has_password,
        named_code=message.named_code,
        races=message.races,
        members=tuple(message.members),
        names={**model.names, **names},
        starts_at_ms=None if message.starts_in_ms is None else message.clock_ms + message.starts_in_ms,
        race=_race(message.current_race, message.clock_ms) if message.current_race else None,
        game=own_game.from_view(message.game) if message.game else None,
        results=tuple(message.results or ()),
        seq=message.seq,
        clock_ahead=message.clock_ms - now,
    )


def _race(race: RaceView | from_server.RaceStarted, clock_ms: int) -> RaceInfo:
    started_ms = clock_ms - race.elapsed_ms
    deal = own_game.table(race.columns)
    return RaceInfo(race.race, race.code, deal, tuple(race.racers), started_ms, race.time_limit_ms)


def _resumed(model: Model, message: from_server.Resumed, now: int) -> Model:
    game = own_game.from_view(message.game) if message.game else None
    return replace(
        model,
        game=game or model.game,
        pending=None,
        clock_ahead=message.clock_ms - now,
        catching_up=(message.seq, game) if game else None,
    )


def _accepted(model: Model, message: from_server.Accepted) -> Model:
    """Apply an accepted action. An answer of another race, or to a repeat, leaves the board as it is."""
    if model.game is None or model.pending is None or not _is_pending(model, message.race, message.n):
        return model
    if message.n != model.game.n + 1:
        return replace(model, pending=None)
    deal = model.race.deal if model.race else ()
    game = own_game.after(model.game, model.pending, message, deal)
    return replace(model, game=game, pending=None, refusal="")


def _is_pending(model: Model, race: int | None, n: int | None) -> bool:
    return model.pending is not None and (model.pending.race, model.pending.n) == (race, n)


def _event(model: Model, event: from_server.RoomEvent) -> Model:
    match event:
        case from_server.MemberJoined():
            member = event.member
            others = tuple(each for each in model.members if each.player != member.player)
            names = {**model.names, member.player: member.name}
            return replace(model, members=(*others, member), names=names)
        case from_server.MemberLeft():
            return replace(
                model, members=tuple(each for each in model.members if each.player != event.player)
            )
        case from_server.MemberDisconnected():
            return _member(model, event.player, connected=False)
        case from_server.MemberReconnected():
            return _member(model, event.player, connected=True)
        case from_server.ReadyChanged():
            # A spectator who gets ready becomes a racer.
            changes = {"ready": True, "spectator": False} if event.ready else {"ready": False}
            return _member(model, event.player, **changes)
        case from_server.Configured():
            return replace(model, settings=event.settings, named_code=event.named_code)
        case from_server.LockChanged():
            return replace(model, locked=event.locked)
        case from_server.HostChanged():
            return replace(model, host=event.player)
        case from_server.CountdownStarted():
            return replace(model, phase=Phase.COUNTDOWN, starts_at_ms=event.clock_ms + event.starts_in_ms)
        case from_server.CountdownCancelled():
            return replace(model, phase=Phase.LOBBY, starts_at_ms=None)
        case from_server.RaceStarted():
            return _started(model, event)
        case from_server.RaceEnded():
            names = {**model.names, **{each.player: each.name for each in event.results}}
            return replace(model, phase=Phase.RESULTS, results=tuple(event.results), names=names)
        case from_server.LobbyOpened():
            return replace(model, phase=Phase.LOBBY, starts_at_ms=None)
        case (
            from_server.ChatMessage()
            | from_server.RacerWon()
            | from_server.RacerForfeited()
            | from_server.RacerForfeitUndone()
        ):
            return model
        case _:
            assert_never(event)


def _member(model: Model, player: str, **changes: bool) -> Model:
    members = (
        msgspec.structs.replace(each, **changes) if each.player == player else each for each in model.members
    )
    return replace(model, members=tuple(members))


def _started(model: Model, event: from_server.RaceStarted) -> Model:
    """Start a race: a racer has the deal, or the later game of a resumed connection."""
    race = _race(event, event.clock_ms)
    game = own_game.OwnGame(race.deal) if model.me in event.racers else None
    if game and model.catching_up and event.seq <= model.catching_up[0]:
        game = model.catching_up[1]
    return replace(
        model,
        phase=Phase.RACING,
        races=event.race,
        named_code=False,
        starts_at_ms=None,
        members=tuple(msgspec.structs.replace(each, ready=False) for each in model.members),
        race=race,
        game=game,
        pending=None,
        standings=(),
        results=(),
        refusal="",
    )
