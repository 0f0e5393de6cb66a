"""A racer's game: numbers, refusals, forfeits, and the log from which it is loaded."""

from dataclasses import dataclass, field

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import Board
from engine.code import GameCode
from engine.deal import deal
from engine.ranking import Placing, Status
from protocol import limits
from protocol.from_client import AnyAction, AutoMove, Forfeit, Move, Restart, Undo
from protocol.from_server import Accepted
from protocol.parts import GameView, RacerState
from protocol.record import ActionKind
from protocol.refusals import RefusalCode
from server.core.play import CLOSED, LogEntry, Made, Play, decode, is_same, load

LAYOUT = Board.from_columns([["9D", "5H"], ["6S"], ["6D"], *[[] for _ in range(7)]])
UNDO_MS = 10_000

FROZEN = [
    "9505a46d6f7665000101",
    "95ce00011170a96175746f5f6d6f7665010301",
    "95ce00013880a4756e646f010301",
    "95ce00015f90a772657374617274000000",
    "95ce00015f91a7666f7266656974000000",
    "95ce00015f92ac756e646f5f666f7266656974000000",
]


def almost_won() -> Board:
    """Return a board one move before the win: the ace of the last run lies in a column of its own."""
    return Board.from_columns([[rank + "S" for rank in "KQJT98765432"], ["AS"], *[[] for _ in range(8)]])


@dataclass
class Game:
    """A game and its log; each action has a given time."""

    board: Board
    log: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.play = Play(self.board, 1)

    def do(self, action: AnyAction, at: int = 0) -> Accepted | RefusalCode:
        made = self.play.decide(action, at, UNDO_MS)
        if isinstance(made, Made):
            self.log.append(made.entry)
            return made.answer
        return made

    def move(self, source: int, target: int, at: int = 0) -> Accepted | RefusalCode:
        return self.do(Move(race=1, n=self.play.n + 1, source=source, target=target, cards=1), at)

    def undo(self, at: int = 0) -> Accepted | RefusalCode:
        return self.do(Undo(race=1, n=self.play.n + 1), at)

    def forfeit(self, at: int = 0) -> Accepted | RefusalCode:
        return self.do(Forfeit(race=1, n=self.play.n + 1), at)

    def restart(self, at: int = 0) -> Accepted | RefusalCode:
        return self.do(Restart(race=1, n=self.play.n + 1), at)


def seen(play: Play) -> tuple[GameView, Placing, int | None, bool]:
    """Return everything that is visible of a game."""
    return play.view(), play.placing, play.forfeited_at_ms, play.closed


def test_a_game_starts_with_500_points_and_no_action() -> None:
    play = Play(LAYOUT, 1)
    assert play.view() == GameView(0, LAYOUT.columns_text(), 500, 0, 0, 0, RacerState.PLAYING)
    assert play.placing == Placing(Status.UNFINISHED, 500, 0, 0, 0, 0)


def test_the_number_of_an_action_is_its_place_in_the_log() -> None:
    game = Game(LAYOUT)
    assert game.move(0, 1, 1_500) == Accepted(
        race=1, n=1, at_ms=1_500, score=499, moves=1, runs=0, undoable=1, source=0, target=1, cards=1
    )
    assert game.move(1, 2, 1_700) == Accepted(
        race=1, n=2, at_ms=1_700, score=498, moves=2, runs=0, undoable=2, source=1, target=2, cards=1
    )
    assert (game.play.n, len(game.log)) == (2, 2)


def test_an_auto_move_is_stored_with_the_move_that_it_made() -> None:
    game = Game(LAYOUT)
    assert game.do(AutoMove(race=1, n=1, source=0), 9) == Accepted(
        race=1, n=1, at_ms=9, score=499, moves=1, runs=0, undoable=1, source=0, target=3, cards=1
    )
    assert decode(game.log[0]) == LogEntry(9, ActionKind.AUTO_MOVE, 0, 3, 1)


def test_an_undo_is_answered_with_the_move_that_it_undid() -> None:
    game = Game(LAYOUT)
    game.move(0, 1)
    assert game.undo(40) == Accepted(
        race=1, n=2, at_ms=40, score=500, moves=0, runs=0, undoable=0, source=0, target=1, cards=1
    )
    assert game.play.view().columns == LAYOUT.columns_text()


def test_a_restart_returns_to_the_deal_and_counts_as_an_action() -> None:
    game = Game(LAYOUT)
    game.move(0, 1, 10)
    assert game.restart(20) == Accepted(race=1, n=2, at_ms=20, score=500, moves=0, runs=0, undoable=0)
    assert game.play.placing == Placing(Status.UNFINISHED, 500, 0, 0, 0, 20)


def test_the_answer_to_a_winning_move_has_the_state_and_the_run() -> None:
    game = Game(almost_won())
    assert game.move(1, 0, 777) == Accepted(
        race=1,
        n=1,
        at_ms=777,
        score=599,
        moves=1,
        runs=1,
        undoable=1,
        source=1,
        target=0,
        cards=1,
        run="S",
        state=RacerState.WON,
    )
    assert game.play.placing == Placing(Status.WON, 599, 1, 1, 12, 777)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Move(race=1, n=1, source=10, target=0, cards=1), RefusalCode.NO_SUCH_COLUMN),
        (Move(race=1, n=1, source=0, target=0, cards=1), RefusalCode.SAME_COLUMN),
        (Move(race=1, n=1, source=5, target=0, cards=1), RefusalCode.EMPTY_SOURCE),
        (Move(race=1, n=1, source=0, target=1, cards=0), RefusalCode.BAD_CARDS),
        (Move(race=1, n=1, source=0, target=1, cards=99), RefusalCode.BAD_CARDS),
        (Move(race=1, n=1, source=0, target=4, cards=2), RefusalCode.NOT_ONE_SUIT_DESCENDING),
        (Move(race=1, n=1, source=1, target=2, cards=1), RefusalCode.RANK_MISMATCH),
        (AutoMove(race=1, n=1, source=10), RefusalCode.NO_SUCH_COLUMN),
        (Undo(race=1, n=1), RefusalCode.NOTHING_TO_UNDO),
    ],
    ids=lambda each: each.value if isinstance(each, RefusalCode) else "",
)
def test_a_refused_action_names_its_rule_and_changes_nothing(action: AnyAction, code: RefusalCode) -> None:
    """Its number can be used again."""
    game = Game(LAYOUT)
    before = seen(game.play)
    assert game.do(action, 5) is code
    assert (seen(game.play), game.log) == (before, [])


def test_a_won_game_accepts_no_action() -> None:
    game = Game(almost_won())
    game.move(1, 0, 5)
    before = seen(game.play)
    for refused in (game.move(1, 0, 6), game.undo(6), game.restart(6), game.forfeit(6)):
        assert refused is RefusalCode.GAME_OVER
    assert game.do(AutoMove(race=1, n=2, source=0)) is RefusalCode.GAME_OVER
    assert seen(game.play) == before


def test_reached_ms_is_the_time_of_the_last_action_that_changed_the_board() -> None:
    """An undo changes the board; a forfeit and its undo do not."""
    game = Game(LAYOUT)
    game.move(0, 1, 100)
    assert game.play.reached_ms == 100
    game.undo(250)
    assert game.play.reached_ms == 250
    game.forfeit(300)
    game.undo(400)
    assert game.play.reached_ms == 250


# Forfeit.


def test_a_forfeit_ends_the_game_and_keeps_the_board() -> None:
    game = Game(LAYOUT)
    game.move(0, 1, 10)
    assert game.forfeit(20) == Accepted(
        race=1, n=2, at_ms=20, score=499, moves=1, runs=0, undoable=1, state=RacerState.FORFEITED
    )
    assert game.play.placing == Placing(Status.OUT, 499, 1, 0, 0, 10)
    assert game.move(1, 2, 30) is RefusalCode.FORFEITED
    assert game.restart(30) is RefusalCode.FORFEITED
    assert game.forfeit(30) is RefusalCode.FORFEITED


def test_undo_undoes_a_forfeit_within_ten_seconds() -> None:
    """Only the forfeit: the move before it stays."""
    game = Game(LAYOUT)
    game.move(0, 1, 10)
    game.forfeit(1_000)
    assert game.undo(1_000 + UNDO_MS) == Accepted(
        race=1, n=3, at_ms=1_000 + UNDO_MS, score=499, moves=1, runs=0, undoable=1
    )
    assert game.undo(12_000) == Accepted(
        race=1, n=4, at_ms=12_000, score=500, moves=0, runs=0, undoable=0, source=0, target=1, cards=1
    )


def test_after_ten_seconds_a_forfeit_cannot_be_undone() -> None:
    game = Game(LAYOUT)
    game.forfeit(1_000)
    before = seen(game.play)
    assert game.undo(1_001 + UNDO_MS) is RefusalCode.FORFEITED
    assert seen(game.play) == before


def test_a_second_forfeit_can_be_undone_for_ten_seconds_too() -> None:
    game = Game(LAYOUT)
    game.forfeit(0)
    game.undo(9_000)
    game.forfeit(10_000)
    assert isinstance(game.undo(20_000), Accepted)


# Limits.


def test_a_racer_can_make_20_000_actions() -> None:
    game = Game(LAYOUT)
    game.play.n = limits.RACE_ACTIONS - 1
    assert isinstance(game.move(0, 1), Accepted)
    assert game.play.n == 20_000
    before = seen(game.play)
    for refused in (game.move(1, 2), game.undo(), game.restart(), game.forfeit()):
        assert refused is RefusalCode.TOO_MANY_ACTIONS
    assert seen(game.play) == before


def test_a_refused_action_is_not_counted() -> None:
    game = Game(LAYOUT)
    game.play.n = limits.RACE_ACTIONS - 1
    assert game.move(1, 2) is RefusalCode.RANK_MISMATCH
    assert isinstance(game.move(0, 1), Accepted)


# The log.


def test_the_stored_form_of_actions_is_frozen() -> None:
    """Logs of an older server must stay readable."""
    game = Game(LAYOUT)
    game.move(0, 1, 5)
    game.do(AutoMove(race=1, n=2, source=1), 70_000)
    game.undo(80_000)
    game.restart(90_000)
    game.forfeit(90_001)
    game.undo(90_002)
    assert [entry.hex() for entry in game.log] == FROZEN
    assert CLOSED == b""
    assert seen(load(LAYOUT, 1, [bytes.fromhex(each) for each in FROZEN])) == seen(game.play)


def test_a_closed_game_accepts_no_action() -> None:
    """The race has ended; a later action is not in its results."""
    game = Game(LAYOUT)
    game.move(0, 1, 5)
    play = load(LAYOUT, 1, [*game.log, CLOSED])
    before = seen(play)
    assert (play.closed, play.n) == (True, 1)
    for action in (
        Move(race=1, n=2, source=1, target=2, cards=1),
        Undo(race=1, n=2),
        Restart(race=1, n=2),
        Forfeit(race=1, n=2),
    ):
        assert play.decide(action, 9, UNDO_MS) is RefusalCode.NOT_RACING
    assert seen(play) == before


ACTIONS = st.one_of(
    st.builds(
        lambda s, t, c: Move(race=1, n=1, source=s, target=t, cards=c),
        *[st.integers(0, 10)] * 2,
        st.integers(0, 3),
    ),
    st.builds(lambda s: AutoMove(race=1, n=1, source=s), st.integers(0, 10)),
    st.just(Undo(race=1, n=1)),
    st.sampled_from([Undo(race=1, n=1), Undo(race=1, n=1), Restart(race=1, n=1), Forfeit(race=1, n=1)]),
)


@given(
    st.integers(0, 26**7 - 1),
    st.sampled_from([1, 2, 4]),
    st.lists(st.tuples(ACTIONS, st.integers(0, 4_000)), max_size=60),
)
def test_a_log_loads_to_the_same_game(number: int, suits: int, steps: list[tuple[AnyAction, int]]) -> None:
    """After any actions, refused ones among them."""
    board = deal(GameCode(suits, number))
    game, at = Game(board), 0
    for action, pause in steps:
        at += pause
        n, before = len(game.log), seen(game.play)
        answer = game.do(action, at)
        if isinstance(answer, RefusalCode):
            assert seen(game.play) == before
        else:
            assert (answer.n, answer.at_ms, answer.score) == (
                n + 1,
                at,
                500 - answer.moves + 100 * answer.runs,
            )
        assert len(game.log) == game.play.n
    again = load(board, 1, game.log)
    assert seen(again) == seen(game.play)
    assert again.decide(Undo(race=1, n=1), at, UNDO_MS) == game.play.decide(Undo(race=1, n=1), at, UNDO_MS)


def test_a_stored_action_gives_the_same_answer_as_before() -> None:
    game = Game(LAYOUT)
    answers = [game.move(0, 1, 5), game.undo(6), game.restart(7), game.forfeit(8), game.undo(9)]
    play = Play(LAYOUT, 1)
    assert [play.repeat(entry).answer for entry in game.log] == answers


def entry(kind: ActionKind, *cards: int) -> bytes:
    """Return an entry of a log, whether it is possible or not."""
    return msgspec.msgpack.encode(LogEntry(0, kind, *cards))


@pytest.mark.parametrize(
    "entries",
    [
        [entry(ActionKind.MOVE, 1, 0, 1)],
        [entry(ActionKind.UNDO)],
        [entry(ActionKind.UNDO_FORFEIT)],
        [entry(ActionKind.FORFEIT), entry(ActionKind.FORFEIT)],
        [entry(ActionKind.FORFEIT), entry(ActionKind.MOVE, 0, 1, 1)],
        [CLOSED, entry(ActionKind.MOVE, 0, 1, 1)],
    ],
    ids=[
        "against the rules",
        "nothing to undo",
        "no forfeit to undo",
        "two forfeits",
        "a move after the forfeit",
        "an action after the end",
    ],
)
def test_an_impossible_log_raises_with_the_number_of_its_last_action(entries: list[bytes]) -> None:
    number = sum(kind != CLOSED for kind in entries)
    with pytest.raises(ValueError, match=f"action {number} of a log cannot have happened"):
        load(LAYOUT, 1, entries)


def test_a_log_with_a_forfeit_after_the_win_raises() -> None:
    with pytest.raises(ValueError, match="cannot have happened"):
        load(almost_won(), 1, [entry(ActionKind.MOVE, 1, 0, 1), entry(ActionKind.FORFEIT)])


# The same action, sent again.


@pytest.mark.parametrize(
    ("stored", "action", "same"),
    [
        (LogEntry(1, ActionKind.MOVE, 0, 1, 2), Move(race=1, n=1, source=0, target=1, cards=2), True),
        (LogEntry(1, ActionKind.MOVE, 0, 1, 2), Move(race=1, n=1, source=0, target=1, cards=1), False),
        (LogEntry(1, ActionKind.MOVE, 0, 1, 2), Move(race=1, n=1, source=0, target=2, cards=2), False),
        (LogEntry(1, ActionKind.MOVE, 0, 1, 2), AutoMove(race=1, n=1, source=0), False),
        (LogEntry(1, ActionKind.AUTO_MOVE, 0, 1, 2), AutoMove(race=1, n=1, source=0), True),
        (LogEntry(1, ActionKind.AUTO_MOVE, 0, 1, 2), AutoMove(race=1, n=1, source=0, cards=2), True),
        (LogEntry(1, ActionKind.AUTO_MOVE, 0, 1, 2), AutoMove(race=1, n=1, source=0, cards=1), False),
        (LogEntry(1, ActionKind.AUTO_MOVE, 0, 1, 2), AutoMove(race=1, n=1, source=1), False),
        (LogEntry(1, ActionKind.AUTO_MOVE, 0, 1, 2), Move(race=1, n=1, source=0, target=1, cards=2), False),
        (LogEntry(1, ActionKind.UNDO, 0, 1, 2), Undo(race=1, n=1), True),
        (LogEntry(1, ActionKind.UNDO_FORFEIT), Undo(race=1, n=1), True),
        (LogEntry(1, ActionKind.FORFEIT), Undo(race=1, n=1), False),
        (LogEntry(1, ActionKind.FORFEIT), Forfeit(race=1, n=1), True),
        (LogEntry(1, ActionKind.RESTART), Restart(race=1, n=1), True),
        (LogEntry(1, ActionKind.RESTART), Forfeit(race=1, n=1), False),
        (LogEntry(1, ActionKind.UNDO, 0, 1, 2), Restart(race=1, n=1), False),
    ],
)
def test_an_action_is_the_same_only_if_it_has_the_same_fields(
    stored: LogEntry, action: AnyAction, same: bool
) -> None:
    """A number that is used again for another action must not get the answer of the stored one."""
    assert is_same(stored, action) is same


def test_an_action_is_never_before_the_start_or_the_previous_action() -> None:
    """The clocks of two nodes that serve a racer in turn can differ by some milliseconds."""
    game = Game(LAYOUT)
    first, second = game.move(0, 1, at=-3), game.move(1, 2, at=70)
    undone = game.undo(at=68)
    assert [answer.at_ms for answer in (first, second, undone) if isinstance(answer, Accepted)] == [0, 70, 70]
    assert load(LAYOUT, 1, game.log).at_ms == 70
