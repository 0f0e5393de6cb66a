"""Standings of a race: each racer's committed progress, its sort key and its row."""

from typing import Final

from engine.progress import progress as cards_in_order
from engine.ranking import Merit, Mode, merit
from protocol.parts import RacerState, StandingsRow
from server.core.play import Play
from server.rooms.node_messages import RacerProgress

_WON: Final = RacerState.WON  # in Python 3.11 an enum looks its members up in Python


class RacerStanding:
    """The standing of one racer. The sort key and the row are computed again only after new progress.

    `progress` is how far the committed game has come. `merit` is the sort key of `weighed`, the progress at
    the last call of `weigh`: smaller is better.
    """

    __slots__ = ("_row", "merit", "progress", "weighed")

    def __init__(self, progress: RacerProgress) -> None:
        self.progress = progress
        self.weighed: RacerProgress | None = None
        self.merit: Merit = (0, 0, 0, 0, 0)
        self._row: StandingsRow | None = None  # the row of `weighed`, at its last rank

    def replace(self, progress: RacerProgress) -> None:
        """Set the progress, even if it is less than before."""
        self.progress = progress

    def report(self, progress: RacerProgress) -> None:
        """Apply the progress that another node reports, unless more is known here."""
        if progress.n > self.progress.n:
            self.progress = progress

    def weigh(self, mode: Mode) -> None:
        """Bring `merit` up to date with `progress`."""
        self.weighed = self.progress
        self._row = None
        self.merit = merit(self.progress, mode)

    def row(self, rank: int) -> StandingsRow:
        """Return the row of `weighed` for this rank."""
        row = self._row
        if row is None or row.rank != rank:
            now = self.progress
            at_ms = now.reached_ms if now.state is _WON else None
            row = self._row = StandingsRow(
                now.player, rank, now.score, now.moves, now.runs, now.progress, now.state, at_ms
            )
        return row


def progress_of(player: str, play: Play) -> RacerProgress:
    """Return how far a game has come."""
    game = play.game
    return RacerProgress(
        player,
        play.n,
        play.state,
        game.score,
        game.moves,
        game.runs,
        play.reached_ms,
        play.at_ms,
        cards_in_order(game.board, game.runs),
    )
