"""People, standings, results and leaderboards as lines."""

from typing import Final

from client_cli import times
from client_cli.look import Line, Look, Role, Segment, line
from client_cli.model import Model
from client_cli.width import text_width
from protocol.from_server import Leaderboard
from protocol.parts import Person, Phase, RacerState, Result, Row, Standing

JOINS_TO_WIN: Final = 48
"""Same-suit neighbours in four runs of thirteen: a full progress bar."""

_NAME: Final = 24
_RANK: Final = 3
_PROGRESS: Final = 9
_NUMBERS: Final = 12
_WIDE: Final = 56
"""Cells of a line of standings: for rank, progress in words, and, from a width on, score and moves."""


def people(model: Model, look: Look) -> list[Line]:
    """Return a line for each person in the room."""
    return [_person(model, each, look) for each in model.people]


def _person(model: Model, person: Person, look: Look) -> Line:
    marks = [
        _stance(model, person),
        *(["host"] if person.player == model.host else []),
        *(["you"] if person.player == model.me else []),
        *(["connection lost"] if person.away else []),
    ]
    role = Role.ME if person.player == model.me else Role.TEXT
    return (Segment(f"  {look.fit(person.name, _NAME)} ", role), Segment(", ".join(marks), Role.QUIET))


def _stance(model: Model, person: Person) -> str:
    if model.phase is Phase.RACING and model.race is not None:
        return "racing" if person.player in model.race.racers else "watching"
    return "ready" if person.ready else "watching" if person.watching else "not ready"


def settings_text(model: Model, look: Look) -> str:
    """Return the room's settings in words."""
    chosen = model.settings
    deal = "the host has named the deal" if model.named_code else _deal_text(chosen.suits, chosen.winnable)
    words = [
        deal,
        "fastest wins" if chosen.ranking == "time" else "best score wins",
        f"{times.rough(chosen.time_limit * 1000)} at most",
        "the host starts" if chosen.start == "host" else "all ready starts",
        *(["boards shown live"] if chosen.live_boards else []),
        *(["locked"] if model.locked else []),
        *(["password"] if model.has_password else []),
    ]
    return f" {look.dot} ".join(words)


def _deal_text(suits: int, winnable: bool) -> str:
    kind = "1 suit" if suits == 1 else f"{suits} suits"
    return f"{kind}, can be won" if winnable else f"{kind}, any deal"


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


def _window(model: Model, height: int) -> list[Standing]:
    shown = list(model.standings[:height])
    mine = next((row for row in model.standings[height:] if row.player == model.me), None)
    return shown if mine is None else [*shown[:-1], mine]


def _standing(
    model: Model, row: Standing, look: Look, name_width: int, bar_width: int, *, wide: bool
) -> Line:
    mine = row.player == model.me
    mark = ">" if mine else " "
    role = Role.ME if mine else Role.TEXT
    pieces = [
        Segment(f"{row.rank:>2}{mark}{look.fit(model.name(row.player), name_width)} ", role),
        Segment(bar(row.joined, bar_width, look), Role.BAR),
        Segment(f" {_progress(row):<7}", role),
    ]
    if wide:
        pieces.append(Segment(f" {row.score:>5} {row.moves:>5}", Role.QUIET))
    return tuple(pieces)


def bar(joined: int, width: int, look: Look) -> str:
    """Return a progress bar; it is full only when the game is won."""
    full, empty = look.bar
    done = joined * width // JOINS_TO_WIN
    return full * done + empty * (width - done)


def _progress(row: Standing) -> str:
    """Return how far a racer is in at most seven cells."""
    match row.state:
        case RacerState.WON:
            return times.rough(row.elapsed) if row.elapsed is not None else "won"
        case RacerState.FORFEITED:
            return "gave up"
        case RacerState.PLAYING | RacerState.UNFINISHED:
            return f"{row.runs} runs" if row.runs != 1 else "1 run"


def results(model: Model, look: Look) -> list[Line]:
    """Return the results of a race as a table."""
    name_width = max([4, *(min(_NAME, text_width(each.name)) for each in model.results)])
    head = f"  # {look.fit('name', name_width)}  {'time':>11} {'score':>6} {'moves':>6} {'runs':>5}"
    return [line(head, Role.QUIET), *(_result(model, each, look, name_width) for each in model.results)]


def farewell(model: Model, look: Look) -> list[Line]:
    """Return what stays in sight after the screen was given back: results, if there are any."""
    if not model.results:
        return []
    code = model.race.code if model.race else ""
    return [line(f"Race {model.races} in room {model.room} {code}", Role.TITLE), *results(model, look)]


def _result(model: Model, result: Result, look: Look, name_width: int) -> Line:
    role = Role.ME if result.player == model.me else Role.TEXT
    name = look.fit(result.name, name_width)
    numbers = f"{_outcome(result):>11} {result.score:>6} {result.moves:>6} {result.runs:>5}"
    return line(f"{result.rank:>3} {name}  {numbers}", role)


def _outcome(result: Result) -> str:
    match result.state:
        case RacerState.WON:
            return times.exact(result.reached)
        case RacerState.FORFEITED:
            return "gave up"
        case RacerState.PLAYING | RacerState.UNFINISHED:
            return "not done"


def leaderboard(board: Leaderboard, look: Look) -> list[Line]:
    """Return the three leaderboards of a game code, one below the other."""
    lines: list[Line] = [line(f"Leaderboards of {board.code}", Role.TITLE)]
    lines += _ladder("best time", board.by_time, look, exact=True)
    lines += _ladder("best score", board.by_score, look)
    lines += _ladder("fewest moves", board.by_moves, look)
    return lines


def _ladder(title: str, rows: list[Row], look: Look, *, exact: bool = False) -> list[Line]:
    if not rows:
        return [line(f"{title}: nobody yet", Role.QUIET)]
    shown = [(row, times.exact(row.value) if exact else str(row.value)) for row in rows]
    return [
        line(title, Role.QUIET),
        *(line(f"{row.rank:>3} {look.fit(row.name, _NAME)} {value:>11}  {row.race}") for row, value in shown),
    ]
