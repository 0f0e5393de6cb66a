"""Messages about a game or a race: answers to actions, boards, standings, leaderboards, records."""

from typing import Annotated

from msgspec import Meta, field

from protocol.base import Message
from protocol.fields import (
    ActionNumber,
    AtMs,
    ElapsedMs,
    GameCode,
    MovedCards,
    MovedFrom,
    MovedTo,
    Moves,
    PlayerId,
    RaceNumber,
    Ref,
    Runs,
    Score,
    Undoable,
)
from protocol.parts import GameView, LeaderboardTable, RacerState, StandingsRow
from protocol.record import FinishedRace


class Accepted(Message, frozen=True, kw_only=True, gc=False, tag="accepted"):
    """Action `n` of race `race` is stored. Score, moves and runs are those after it.

    `from`, `to` and `cards` say which cards moved. A `restart` has none of them: the board is the deal again.
    """

    when = "answer to an action, once it is stored"

    race: RaceNumber
    n: ActionNumber
    at_ms: AtMs
    score: Score
    moves: Moves
    runs: Runs
    undoable: Undoable
    source: MovedFrom | None = field(name="from", default=None)
    target: MovedTo | None = field(name="to", default=None)
    cards: MovedCards | None = None
    run: (
        Annotated[str, Meta(description="suit of the run that left the table or, for an undo, came back")]
        | None
    ) = None
    state: Annotated[RacerState, Meta(description="state of the racer after the action")] = RacerState.PLAYING


class Refused(Message, frozen=True, kw_only=True, tag="refused"):
    """Action `n` of race `race` was not carried out, and nothing changed.

    After `busy`, every later action of that race is refused as well, until this one is sent again.
    """

    when = "answer to an action that changed nothing"

    race: RaceNumber
    n: ActionNumber
    expected: Annotated[int, Meta(description="number that the next action must have; 0 without a game")]
    code: Annotated[str, Meta(description="refusal code")]
    text: Annotated[str, Meta(description="the rule for people, in the language of `hello`")]
    retry_in_ms: Annotated[int, Meta(description="with `busy`: wait before sending it again")] | None = None


class Game(Message, frozen=True, kw_only=True, tag="game"):
    """The client's own game as the server has it."""

    ref: Ref = 0
    race: RaceNumber
    game: Annotated[GameView, Meta(description="the game")]


class Board(Message, frozen=True, kw_only=True, tag="board"):
    """A racer's board."""

    ref: Ref = 0
    race: RaceNumber
    player: PlayerId
    game: Annotated[GameView, Meta(description="the racer's game")]


class Standings(Message, frozen=True, kw_only=True, tag="standings"):
    """The live standings, best first. A newer message replaces an older one.

    In a race of more than 40 racers they have only the first ten rows and those around the client's own, and
    `racer_count`.
    """

    when = "during a race, to everybody in the room, after a change"

    race: RaceNumber
    elapsed_ms: ElapsedMs
    rows: Annotated[list[StandingsRow], Meta(description="one row for each racer shown, best first")]
    racer_count: Annotated[int, Meta(description="number of racers; absent if each has a row")] | None = None


class Leaderboard(Message, frozen=True, kw_only=True, tag="leaderboard"):
    """The leaderboards of a game code. They list won games only."""

    when = "answer to `subscribe_leaderboard`, and again without `ref` after every change"

    ref: Ref = 0
    code: GameCode
    leaderboards: Annotated[list[LeaderboardTable], Meta(description="one leaderboard of each kind")]


class RecordSent(Message, frozen=True, kw_only=True, tag="record"):
    """The record of a finished race."""

    ref: Ref = 0
    record: Annotated[FinishedRace, Meta(description="the record")]
