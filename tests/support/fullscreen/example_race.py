"""Example race: the messages of a room with four racers and a spectator, from lobby to record."""

from functools import cache
from typing import Final

from engine import Game, GameCode, Move, Step, deal
from engine.progress import progress
from engine.solver import Solved, solve
from protocol import from_server
from protocol.parts import (
    LeaderboardKind,
    LeaderboardRow,
    LeaderboardTable,
    Member,
    Phase,
    RacerState,
    Ranking,
    Result,
    Settings,
    StandingsRow,
)
from protocol.record import FORMAT, ActionKind, Entry, FinishedRace, RacerRecord

CODE: Final = "SS1-S4-FRIENDS"
NAMES: Final = {"ada": "Ada", "ming": "陳小明", "zoe": "Zoë O’Hara-Lindqvist", "ben": "Ben", "mei": "林美玲"}
ACTION_INTERVAL_MS: Final = {"ada": 2100, "ming": 1900, "zoe": 2400, "ben": 1500}
RACERS: Final = tuple(ACTION_INTERVAL_MS)


@cache
def solution() -> tuple[Move, ...]:
    """Return moves that win the deal."""
    found = solve(deal(GameCode.parse(CODE)))
    assert isinstance(found, Solved)
    return found.moves


@cache
def record() -> FinishedRace:
    """Return the record: Ada and 陳小明 win, Zoë undoes moves and does not finish, Ben forfeits."""
    logs = {player: _log(player) for player in RACERS}
    results = sorted((_result(player, *logs[player]) for player in RACERS), key=lambda each: each.rank)
    racers = [
        RacerRecord(player, entries, game.board.columns_text()) for player, (entries, game) in logs.items()
    ]
    return FinishedRace(FORMAT, "KTQMX", 1, CODE, Ranking.TIME, 1_000_000, 1_800_000, racers, results)


def _log(player: str) -> tuple[list[Entry], Game]:
    game = Game(deal(GameCode.parse(CODE)))
    entries: list[Entry] = []
    interval_ms = ACTION_INTERVAL_MS[player]

    def add(kind: ActionKind, step: Step) -> None:
        at_ms = 3000 + interval_ms * len(entries) + 137 * (len(entries) % 7)
        entries.append(Entry(at_ms, kind, step.source, step.target, step.cards))

    share = {"zoe": 0.8, "ben": 0.35}.get(player, 1.0)
    moves = solution()[: int(len(solution()) * share)]
    for number, move in enumerate(moves):
        if player in {"ming", "zoe"} and number % 6 == 5:
            other = next(each for each in game.board.legal_moves() if each != move)
            step = game.move(*other)
            assert isinstance(step, Step)
            add(ActionKind.MOVE, step)
            back = game.undo()
            assert isinstance(back, Step)
            add(ActionKind.UNDO, back)
        step = game.move(*move)
        assert isinstance(step, Step)
        add(ActionKind.MOVE, step)
    if player == "ben":
        entries.append(Entry(entries[-1].at_ms + 4000, ActionKind.FORFEIT))
    return entries, game


def _result(player: str, entries: list[Entry], game: Game) -> Result:
    state = (
        RacerState.WON if game.is_won else RacerState.FORFEITED if player == "ben" else RacerState.UNFINISHED
    )
    reached = max(each.at_ms for each in entries if each.type is not ActionKind.FORFEIT)
    rank = {"ada": 1, "ming": 2, "zoe": 3, "ben": 4}[player]
    return Result(player, NAMES[player], rank, state, game.score, game.moves, game.runs, reached)


class ExampleRace:
    """The messages of the example race to one member of the room."""

    def __init__(self, me: str = "ada", **settings: object) -> None:
        self.me = me
        self.settings = Settings(suits=4, **settings)  # type: ignore[arg-type]  # each is a setting

    def room(self, phase: Phase = Phase.LOBBY) -> from_server.Room:
        """The room, with four racers and a spectator."""
        members = [
            Member(player, name, player in {"ada", "ming"}, player == "mei", player != "ben")
            for player, name in NAMES.items()
        ]
        return from_server.Room(
            ref=1,
            seq=3,
            clock_ms=1_000_000,
            room="KTQMX",
            you=self.me,
            host="ada",
            owner="ada",
            phase=phase,
            settings=self.settings,
            locked=False,
            has_password=True,
            named_code=False,
            races=0,
            members=members,
        )

    def welcome(self) -> from_server.Welcome:
        """The answer to hello."""
        return from_server.Welcome(
            protocol=1,
            server="simonrace",
            player=self.me,
            token=None,
            name=NAMES[self.me],
            clock_ms=1_000_000,
        )

    def joined(self) -> tuple[from_server.FromServer, ...]:
        """The answers to hello and join."""
        return (self.welcome(), self.room())

    def chat(self) -> tuple[from_server.FromServer, ...]:
        """Events of the lobby."""
        return (
            from_server.ChatMessage(seq=4, player="ming", text="大家準備好了嗎？ Ready when you are."),
            from_server.ReadyChanged(seq=5, player="zoe", ready=True),
        )

    def countdown(self) -> from_server.CountdownStarted:
        """A countdown of 4.2 seconds."""
        return from_server.CountdownStarted(seq=6, race=1, starts_in_ms=4200, clock_ms=1_000_000)

    def started(self) -> from_server.RaceStarted:
        """The start of the race."""
        columns = deal(GameCode.parse(CODE)).columns_text()
        return from_server.RaceStarted(
            seq=7,
            race=1,
            code=CODE,
            columns=columns,
            racers=list(RACERS),
            time_limit_ms=1_800_000,
            elapsed_ms=0,
            clock_ms=1_000_000,
        )

    def standings(self, done: float = 0.6) -> from_server.Standings:
        """The standings after a part of each racer's actions."""
        rows = []
        for racer in record().racers:
            game = Game(deal(GameCode.parse(CODE)))
            for entry in racer.actions[: int(len(racer.actions) * done)]:
                if entry.type is ActionKind.MOVE:
                    game.move(entry.source or 0, entry.target or 0, entry.cards or 0)
                elif entry.type is ActionKind.UNDO:
                    game.undo()
            rows.append(
                StandingsRow(
                    racer.player, 1, game.score, game.moves, game.runs, progress(game.board, game.runs)
                )
            )
        rows.sort(key=lambda row: (-row.runs, -row.progress, row.player))
        ranked = [
            StandingsRow(row.player, at, row.score, row.moves, row.runs, row.progress)
            for at, row in enumerate(rows, 1)
        ]
        return from_server.Standings(race=1, elapsed_ms=90_000, rows=ranked)

    def ended(self) -> from_server.RaceEnded:
        """The end of the race."""
        return from_server.RaceEnded(seq=20, race=1, code=CODE, results=record().results)

    def record_sent(self, ref: int = 0) -> from_server.RecordSent:
        """The record of the race."""
        return from_server.RecordSent(ref=ref, record=record())

    def leaderboard(self) -> from_server.Leaderboard:
        """The leaderboards of the deal."""
        best = [
            LeaderboardRow(1, "ada", "Ada", 133_200, "KTQMX/1"),
            LeaderboardRow(2, "ming", "陳小明", 158_000, "KTQMX/1"),
        ]
        score = [
            LeaderboardRow(1, "ada", "Ada", 837, "KTQMX/1"),
            LeaderboardRow(1, "ming", "陳小明", 837, "KTQMX/1"),
        ]
        return from_server.Leaderboard(
            code=CODE,
            leaderboards=[
                LeaderboardTable(LeaderboardKind.TIME, best),
                LeaderboardTable(LeaderboardKind.SCORE, score),
                LeaderboardTable(LeaderboardKind.MOVES, []),
            ],
        )
