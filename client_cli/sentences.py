"""What has happened, as a sentence for people."""

from typing import assert_never

from client_cli import times
from client_cli.look import Look
from client_cli.model import Model
from client_cli.people_view import settings_text
from protocol import from_server as msg
from protocol.parts import LeaveReason, StopReason


def sentence(model: Model, message: msg.FromServer, look: Look) -> str | None:
    """Return what to tell about a message, or None; `model` is what was known *after* it."""
    match message:
        case msg.Error():
            return message.text
        case msg.Notice():
            when = f" ({round(message.seconds, 1):g} s)" if message.seconds is not None else ""
            return message.text + when
        case (
            msg.Welcome()
            | msg.Pong()
            | msg.Done()
            | msg.Room()
            | msg.Resumed()
            | msg.Accepted()
            | msg.Refused()
            | msg.Game()
            | msg.Board()
            | msg.Standings()
            | msg.Leaderboard()
            | msg.RecordSent()
        ):
            return None
        case _:
            return _event(model, message, look)


def _event(model: Model, event: msg.RoomEvent, look: Look) -> str | None:
    match event:
        case msg.PersonJoined():
            return f"{event.person.name} has come in" + (" to watch." if event.person.watching else ".")
        case msg.PersonLeft():
            return f"{model.name(event.player)} {_LEFT[event.reason]}."
        case msg.PersonAway():
            return f"{model.name(event.player)} has lost the connection; the seat is kept."
        case msg.PersonBack():
            return f"{model.name(event.player)} is back."
        case msg.ReadyChanged():
            return f"{model.name(event.player)} is {'ready' if event.ready else 'not ready'}."
        case msg.Configured():
            return f"The room is now: {settings_text(model, look)}."
        case msg.LockChanged():
            return "The room is locked." if event.locked else "The room is open."
        case msg.HostChanged():
            return f"{model.name(event.player)} is the host now."
        case msg.Said():
            return f"{model.name(event.player)}: {event.text}"
        case msg.CountdownStarted():
            seconds = round(event.starts_in / 1000)
            return f"Race {event.race} starts {f'in {seconds} s' if seconds else 'now'}."
        case msg.CountdownStopped():
            return _STOPPED[event.reason]
        case msg.RaceStarted():
            watching = "" if model.me in event.racers else " You watch this one."
            return f"Race {event.race} has started on {event.code}.{watching}"
        case msg.RacerWon():
            name, time = model.name(event.player), times.exact(event.elapsed)
            return f"{name} has won in {time} with {event.moves} moves: {event.score} points."
        case msg.RacerForfeited():
            return f"{model.name(event.player)} has given up."
        case msg.RacerReturned():
            return f"{model.name(event.player)} plays on after all."
        case msg.RaceOver():
            return f"Race {event.race} is over."
        case msg.LobbyOpened():
            return "The room makes ready for the next race."
        case _:
            assert_never(event)


_LEFT = {
    LeaveReason.LEFT: "has left",
    LeaveReason.KICKED: "was removed by the host",
    LeaveReason.EXPIRED: "has been away too long",
}
_STOPPED = {
    StopReason.CANCELLED: "The host has stopped the countdown.",
    StopReason.NOBODY_READY: "The countdown ended without a race: nobody was ready.",
}
