"""People, standings, results and leaderboards as lines."""

from typing import Final

from client_cli.core.model import Model
from client_cli.core.translatable import note as _
from client_cli.text import times
from client_cli.text.style import Line, Look, Role, Segment, line
from client_cli.text.translation import Words
from client_cli.text.width import fit, text_width
from engine.progress import MOST as JOINS_TO_WIN
from protocol.from_server import Leaderboard
from protocol.parts import (
    LeaderboardKind,
    LeaderboardRow,
    Member,
    Phase,
    RacerState,
    Result,
    Settings,
    StandingsRow,
)

_LADDERS: Final = {
    LeaderboardKind.TIME: _("best time"),
    LeaderboardKind.SCORE: _("best score"),
    LeaderboardKind.MOVES: _("fewest moves"),
}

_NAME: Final = 24
_RANK: Final = 3
_PROGRESS: Final = 9
_NUMBERS: Final = 12
_WIDE: Final = 56
"""Cells of a line of standings: for rank, progress in words, and, from a width on, score and moves."""


def people(model: Model, look: Look) -> list[Line]:
    """Return a line for each member in the room."""
    return [_member(model, each, look) for each in model.members]


def _member(model: Model, member: Member, look: Look) -> Line:
    words = look.words
    marks = [
        words(stance(model, member)),
        *([words("host")] if member.player == model.host else []),
        *([words("you")] if member.player == model.me else []),
        *([words("connection lost")] if not member.connected else []),
    ]
    role = Role.ME if member.player == model.me else Role.TEXT
    return (Segment(f"  {look.fit(member.name, _NAME)} ", role), Segment(words(", ").join(marks), Role.QUIET))


def stance(model: Model, member: Member) -> str:
    """Return in a word what somebody in the room is about."""
    if model.phase is Phase.RACING and model.race is not None:
        return _("racing") if member.player in model.race.racers else _("spectator")
    return _("ready") if member.ready else _("spectator") if member.spectator else _("not ready")


def left_out(model: Model) -> bool:
    """Return whether one has come to race, and is not ready for the race that is counted down."""
    mine = next((each for each in model.members if each.player == model.me), None)
    waits = mine is not None and not mine.ready and not mine.spectator
    return waits and model.phase is Phase.COUNTDOWN


def settings_text(model: Model, look: Look) -> str:
    """Return the room's settings in words."""
    chosen, words = model.settings, look.words
    told = [
        words("the host has named the deal") if model.named_code else _deal_text(chosen, words),
        words("fastest wins") if chosen.ranking == "time" else words("best score wins"),
        words("{time} at most", time=times.rough(chosen.time_limit_s * 1000)),
        words("the host starts") if chosen.start_mode == "host" else words("all ready starts"),
        *([words("boards shown live")] if chosen.live_boards else []),
        *([words("locked")] if model.locked else []),
        *([words("password")] if model.has_password else []),
    ]
    return f" {look.dot} ".join(told)


def _deal_text(chosen: Settings, words: Words) -> str:
    kind = words.many("{count} suit", "{count} suits", chosen.suits)
    ending = words("can be won") if chosen.winnable else words("any deal")
    return words("{kind}, {ending}", kind=kind, ending=ending)


def standings(model: Model, look: Look, width: int, height: int) -> list[Line]:
    """Return a line with a progress bar for each racer, best first, in `width` cells.

    Where more race than `height` lines can show, the best are shown, and oneself.
    """
    wide = width >= _WIDE
    free = width - _RANK - _PROGRESS - (_NUMBERS if wide else 0)
    name_width = min(_NAME, max(4, free // 2))
    bar_width = min(_NAME, max(4, free - name_width))
    rows = _window(model, max(1, height))
    return [_standing(model, row, look, name_width, bar_width, wide=wide) for row in rows]


def _window(model: Model, height: int) -> list[StandingsRow]:
    shown = list(model.standings[:height])
    mine = next((row for row in model.standings[height:] if row.player == model.me), None)
    return shown if mine is None else [*shown[:-1], mine]


def _standing(
    model: Model, row: StandingsRow, look: Look, name_width: int, bar_width: int, *, wide: bool
) -> Line:
    mine = row.player == model.me
    mark = ">" if mine else " "
    role = Role.ME if mine else Role.TEXT
    pieces = [
        Segment(f"{row.rank:>2}{mark}{look.fit(model.name(row.player), name_width)} ", role),
        Segment(bar(row.progress, bar_width, look), Role.BAR),
        Segment(f" {fit(progress(row, look), 7)}", role),
    ]
    if wide:
        pieces.append(Segment(f" {row.score:>5} {row.moves:>5}", Role.QUIET))
    return tuple(pieces)


def bar(progress: int, width: int, look: Look) -> str:
    """Return a progress bar; it is full only when the game is won."""
    full, empty = look.bar
    done = progress * width // JOINS_TO_WIN
    return full * done + empty * (width - done)


def progress(row: StandingsRow, look: Look) -> str:
    """Return how far a racer is in a few words, seven cells in English."""
    match row.state:
        case RacerState.WON:
            return times.rough(row.at_ms) if row.at_ms is not None else look.words("won")
        case RacerState.FORFEITED:
            return look.words("gave up")
        case RacerState.PLAYING | RacerState.UNFINISHED:
            return look.words.many("{count} run", "{count} runs", row.runs)


def results(model: Model, look: Look) -> list[Line]:
    """Return the results of a race as a table."""
    name_width = max([4, *(min(_NAME, text_width(each.name)) for each in model.results)])
    words = look.words
    columns = ((words("time"), 11), (words("score"), 6), (words("moves"), 6), (words("runs"), 5))
    numbers = " ".join(fit(label, cells, right=True) for label, cells in columns)
    name = words("name")
    head = f"  # {fit(name, name_width)}  {numbers}"
    return [line(head, Role.QUIET), *(_result(model, each, look, name_width) for each in model.results)]


def farewell(model: Model, look: Look) -> list[Line]:
    """Return what stays in sight after the screen was given back: results, if there are any."""
    if not model.results:
        return []
    code = model.race.code if model.race else ""
    title = look.words("Race {race} in room {room} {code}", race=model.races, room=model.room, code=code)
    return [line(title, Role.TITLE), *results(model, look)]


def _result(model: Model, result: Result, look: Look, name_width: int) -> Line:
    role = Role.ME if result.player == model.me else Role.TEXT
    name = look.fit(result.name, name_width)
    reached = fit(outcome(result, look), 11, right=True)
    numbers = f"{reached} {result.score:>6} {result.moves:>6} {result.runs:>5}"
    return line(f"{result.rank:>3} {name}  {numbers}", role)


def outcome(result: Result, look: Look) -> str:
    """Return the time of somebody who has won, else what became of the game."""
    match result.state:
        case RacerState.WON:
            return times.exact(result.reached_ms)
        case RacerState.FORFEITED:
            return look.words("gave up")
        case RacerState.PLAYING | RacerState.UNFINISHED:
            return look.words("not done")


def leaderboard(board: Leaderboard, look: Look) -> list[Line]:
    """Return the three leaderboards of a game code, one below the other."""
    lines: list[Line] = [line(look.words("Leaderboards of {code}", code=board.code), Role.TITLE)]
    for each in board.leaderboards:
        exact = each.kind is LeaderboardKind.TIME
        lines += _ladder(look.words(_LADDERS[each.kind]), each.rows, look, exact=exact)
    return lines


def _ladder(title: str, rows: list[LeaderboardRow], look: Look, *, exact: bool = False) -> list[Line]:
    if not rows:
        return [line(look.words("{title}: nobody yet", title=title), Role.QUIET)]
    shown = [(row, times.exact(row.value) if exact else str(row.value)) for row in rows]
    return [
        line(title, Role.QUIET),
        *(
            line(f"{row.rank:>3} {look.fit(row.name, _NAME)} {value:>11}  {row.race_id}")
            for row, value in shown
        ),
    ]
