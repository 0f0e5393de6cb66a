"""One racer's line in the live standings: how far the remembered game has come, and what that is worth."""

from typing import Final

from engine.progress import progress as progress_of
from engine.ranking import Merit, Mode, merit
from protocol.parts import RacerState, StandingsRow
from server.core.play import Play
from server.rooms.node_messages import Progress

_WON: Final = RacerState.WON  # in Python 3.11 an enum looks its members up in Python


class Line:
    """The line of one racer; weighed and written anew only when the game has gone on.

    `progress` may be replaced at any time; `merit` belongs to `weighed`, the progress that was weighed last.
    """

    __slots__ = ("_row", "merit", "progress", "weighed")

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.weighed: Progress | None = None
        self.merit: Merit = (0, 0, 0, 0, 0)
        self._row: StandingsRow | None = None

    def weigh(self, mode: Mode) -> None:
        """Bring `merit` up to date with `progress`."""
        self.weighed = self.progress
        self._row = None
        self.merit = merit(self.progress, mode)

    def row(self, rank: int) -> StandingsRow:
        """Return the line as it was weighed, for this rank."""
        row = self._row
        if row is None or row.rank != rank:
            now = self.progress
            reached_ms = now.reached_ms if now.state is _WON else None
            row = self._row = StandingsRow(
                now.player, rank, now.score, now.moves, now.runs, now.progress, now.state, reached_ms
            )
        return row

    def heard(self, progress: Progress) -> None:
        """Take another node's word for how far the game has come there."""
        if progress.n > self.progress.n:
            self.progress = progress


def measured(player: str, play: Play) -> Progress:
    """Return how far a game has come."""
    game = play.game
    return Progress(
        player,
        play.n,
        play.state,
        game.score,
        game.moves,
        game.runs,
        play.reached_ms,
        play.at_ms,
        progress_of(game.board, game.runs),
    )
