"""Events as lines for pipes and scripts: `event key=value ...`.

A value that is empty or has a blank, a quote, a backslash or `=` is a JSON string. Columns are counted from
1, times are in milliseconds. The meaning of a line never changes; new keys may be added.
"""

import json
from typing import assert_never

import msgspec

from client_cli.core.model import Model
from client_cli.core.own_game import OwnGame, Table
from protocol import from_server

Value = str | int | float | bool | None


def event(kind: str, **values: Value) -> str:
    """Return the line of an event, without the None values."""
    shown = (f"{key.rstrip('_')}={_text(value)}" for key, value in values.items() if value is not None)
    return " ".join([kind, *shown])


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    simple = text and text.isprintable() and not set(text) & set(" \"'\\=")
    return text if simple else json.dumps(text, ensure_ascii=not text.isprintable())


def lines(model: Model, message: from_server.FromServer) -> list[str]:
    """Return the lines of a message; `model` is the model *after* it.

    Standings are frequent; the front end prints them by `standings` at its own rate.
    """
    match message:
        case from_server.Welcome():
            return [event("welcome", player=message.player, name=message.name, server=message.server)]
        case from_server.Error():
            return [event("error", code=message.code, text=message.text)]
        case from_server.Notice():
            return [
                event(
                    "notice",
                    code=message.code,
                    text=message.text,
                    retry_in_ms=message.retry_in_ms,
                    remaining_ms=message.remaining_ms,
                )
            ]
        case from_server.Room():
            return _room(model)
        case from_server.Resumed():
            return own_game(model.game) if message.game else []
        case from_server.Accepted():
            return [_accepted(message)]
        case from_server.Refused():
            return [event("refused", race=message.race, n=message.n, code=message.code, text=message.text)]
        case from_server.Game():
            return own_game(model.game)
        case from_server.Board():
            cells = columns_text(tuple(map(tuple, message.game.columns)))
            return [event("board", name=model.name(message.player), score=message.game.score, columns=cells)]
        case from_server.Leaderboard():
            return leaderboard(message)
        case from_server.Pong() | from_server.Done() | from_server.Standings() | from_server.RecordSent():
            return []
        case _:
            return _event(model, message)


def _event(model: Model, message: from_server.RoomEvent) -> list[str]:
    match message:
        case from_server.MemberJoined():
            return [event("member_joined", name=message.member.name, spectator=message.member.spectator)]
        case from_server.MemberLeft():
            return [event("member_left", name=model.name(message.player), reason=message.reason)]
        case from_server.MemberDisconnected():
            return [event("member_disconnected", name=model.name(message.player))]
        case from_server.MemberReconnected():
            return [event("member_reconnected", name=model.name(message.player))]
        case from_server.ReadyChanged():
            return [event("ready_changed", name=model.name(message.player), ready=message.ready)]
        case from_server.Configured():
            return [_settings(model, "configured")]
        case from_server.LockChanged():
            return [event("lock_changed", locked=message.locked)]
        case from_server.HostChanged():
            return [event("host_changed", name=model.name(message.player))]
        case from_server.ChatMessage():
            return [event("chat_message", name=model.name(message.player), text=message.text)]
        case from_server.CountdownStarted():
            return [event("countdown_started", race=message.race, starts_in_ms=message.starts_in_ms)]
        case from_server.CountdownCancelled():
            return [event("countdown_cancelled", reason=message.reason)]
        case from_server.RaceStarted():
            return _race(model, "race_started")
        case from_server.RacerWon():
            return [
                event(
                    "racer_won",
                    name=model.name(message.player),
                    at_ms=message.at_ms,
                    score=message.score,
                    moves=message.moves,
                )
            ]
        case from_server.RacerForfeited():
            return [event("racer_forfeited", name=model.name(message.player))]
        case from_server.RacerForfeitUndone():
            return [event("racer_forfeit_undone", name=model.name(message.player))]
        case from_server.RaceEnded():
            return [event("race_ended", race=message.race, code=message.code), *results(model)]
        case from_server.LobbyOpened():
            return [event("lobby_opened")]
        case _:
            assert_never(message)


def _room(model: Model) -> list[str]:
    shown = [event("room", room=model.room, phase=model.phase, host=model.name(model.host)), _settings(model)]
    return [*shown, *members(model), *_race(model, "current_race")]


def _settings(model: Model, kind: str = "settings") -> str:
    return event(kind, **msgspec.structs.asdict(model.settings), named_code=model.named_code)


def members(model: Model) -> list[str]:
    """Return a line for each member of the room."""
    return [
        event(
            "member",
            name=each.name,
            ready=each.ready,
            spectator=each.spectator,
            connected=each.connected,
            host=each.player == model.host,
        )
        for each in model.members
    ]


def _race(model: Model, kind: str) -> list[str]:
    race = model.race
    if race is None:
        return []
    racers = ",".join(model.name(player) for player in race.racers)
    started = event(kind, race=race.number, code=race.code, racers=racers, racing=model.me in race.racers)
    return [started, *own_game(model.game)]


def own_game(game: OwnGame | None) -> list[str]:
    """Return the line of the player's own game."""
    if game is None:
        return []
    return [
        event(
            "game",
            n=game.n,
            score=game.score,
            moves=game.moves,
            runs=game.runs,
            state=game.state,
            columns=columns_text(game.columns),
        )
    ]


def columns_text(columns: Table) -> str:
    """Return a board on one line: the cards of each column, columns separated by `/`."""
    return "/".join("".join(column) for column in columns)


def _accepted(done: from_server.Accepted) -> str:
    return event(
        "accepted",
        race=done.race,
        n=done.n,
        from_=None if done.source is None else done.source + 1,
        to=None if done.target is None else done.target + 1,
        cards=done.cards,
        run=done.run,
        score=done.score,
        moves=done.moves,
        runs=done.runs,
        at_ms=done.at_ms,
        state=done.state,
    )


def standings(model: Model) -> list[str]:
    """Return a line for each racer, best first."""
    return [
        event(
            "standings",
            rank=row.rank,
            name=model.name(row.player),
            progress=row.progress,
            runs=row.runs,
            score=row.score,
            moves=row.moves,
            state=row.state,
            at_ms=row.at_ms,
        )
        for row in model.standings
    ]


def results(model: Model) -> list[str]:
    """Return a line for each result, best first."""
    return [
        event(
            "result",
            rank=each.rank,
            name=each.name,
            state=each.state,
            score=each.score,
            moves=each.moves,
            runs=each.runs,
            reached_ms=each.reached_ms,
        )
        for each in model.results
    ]


def leaderboard(shown: from_server.Leaderboard) -> list[str]:
    """Return a line for each row of the leaderboards."""
    return [
        event("leaderboard", by=each.kind, rank=row.rank, name=row.name, value=row.value, race_id=row.race_id)
        for each in shown.leaderboards
        for row in each.rows
    ] or [event("leaderboard", by="none", code=shown.code)]
