"""What has happened, one event a line: `event key=value ...`, for pipes, scripts and grep.

A value with a blank, a quote or nothing in it is a JSON string. Columns are counted from 1, times are in
milliseconds. Lines never change their meaning; new keys may be added at a line's end.
"""

import json
from typing import assert_never

from client_cli.model import Model
from client_cli.table import OwnGame, Table
from protocol import from_server as msg

Value = str | int | float | bool | None


def event(kind: str, **values: Value) -> str:
    """Return a line; values that are None are left out."""
    shown = (f"{key.rstrip('_')}={_text(value)}" for key, value in values.items() if value is not None)
    return " ".join([kind, *shown])


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    simple = text and text.isprintable() and not set(text) & set(" \"'\\=")
    return text if simple else json.dumps(text, ensure_ascii=not text.isprintable())


def lines(model: Model, message: msg.FromServer) -> list[str]:
    """Return what to print about a message; `model` is what was known *after* it.

    Standings come in bursts and are printed by `standings` when the shell thinks fit.
    """
    match message:
        case msg.Welcome():
            return [event("welcome", player=message.player, name=message.name, server=message.server)]
        case msg.Error():
            return [event("error", code=message.code, text=message.text)]
        case msg.Notice():
            return [event("notice", code=message.code, text=message.text, seconds=message.seconds)]
        case msg.Room():
            return _room(model)
        case msg.Resumed():
            return board(model.game) if message.game else []
        case msg.Accepted():
            return [_accepted(message)]
        case msg.Refused():
            return [event("refused", n=message.n, code=message.code, text=message.text)]
        case msg.Game():
            return board(model.game)
        case msg.Board():
            cells = columns_text(tuple(map(tuple, message.game.columns)))
            return [event("shown", name=model.name(message.player), score=message.game.score, columns=cells)]
        case msg.Leaderboard():
            return leaderboard(message)
        case msg.Pong() | msg.Done() | msg.Standings() | msg.RecordSent():
            return []
        case _:
            return _event(model, message)


def _event(model: Model, message: msg.RoomEvent) -> list[str]:
    match message:
        case msg.PersonJoined():
            return [event("joined", name=message.person.name, watching=message.person.watching)]
        case msg.PersonLeft():
            return [event("left", name=model.name(message.player), reason=message.reason)]
        case msg.PersonAway():
            return [event("away", name=model.name(message.player))]
        case msg.PersonBack():
            return [event("back", name=model.name(message.player))]
        case msg.ReadyChanged():
            return [event("ready" if message.ready else "unready", name=model.name(message.player))]
        case msg.Configured():
            return [_settings(model)]
        case msg.LockChanged():
            return [event("locked" if message.locked else "unlocked")]
        case msg.HostChanged():
            return [event("host", name=model.name(message.player))]
        case msg.Said():
            return [event("said", name=model.name(message.player), text=message.text)]
        case msg.CountdownStarted():
            return [event("countdown", race=message.race, starts_in=message.starts_in)]
        case msg.CountdownStopped():
            return [event("countdown_stopped", reason=message.reason)]
        case msg.RaceStarted():
            return _race(model)
        case msg.RacerWon():
            return [
                event(
                    "won",
                    name=model.name(message.player),
                    elapsed=message.elapsed,
                    score=message.score,
                    moves=message.moves,
                )
            ]
        case msg.RacerForfeited():
            return [event("forfeited", name=model.name(message.player))]
        case msg.RacerReturned():
            return [event("returned", name=model.name(message.player))]
        case msg.RaceOver():
            return [event("race_over", race=message.race, code=message.code), *results(model)]
        case msg.LobbyOpened():
            return [event("lobby")]
        case _:
            assert_never(message)


def _room(model: Model) -> list[str]:
    shown = [event("room", room=model.room, phase=model.phase, host=model.name(model.host)), _settings(model)]
    return [*shown, *people(model), *(_race(model) if model.race else [])]


def _settings(model: Model) -> str:
    chosen = model.settings
    return event(
        "settings",
        ranking=chosen.ranking,
        suits=chosen.suits,
        winnable=chosen.winnable,
        start=chosen.start,
        countdown=chosen.countdown,
        time_limit=chosen.time_limit,
        seats=chosen.seats,
        live_boards=chosen.live_boards,
        named_code=model.named_code,
    )


def people(model: Model) -> list[str]:
    """Return a line for each person in the room."""
    return [
        event(
            "person",
            name=each.name,
            ready=each.ready,
            watching=each.watching,
            away=each.away,
            host=each.player == model.host,
        )
        for each in model.people
    ]


def _race(model: Model) -> list[str]:
    race = model.race
    if race is None:
        return []
    racers = ",".join(model.name(player) for player in race.racers)
    started = event("race", number=race.number, code=race.code, racers=racers, racing=model.me in race.racers)
    return [started, *board(model.game)]


def board(game: OwnGame | None) -> list[str]:
    """Return the line of one's own board."""
    if game is None:
        return []
    return [
        event(
            "board",
            n=game.n,
            score=game.score,
            moves=game.moves,
            runs=game.runs,
            state=game.state,
            columns=columns_text(game.columns),
        )
    ]


def columns_text(columns: Table) -> str:
    """Return a board on one line: columns from 1 to 10 apart by `/`, cards one after another."""
    return "/".join("".join(column) for column in columns)


def _accepted(done: msg.Accepted) -> str:
    return event(
        "accepted",
        n=done.n,
        from_=None if done.source is None else done.source + 1,
        to=None if done.target is None else done.target + 1,
        count=done.count,
        run=done.run,
        score=done.score,
        moves=done.moves,
        runs=done.runs,
        at=done.at,
        state=done.state,
    )


def standings(model: Model) -> list[str]:
    """Return a line for each racer, best first."""
    return [
        event(
            "standing",
            rank=row.rank,
            name=model.name(row.player),
            joined=row.joined,
            runs=row.runs,
            score=row.score,
            moves=row.moves,
            state=row.state,
            elapsed=row.elapsed,
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
            reached=each.reached,
        )
        for each in model.results
    ]


def leaderboard(shown: msg.Leaderboard) -> list[str]:
    """Return a line for each place of the three leaderboards."""
    ladders = (("time", shown.by_time), ("score", shown.by_score), ("moves", shown.by_moves))
    return [
        event("best", by=by, rank=row.rank, name=row.name, value=row.value, race=row.race)
        for by, rows in ladders
        for row in rows
    ] or [event("best", by="none", code=shown.code)]
