"""The phases of a room: what is allowed in each, and the events that lead from one to another.

`decide` reads here what to refuse, and `room.fold` the next phase. A test compares the diagrams in
ARCHITECTURE.md and PROTOCOL.md with `TRANSITIONS`.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple, TypeVar

from protocol import from_client as ask
from protocol.errors import ErrorCode
from protocol.parts import Phase
from protocol.refusals import RefusalCode
from server.core import commands as cmd
from server.core import events as ev

_R = TypeVar("_R")


class Ignored(Enum):
    """Result of a command that comes too late: no event and no error."""

    IGNORED = "ignored"


def _only_in(allowed: Phase, otherwise: _R) -> Mapping[Phase, _R]:
    return {phase: otherwise for phase in Phase if phase is not allowed}


REQUESTS: Final[Mapping[type[ask.RoomRequest], Mapping[Phase, ErrorCode]]] = {
    ask.Ready: {Phase.RACING: ErrorCode.RACE_RUNNING},
    ask.StartCountdown: {
        Phase.COUNTDOWN: ErrorCode.COUNTDOWN_RUNNING,
        Phase.RACING: ErrorCode.RACE_RUNNING,
        Phase.RESULTS: ErrorCode.NOBODY_READY,  # the first `ready` after a race opens the lobby
    },
    ask.CancelCountdown: _only_in(Phase.COUNTDOWN, ErrorCode.NO_COUNTDOWN),
    ask.Configure: {
        Phase.COUNTDOWN: ErrorCode.COUNTDOWN_RUNNING,
        Phase.RACING: ErrorCode.RACE_RUNNING,
    },
    ask.Lock: {},
    ask.Kick: {},
    ask.Chat: {},
}
"""For each request of a member, the error in the phases that do not allow it."""

COMMANDS: Final[Mapping[type[cmd.Command], Mapping[Phase, RefusalCode | Ignored]]] = {
    cmd.OpenRoom: {},
    cmd.JoinRoom: {},
    cmd.Reconnect: {},
    cmd.Disconnect: {},
    cmd.DisconnectNodes: {},
    cmd.LeaveRoom: {},
    cmd.MemberRequest: {},  # see REQUESTS
    cmd.Tick: {},
    cmd.StartRace: _only_in(Phase.COUNTDOWN, Ignored.IGNORED),
    cmd.Win: _only_in(Phase.RACING, RefusalCode.NOT_RACING),
    cmd.Forfeit: _only_in(Phase.RACING, RefusalCode.NOT_RACING),
    cmd.UndoForfeit: _only_in(Phase.RACING, RefusalCode.NOT_RACING),
    cmd.EndRace: _only_in(Phase.RACING, Ignored.IGNORED),
}
"""For each command, the result in the phases that do not allow it."""


class Transition(NamedTuple):
    """A change of phase by an event; `cause` is its label in the diagrams."""

    source: Phase
    target: Phase
    event: type[ev.Event]
    cause: str


TRANSITIONS: Final = (
    Transition(Phase.LOBBY, Phase.COUNTDOWN, ev.CountdownStarted, "start_countdown, or everybody is ready"),
    Transition(
        Phase.COUNTDOWN,
        Phase.LOBBY,
        ev.CountdownCancelled,
        "cancel_countdown, or nobody is ready at its end",
    ),
    Transition(Phase.COUNTDOWN, Phase.RACING, ev.RaceStarted, "the countdown ends"),
    Transition(Phase.RACING, Phase.RESULTS, ev.RaceEnded, "every racer is done, or the time limit"),
    Transition(Phase.RESULTS, Phase.LOBBY, ev.LobbyOpened, "the first ready, or configure"),
)

_DURING_RACE: Final = (ev.RacerWon, ev.RacerForfeited, ev.RacerForfeitUndone)

_PHASES: Final[Mapping[type[ev.Event], Mapping[Phase, Phase]]] = {
    **{each.event: {each.source: each.target} for each in TRANSITIONS},
    **{event: {Phase.RACING: Phase.RACING} for event in _DURING_RACE},
}
"""For each event that needs a phase: the phases in which it can happen, and the phase after each."""


def request_error(phase: Phase, request: ask.RoomRequest) -> ErrorCode | None:
    """Return the error of a request that this phase does not allow, or None."""
    return REQUESTS[type(request)].get(phase)


def command_refusal(phase: Phase, command: cmd.Command) -> RefusalCode | Ignored | None:
    """Return the result of a command that this phase does not allow, or None."""
    return COMMANDS[type(command)].get(phase)


def phase_after(phase: Phase, event: ev.Event) -> Phase | None:
    """Return the phase after an event, or None if the event cannot happen in this phase."""
    phases = _PHASES.get(type(event))
    return phase if phases is None else phases.get(phase)


def may_start_countdown(phase: Phase) -> bool:
    """Return whether a countdown can start in this phase."""
    return phase in _PHASES[ev.CountdownStarted]


def may_open_lobby(phase: Phase) -> bool:
    """Return whether the lobby can be opened in this phase."""
    return phase in _PHASES[ev.LobbyOpened]
