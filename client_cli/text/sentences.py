"""What has happened, as a sentence for people."""

from typing import assert_never

from client_cli.core.model import Model
from client_cli.core.translatable import note as _
from client_cli.text import server_texts, times
from client_cli.text.style import Look
from client_cli.text.tables import settings_text
from protocol import from_server as msg
from protocol.parts import CancelReason, LeaveReason


def sentence(model: Model, message: msg.FromServer, look: Look) -> str | None:
    """Return what to tell about a message, or None; `model` is what was known *after* it."""
    match message:
        case msg.Error():
            return server_texts.error(look.words, message)
        case msg.Notice():
            return server_texts.notice(look.words, message)
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
    words, name = look.words, model.name
    match event:
        case msg.MemberJoined():
            if event.member.spectator:
                return words("{name} has joined as a spectator.", name=event.member.name)
            return words("{name} has joined.", name=event.member.name)
        case msg.MemberLeft():
            return words(_LEFT[event.reason], name=name(event.player))
        case msg.MemberDisconnected() | msg.MemberReconnected() if event.player == model.me:
            return None  # the link has told it, when it happened
        case msg.MemberDisconnected():
            return words("{name} has lost the connection; the seat is kept.", name=name(event.player))
        case msg.MemberReconnected():
            return words("{name} is back.", name=name(event.player))
        case msg.ReadyChanged():
            return words(_READY if event.ready else _NOT_READY, name=name(event.player))
        case msg.Configured():
            return words("The room is now: {settings}.", settings=settings_text(model, look))
        case msg.LockChanged():
            return words("The room is locked.") if event.locked else words("The room is unlocked.")
        case msg.HostChanged():
            return words("{name} is the host now.", name=name(event.player))
        case msg.ChatMessage():
            return f"{name(event.player)}: {event.text}"
        case msg.CountdownStarted():
            seconds = round(event.starts_in_ms / 1000)
            if not seconds:
                return words("Race {race} starts now.", race=event.race)
            return words("Race {race} starts in {seconds} s.", race=event.race, seconds=seconds)
        case msg.CountdownCancelled():
            return words(_STOPPED[event.reason])
        case msg.RaceStarted():
            started = words("Race {race} has started on {code}.", race=event.race, code=event.code)
            if model.me in event.racers:
                return started
            return server_texts.joined(words, started, words("You watch this one."))
        case msg.RacerWon():
            return words(
                "{name} has won in {time} with {moves} moves: {score} points.",
                name=name(event.player),
                time=times.exact(event.at_ms),
                moves=event.moves,
                score=event.score,
            )
        case msg.RacerForfeited():
            return words("{name} has forfeited.", name=name(event.player))
        case msg.RacerForfeitUndone():
            return words("{name} has undone the forfeit.", name=name(event.player))
        case msg.RaceEnded():
            return words("Race {race} is over.", race=event.race)
        case msg.LobbyOpened():
            return words("The lobby is open for the next race.")
        case _:
            assert_never(event)


_READY = _("{name} is ready.")
_NOT_READY = _("{name} is not ready.")
_LEFT = {
    LeaveReason.LEFT: _("{name} has left."),
    LeaveReason.KICKED: _("{name} was removed by the host."),
    LeaveReason.EXPIRED: _("{name} was disconnected for too long."),
}
_STOPPED = {
    CancelReason.BY_HOST: _("The host has cancelled the countdown."),
    CancelReason.NOBODY_READY: _("The countdown ended without a race: nobody was ready."),
}
