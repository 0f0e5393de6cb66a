"""Events as sentences for people."""

from typing import assert_never

from client_cli.core import times
from client_cli.core.model import Model
from client_cli.core.translatable import gettext_noop as _
from client_cli.text import server_texts
from client_cli.text.style import Style
from client_cli.text.tables import settings_text
from protocol import from_server
from protocol.parts import CancelReason, LeaveReason


def sentence(model: Model, message: from_server.FromServer, style: Style) -> str | None:
    """Return the sentence of a message, None without one; `model` is the model *after* it."""
    match message:
        case from_server.Error():
            return server_texts.error(style.translate, message)
        case from_server.Notice():
            return server_texts.notice(style.translate, message)
        case (
            from_server.Welcome()
            | from_server.Pong()
            | from_server.Done()
            | from_server.Room()
            | from_server.Resumed()
            | from_server.Accepted()
            | from_server.Refused()
            | from_server.Game()
            | from_server.Board()
            | from_server.Standings()
            | from_server.Leaderboard()
            | from_server.RecordSent()
        ):
            return None
        case _:
            return _event(model, message, style)


def _event(model: Model, event: from_server.RoomEvent, style: Style) -> str | None:
    translate, name = style.translate, model.name
    match event:
        case from_server.MemberJoined():
            if event.member.spectator:
                return translate("{name} has joined as a spectator.", name=event.member.name)
            return translate("{name} has joined.", name=event.member.name)
        case from_server.MemberLeft():
            return translate(_LEFT[event.reason], name=name(event.player))
        case from_server.MemberDisconnected() | from_server.MemberReconnected() if event.player == model.me:
            return None  # the connection has reported it already
        case from_server.MemberDisconnected():
            return translate("{name} has lost the connection; the seat is kept.", name=name(event.player))
        case from_server.MemberReconnected():
            return translate("{name} is back.", name=name(event.player))
        case from_server.ReadyChanged():
            return translate(_READY if event.ready else _NOT_READY, name=name(event.player))
        case from_server.Configured():
            return translate("The room is now: {settings}.", settings=settings_text(model, style))
        case from_server.LockChanged():
            return translate("The room is locked.") if event.locked else translate("The room is unlocked.")
        case from_server.HostChanged():
            return translate("{name} is the host now.", name=name(event.player))
        case from_server.ChatMessage():
            return f"{name(event.player)}: {event.text}"
        case from_server.CountdownStarted():
            seconds = round(event.starts_in_ms / 1000)
            if not seconds:
                return translate("Race {race} starts now.", race=event.race)
            return translate("Race {race} starts in {seconds} s.", race=event.race, seconds=seconds)
        case from_server.CountdownCancelled():
            return translate(_STOPPED[event.reason])
        case from_server.RaceStarted():
            started = translate("Race {race} has started on {code}.", race=event.race, code=event.code)
            if model.me in event.racers:
                return started
            return server_texts.joined(translate, started, translate("You watch this one."))
        case from_server.RacerWon():
            return translate(
                "{name} has won in {time} with {moves} moves: {score} points.",
                name=name(event.player),
                time=times.exact(event.at_ms),
                moves=event.moves,
                score=event.score,
            )
        case from_server.RacerForfeited():
            return translate("{name} has forfeited.", name=name(event.player))
        case from_server.RacerForfeitUndone():
            return translate("{name} has undone the forfeit.", name=name(event.player))
        case from_server.RaceEnded():
            return translate("Race {race} is over.", race=event.race)
        case from_server.LobbyOpened():
            return translate("The lobby is open for the next race.")
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
