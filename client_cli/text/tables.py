"""Members, standings, results and leaderboards as lines."""

from typing import Final

from client_cli.core import room_settings, times
from client_cli.core.model import Model
from client_cli.core.translatable import gettext_noop as _
from client_cli.text.style import Line, Role, Segment, Style, line
from client_cli.text.width import fit, text_width
from engine.progress import MOST as MOST_PROGRESS
from protocol.from_server import Leaderboard
from protocol.parts import (
    LeaderboardKind,
    LeaderboardRow,
    Member,
    Phase,
    RacerState,
    Result,
    StandingsRow,
)

_LEADERBOARD_TITLES: Final = {
    LeaderboardKind.TIME: _("best time"),
    LeaderboardKind.SCORE: _("best score"),
    LeaderboardKind.MOVES: _("fewest moves"),
}

_NAME: Final = 24
_RANK: Final = 3
_PROGRESS: Final = 9
_NUMBERS: Final = 12
_WIDE: Final = 56
"""Cells of the columns of the standings; from the width _WIDE on, score and moves have columns."""


def member_lines(model: Model, style: Style) -> list[Line]:
    """Return a line for each member of the room."""
    return [_member(model, each, style) for each in model.members]


def _member(model: Model, member: Member, style: Style) -> Line:
    translate = style.translate
    marks = [
        translate(stance(model, member)),
        *([translate("host")] if member.player == model.host else []),
        *([translate("you")] if member.player == model.me else []),
        *([translate("connection lost")] if not member.connected else []),
    ]
    role = Role.ME if member.player == model.me else Role.TEXT
    return (
        Segment(f"  {style.fit(member.name, _NAME)} ", role),
        Segment(translate(", ").join(marks), Role.QUIET),
    )


def stance(model: Model, member: Member) -> str:
    """Return the role of a member: racing, spectator, ready or not ready."""
    if model.phase is Phase.RACING and model.race is not None:
        return _("racing") if member.player in model.race.racers else _("spectator")
    return _("ready") if member.ready else _("spectator") if member.spectator else _("not ready")


def left_out(model: Model) -> bool:
    """Return whether a countdown runs and the user, who is not a spectator, is not ready."""
    mine = next((each for each in model.members if each.player == model.me), None)
    waits = mine is not None and not mine.ready and not mine.spectator
    return waits and model.phase is Phase.COUNTDOWN


def settings_text(model: Model, style: Style) -> str:
    """Return the room's settings on one line."""
    translate = style.translate
    random_deal = room_settings.summaries(model.settings, of_random_deal=True)
    others = room_settings.summaries(model.settings, of_random_deal=False)
    return f" {style.dot} ".join(
        [
            translate("the host has named the deal")
            if model.named_code
            else translate(", ").join(map(translate.sentence, random_deal)),
            *map(translate.sentence, others),
            *([translate("locked")] if model.locked else []),
            *([translate("password")] if model.has_password else []),
        ]
    )


def standings(model: Model, style: Style, width: int, height: int) -> list[Line]:
    """Return a line with a progress bar for each racer, best first, `width` cells wide.

    If there are more racers than `height` lines, the best are shown and the user.
    """
    wide = width >= _WIDE
    free = width - _RANK - _PROGRESS - (_NUMBERS if wide else 0)
    name_width = min(_NAME, max(4, free // 2))
    bar_width = min(_NAME, max(4, free - name_width))
    rows = _window(model, max(1, height))
    return [_standing(model, row, style, name_width, bar_width, wide=wide) for row in rows]


def _window(model: Model, height: int) -> list[StandingsRow]:
    shown = list(model.standings[:height])
    mine = next((row for row in model.standings[height:] if row.player == model.me), None)
    return shown if mine is None else [*shown[:-1], mine]


def _standing(
    model: Model, row: StandingsRow, style: Style, name_width: int, bar_width: int, *, wide: bool
) -> Line:
    mine = row.player == model.me
    mark = ">" if mine else " "
    role = Role.ME if mine else Role.TEXT
    pieces = [
        Segment(f"{row.rank:>2}{mark}{style.fit(model.name(row.player), name_width)} ", role),
        Segment(bar(row.progress, bar_width, style), Role.BAR),
        Segment(f" {fit(progress(row, style), 7)}", role),
    ]
    if wide:
        pieces.append(Segment(f" {row.score:>5} {row.moves:>5}", Role.QUIET))
    return tuple(pieces)


def bar(progress: int, width: int, style: Style) -> str:
    """Return a progress bar; only a won game fills it."""
    full, empty = style.bar
    done = progress * width // MOST_PROGRESS
    return full * done + empty * (width - done)


def progress(row: StandingsRow, style: Style) -> str:
    """Return a racer's time, runs or forfeit, seven cells wide in English."""
    match row.state:
        case RacerState.WON:
            return times.rough(row.at_ms) if row.at_ms is not None else style.translate("won")
        case RacerState.FORFEITED:
            return style.translate("gave up")
        case RacerState.PLAYING | RacerState.UNFINISHED:
            return style.translate.plural("{count} run", "{count} runs", row.runs)


def results(model: Model, style: Style) -> list[Line]:
    """Return the table of the results."""
    name_width = max([4, *(min(_NAME, text_width(each.name)) for each in model.results)])
    translate = style.translate
    columns = (
        (translate("time"), 11),
        (translate("score"), 6),
        (translate("moves"), 6),
        (translate("runs"), 5),
    )
    numbers = " ".join(fit(label, cells, right=True) for label, cells in columns)
    name = translate("name")
    head = f"  # {fit(name, name_width)}  {numbers}"
    return [line(head, Role.QUIET), *(_result(model, each, style, name_width) for each in model.results)]


def farewell(model: Model, style: Style) -> list[Line]:
    """Return what to print after the screen was closed: the results of the last race, if any."""
    if not model.results:
        return []
    code = model.race.code if model.race else ""
    title = style.translate("Race {race} in room {room} {code}", race=model.races, room=model.room, code=code)
    return [line(title, Role.TITLE), *results(model, style)]


def _result(model: Model, result: Result, style: Style, name_width: int) -> Line:
    role = Role.ME if result.player == model.me else Role.TEXT
    name = style.fit(result.name, name_width)
    reached = fit(outcome(result, style), 11, right=True)
    numbers = f"{reached} {result.score:>6} {result.moves:>6} {result.runs:>5}"
    return line(f"{result.rank:>3} {name}  {numbers}", role)


def outcome(result: Result, style: Style) -> str:
    """Return the time of a winner, otherwise the state of the game."""
    match result.state:
        case RacerState.WON:
            return times.exact(result.reached_ms)
        case RacerState.FORFEITED:
            return style.translate("gave up")
        case RacerState.PLAYING | RacerState.UNFINISHED:
            return style.translate("not done")


def leaderboard(board: Leaderboard, style: Style) -> list[Line]:
    """Return the leaderboards of a game code, one below the other."""
    lines: list[Line] = [line(style.translate("Leaderboards of {code}", code=board.code), Role.TITLE)]
    for each in board.leaderboards:
        exact = each.kind is LeaderboardKind.TIME
        lines += _leaderboard(style.translate(_LEADERBOARD_TITLES[each.kind]), each.rows, style, exact=exact)
    return lines


def _leaderboard(title: str, rows: list[LeaderboardRow], style: Style, *, exact: bool = False) -> list[Line]:
    if not rows:
        return [line(style.translate("{title}: nobody yet", title=title), Role.QUIET)]
    shown = [(row, times.exact(row.value) if exact else str(row.value)) for row in rows]
    return [
        line(title, Role.QUIET),
        *(
            line(f"{row.rank:>3} {style.fit(row.name, _NAME)} {value:>11}  {row.race_id}")
            for row, value in shown
        ),
    ]
