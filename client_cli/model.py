"""What the client knows: a fold over what the server says. Drawing only, no rules of the game."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

import msgspec

from client_cli import table
from protocol import from_server as msg
from protocol.from_client import AnyAction
from protocol.parts import Person, Phase, RaceView, Result, Settings, Standing


@dataclass(frozen=True, slots=True)
class RaceInfo:
    """The race that runs or ran last; `started` is on the servers' clock, in ms, as is `time_limit`."""

    number: int
    code: str
    deal: table.Table
    racers: tuple[str, ...]
    started: int
    time_limit: int


@dataclass(frozen=True, slots=True)
class Model:
    """Everything that the screen shows. People's names are kept after they have left."""

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
    people: tuple[Person, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    starts: int | None = None
    race: RaceInfo | None = None
    game: table.OwnGame | None = None
    standings: tuple[Standing, ...] = ()
    results: tuple[Result, ...] = ()
    seq: int = 0
    pending: AnyAction | None = None
    refusal: str = ""
    clock_ahead: int | None = None
    catching_up: tuple[int, table.OwnGame] | None = None

    @property
    def racing(self) -> bool:
        """Whether this player is a racer of the race that runs."""
        return self.phase is Phase.RACING and self.game is not None

    def name(self, player: str) -> str:
        """Return somebody's name, as far as it is known."""
        return self.names.get(player, player)

    def find(self, name: str) -> Person | None:
        """Return who in the room has this name, whatever its case."""
        wanted = name.casefold()
        return next((each for each in self.people if each.name.casefold() == wanted), None)

    def elapsed(self, now: int) -> int:
        """Return the ms since the start of the race; `now` is the client's own clock in ms."""
        return max(0, self._server_now(now) - self.race.started) if self.race else 0

    def starts_in(self, now: int) -> int:
        """Return the ms until the race starts."""
        return max(0, self.starts - self._server_now(now)) if self.starts is not None else 0

    def _server_now(self, now: int) -> int:
        return now + (self.clock_ahead or 0)


def sent(model: Model, action: AnyAction) -> Model:
    """Remember the action that is on its way; its answer does not repeat what it was."""
    return replace(model, pending=action, refusal="")


def fold(model: Model, message: msg.FromServer, now: int) -> Model:
    """Return what is known after a message that came at `now`, the client's own clock in ms."""
    match message:
        case msg.Welcome():
            return replace(model, me=message.player, clock_ahead=message.clock - now)
        case msg.Pong():
            return replace(model, clock_ahead=message.clock - now)
        case msg.Room():
            return _room(model, message, now)
        case msg.Resumed():
            return _resumed(model, message, now)
        case msg.Accepted():
            return _accepted(model, message)
        case msg.Refused():
            return replace(model, pending=None, refusal=message.text)
        case msg.Game():
            return replace(model, game=table.from_view(message.game), pending=None)
        case msg.Standings():
            return replace(model, standings=tuple(message.rows))
        case msg.Done() | msg.Error() | msg.Notice() | msg.Board() | msg.Leaderboard() | msg.RecordSent():
            return model
        case _:
            return replace(_event(model, message), seq=max(model.seq, message.seq))


def _room(model: Model, message: msg.Room, now: int) -> Model:
    people = {each.player: each.name for each in [*(message.results or ()), *message.people]}
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
        people=tuple(message.people),
        names={**model.names, **people},
        starts=None if message.starts_in is None else message.clock + message.starts_in,
        race=_race(message.race, message.clock) if message.race else None,
        game=table.from_view(message.game) if message.game else None,
        results=tuple(message.results or ()),
        seq=message.seq,
        clock_ahead=message.clock - now,
    )


def _race(race: RaceView | msg.RaceStarted, clock: int) -> RaceInfo:
    started = clock - race.elapsed
    deal = table.table(race.columns)
    return RaceInfo(race.race, race.code, deal, tuple(race.racers), started, race.time_limit)


def _resumed(model: Model, message: msg.Resumed, now: int) -> Model:
    game = table.from_view(message.game) if message.game else None
    return replace(
        model,
        game=game or model.game,
        pending=None,
        clock_ahead=message.clock - now,
        catching_up=(message.seq, game) if game else None,
    )


def _accepted(model: Model, message: msg.Accepted) -> Model:
    """Follow an accepted action. The answer to one that was repeated is old news and changes nothing."""
    if model.game is None or model.pending is None or message.n != model.game.n + 1:
        return model
    deal = model.race.deal if model.race else ()
    game = table.after(model.game, model.pending, message, deal)
    return replace(model, game=game, pending=None, refusal="")


def _event(model: Model, event: msg.RoomEvent) -> Model:
    match event:
        case msg.PersonJoined():
            person = event.person
            others = tuple(each for each in model.people if each.player != person.player)
            names = {**model.names, person.player: person.name}
            return replace(model, people=(*others, person), names=names)
        case msg.PersonLeft():
            return replace(model, people=tuple(each for each in model.people if each.player != event.player))
        case msg.PersonAway():
            return _person(model, event.player, away=True)
        case msg.PersonBack():
            return _person(model, event.player, away=False)
        case msg.ReadyChanged():
            # Who gets ready does not only watch any more.
            changes = {"ready": True, "watching": False} if event.ready else {"ready": False}
            return _person(model, event.player, **changes)
        case msg.Configured():
            return replace(model, settings=event.settings, named_code=event.named_code)
        case msg.LockChanged():
            return replace(model, locked=event.locked)
        case msg.HostChanged():
            return replace(model, host=event.player)
        case msg.CountdownStarted():
            return replace(model, phase=Phase.COUNTDOWN, starts=event.clock + event.starts_in)
        case msg.CountdownStopped():
            return replace(model, phase=Phase.LOBBY, starts=None)
        case msg.RaceStarted():
            return _started(model, event)
        case msg.RaceOver():
            names = {**model.names, **{each.player: each.name for each in event.results}}
            return replace(model, phase=Phase.RESULTS, results=tuple(event.results), names=names)
        case msg.LobbyOpened():
            return replace(model, phase=Phase.LOBBY, starts=None)
        case msg.Said() | msg.RacerWon() | msg.RacerForfeited() | msg.RacerReturned():
            return model
        case _:
            assert_never(event)


def _person(model: Model, player: str, **changes: bool) -> Model:
    people = (
        msgspec.structs.replace(each, **changes) if each.player == player else each for each in model.people
    )
    return replace(model, people=tuple(people))


def _started(model: Model, event: msg.RaceStarted) -> Model:
    """A race begins: whoever races has the deal before them, or what they have made of it meanwhile."""
    race = _race(event, event.clock)
    game = table.OwnGame(race.deal) if model.me in event.racers else None
    if game and model.catching_up and event.seq <= model.catching_up[0]:
        game = model.catching_up[1]
    return replace(
        model,
        phase=Phase.RACING,
        races=event.race,
        named_code=False,
        starts=None,
        people=tuple(msgspec.structs.replace(each, ready=False) for each in model.people),
        race=race,
        game=game,
        pending=None,
        standings=(),
        results=(),
        refusal="",
    )
