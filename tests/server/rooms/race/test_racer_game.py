"""One racer's game on a node: every action answered once, in order, after the store has it."""

import msgspec
import pytest
from racetest import CODE
from roomtest import ADA, MOVES, NAMES, GatedMemoryStore, RoomNode, idle, move

from engine.board import Board
from engine.code import GameCode
from engine.deal import deal
from protocol import from_client as ask
from protocol.errors import ErrorCode
from protocol.from_client import AnyAction
from protocol.from_server import Accepted, Error, Refused
from protocol.parts import RacerState, Settings
from protocol.refusals import RefusalCode
from server.core import commands as cmd
from server.core import events as ev
from server.core import play as plays
from server.core.play import Play, load
from server.core.rules import Rules
from server.rooms.context import RoomContext
from server.rooms.race import racer_game
from server.rooms.race.racer_game import RacerGame
from server.rooms.race.standings import progress_of
from server.rooms.room_log import RoomLog
from server.store import keys
from server.store.port import StoreUnavailable

ROOM = "BCDFG"
LOG = keys.game_log(ROOM, 1, ADA)
DEAL = deal(GameCode.parse(CODE))
LIMIT_MS = 60_000
ERROR = Error(race=1, n=7, code=ErrorCode.BAD_MESSAGE, text="cards: not a number")
OTHER_RACE = Refused(race=2, n=1, expected=0, code=RefusalCode.WRONG_RACE, text="another race")


class FakeRace:
    """The race of the game under test: keeps what the game calls, in order."""

    def __init__(self, node: RoomNode) -> None:
        self.node = node
        self.room = ROOM
        self.number = 1
        self.time_limit_ms = LIMIT_MS
        self.events: list[ev.Event] = []
        self.log = RoomLog(
            node.context,
            ROOM,
            lambda event, _: self.events.append(event),
            inboxes=list,
            unreadable=lambda: None,
            rolled_back=lambda _: None,
        )
        self.answers: list[Accepted | Refused | Error] = []
        self.counted: list[str] = []
        self.charged: list[int] = []
        self.lost: list[int] = []
        self.lang = "en"

    @property
    def context(self) -> RoomContext:
        return self.node.context

    @property
    def deal(self) -> Board:
        return DEAL

    def accepted(self, player: str, answer: Accepted) -> None:
        self.counted.append("accepted")
        self.answer(player, answer)

    def refused(self, player: str, answer: Refused) -> None:
        self.counted.append("refused")
        self.answer(player, answer)

    def repeated(self, player: str, n: int) -> None:
        assert player == ADA
        self.charged.append(n)

    def answer(self, player: str, answer: Accepted | Refused | Error) -> None:
        assert player == ADA
        self.answers.append(answer)

    def failed(self, player: str) -> None:
        assert player == ADA
        self.counted.append("failed")

    def overran(self, player: str) -> None:
        assert player == ADA
        self.counted.append("overran")

    def language(self, player: str) -> str:
        assert player == ADA
        return self.lang

    def rolled_back(self, player: str, actions: int) -> None:
        assert player == ADA
        self.lost.append(actions)


class Bench:
    """Ada's game in a running race, and a shorthand for what she does."""

    def __init__(self, node: RoomNode, store: GatedMemoryStore) -> None:
        self.race = FakeRace(node)
        self.game = RacerGame(self.race, ADA)
        self.store = store
        self.at_ms = 0

    def act(self, *actions: AnyAction) -> None:
        """Act a millisecond after the action before."""
        for action in actions:
            self.at_ms += 1
            self.game.act(action, self.at_ms)

    def moves(self, first: int, last: int) -> None:
        self.act(*(move(n) for n in range(first, last + 1)))

    @property
    def answers(self) -> list[tuple[str, int]]:
        """What was answered: `accepted` or the code of the refusal or error, and the number."""
        return [
            ("accepted" if isinstance(answer, Accepted) else str(answer.code), answer.n or 0)
            for answer in self.race.answers
        ]

    def stored(self) -> Play:
        """Return the game as its log tells it."""
        return load(DEAL, 1, self.store.entries(LOG))

    def check(self) -> None:
        """Check that the game, its committed progress and its log agree."""
        stored, play = self.stored(), self.game.play
        assert play is not None
        assert play.view() == stored.view()
        assert self.game.measure() == progress_of(ADA, stored)


@pytest.fixture
async def bench(here: RoomNode, store: GatedMemoryStore) -> Bench:
    """A race of Ada alone that has just started."""
    made = Bench(here, store)
    for command in (
        cmd.OpenRoom(ADA, NAMES[ADA], "here", Settings(countdown_s=0), None, None),
        cmd.MemberRequest(ADA, "here", ask.Ready()),
        cmd.MemberRequest(ADA, "here", ask.StartCountdown()),
        cmd.StartRace(CODE),
    ):
        made.race.log.submit(command)
    await idle()
    made.race.events.clear()
    return made


def elsewhere(bench: Bench, action: AnyAction, at_ms: int = 1) -> None:
    """Write an action to the log, past this node, as another one does."""
    made = bench.stored().decide(action, at_ms, 0)
    assert isinstance(made, plays.Made)
    bench.store.put(LOG, made.entry)


# Numbers and answers.


async def test_an_action_is_answered_when_it_is_committed(bench: Bench) -> None:
    """The game has it at once, the standing when the store has it."""
    bench.store.commits.close(LOG)
    bench.moves(1, 2)
    await idle()
    assert bench.game.play is not None
    assert bench.game.play.n == 2
    assert (bench.answers, bench.game.measure().n) == ([], 0)
    bench.store.commits.open()
    await idle()
    assert bench.answers == [("accepted", 1), ("accepted", 2)]
    assert [answer.at_ms for answer in bench.race.answers if isinstance(answer, Accepted)] == [1, 2]
    bench.check()


async def test_a_refused_action_leaves_its_number_free(bench: Bench) -> None:
    """Nothing is stored, and the next action has the same number."""
    bench.act(ask.Undo(race=1, n=1))
    assert bench.answers == [("nothing_to_undo", 1)]
    (refused,) = bench.race.answers
    assert isinstance(refused, Refused)
    assert (refused.race, refused.expected) == (1, 1)
    bench.moves(1, 1)
    await idle()
    assert bench.answers[1:] == [("accepted", 1)]
    bench.check()


async def test_a_refusal_waits_for_the_answers_before_it(bench: Bench) -> None:
    """Answers come in the order of the actions, also where no store is needed for one of them."""
    bench.store.commits.close(LOG)
    bench.moves(1, 1)
    bench.act(ask.Move(race=1, n=2, source=3, target=3, cards=1))
    bench.act(move(3))
    bench.act(move(2))
    await idle()
    assert bench.answers == []
    bench.store.commits.open()
    await idle()
    assert bench.answers == [("accepted", 1), ("same_column", 2), ("wrong_number", 3), ("accepted", 2)]
    bench.check()


async def test_an_action_with_a_number_too_high_is_refused_with_the_next_one(bench: Bench) -> None:
    """Nothing is kept for later."""
    bench.moves(1, 2)
    bench.act(move(4))
    await idle()
    refused = bench.race.answers[-1]
    assert isinstance(refused, Refused)
    assert (refused.code, refused.expected) == (RefusalCode.WRONG_NUMBER, 3)


async def test_a_refusal_has_a_text_in_the_language_of_the_racer(bench: Bench) -> None:
    bench.race.lang = "zh-Hant"
    bench.act(ask.Undo(race=1, n=1))
    (refused,) = bench.race.answers
    assert isinstance(refused, Refused)
    assert refused.text == RefusalCode.NOTHING_TO_UNDO.text("zh-Hant")


async def test_an_action_after_the_time_limit_is_refused(bench: Bench) -> None:
    """A last action just before it is carried out."""
    bench.game.act(move(1), LIMIT_MS - 1)
    bench.game.act(move(2), LIMIT_MS)
    await idle()
    assert bench.answers == [("accepted", 1), ("time_up", 2)]


async def test_an_action_can_be_refused_undecided(bench: Bench) -> None:
    """For example because the client sent too much; it takes its turn among the answers."""
    bench.store.commits.close(LOG)
    bench.moves(1, 1)
    bench.game.refuse(move(2), 2, RefusalCode.RATE_LIMITED)
    await idle()
    assert bench.answers == []
    bench.store.commits.open()
    await idle()
    assert bench.answers == [("accepted", 1), ("rate_limited", 2)]
    bench.check()


async def test_an_answer_decided_elsewhere_takes_its_turn(bench: Bench) -> None:
    """An action that could not be read, or of another race: neither is counted as refused here."""
    bench.store.commits.close(LOG)
    bench.moves(1, 1)
    bench.game.answer(ERROR)
    bench.moves(2, 2)
    bench.game.answer(OTHER_RACE)
    await idle()
    assert bench.answers == []
    bench.store.commits.open()
    await idle()
    assert bench.answers == [("accepted", 1), ("bad_message", 7), ("accepted", 2), ("wrong_race", 1)]
    assert bench.race.counted == ["accepted", "accepted"]
    bench.check()


async def test_an_answer_decided_elsewhere_waits_while_the_log_is_read(bench: Bench) -> None:
    """And so does an action that is refused undecided: earlier actions wait for the log as well."""
    bench.game.invalidate()
    bench.store.reads.close(LOG)
    bench.moves(1, 1)
    bench.game.answer(ERROR)
    bench.game.refuse(move(2), 2, RefusalCode.RATE_LIMITED)
    await idle()
    assert bench.answers == []
    bench.store.reads.open()
    await idle()
    assert bench.answers == [("accepted", 1), ("bad_message", 7), ("rate_limited", 2)]
    bench.check()


async def test_an_answer_decided_elsewhere_keeps_its_turn_after_a_conflict(bench: Bench) -> None:
    """The actions around it are decided again; the first has become a repetition, whose answer is read."""
    bench.store.commits.close(LOG)
    bench.moves(1, 1)
    bench.game.answer(ERROR)
    bench.act(move(2))
    await bench.store.commits.reached()
    elsewhere(bench, move(1))
    bench.store.commits.open()
    await idle()
    assert bench.answers == [("bad_message", 7), ("accepted", 1), ("accepted", 2)]
    bench.check()


async def test_a_full_journal_refuses_an_action_and_reads_the_game_again(bench: Bench) -> None:
    """It was carried out on the game already; the number is free afterwards."""
    bench.moves(1, 1)
    await idle()
    bench.race.node.journal.full = True
    bench.moves(2, 2)
    await idle()
    bench.race.node.journal.full = False
    assert bench.answers == [("accepted", 1), ("store_unavailable", 2)]
    bench.check()
    bench.moves(2, 3)
    await idle()
    assert bench.answers[2:] == [("accepted", 2), ("accepted", 3)]
    bench.check()


# Actions that are sent again.


async def test_a_repeated_action_gets_its_answer_again(bench: Bench) -> None:
    """Read from the log, whatever its kind; nothing is written, and the racer is charged for the reading."""
    actions: list[AnyAction] = [
        ask.AutoMove(race=1, n=1, source=0),
        move(2),
        ask.Undo(race=1, n=3),
        ask.Restart(race=1, n=4),
        ask.Forfeit(race=1, n=5),
        ask.Undo(race=1, n=6),
    ]
    bench.act(*actions)
    await idle()
    first = list(bench.race.answers)
    assert [answer for answer, _ in bench.answers] == ["accepted"] * 6
    for action in actions:
        bench.act(action)
        await idle()
    assert bench.race.answers[6:] == first
    assert bench.race.charged == [1, 2, 3, 4, 5, 6]
    assert bench.race.counted == ["accepted"] * 6
    bench.check()


async def test_a_number_that_is_taken_refuses_another_action(bench: Bench) -> None:
    """Two clients of one player must not both believe that their action was carried out."""
    bench.moves(1, 2)
    await idle()
    bench.act(ask.Undo(race=1, n=1))
    await idle()
    refused = bench.race.answers[-1]
    assert isinstance(refused, Refused)
    assert (refused.code, refused.expected) == (RefusalCode.NUMBER_TAKEN, 3)


async def test_an_action_in_flight_that_is_sent_again_is_answered_once(bench: Bench) -> None:
    """Another action with its number is refused; the number is taken though nothing is stored yet."""
    bench.store.commits.close(LOG)
    bench.act(move(1), move(1), ask.Undo(race=1, n=1))
    await idle()
    assert bench.answers == []
    bench.store.commits.open()
    await idle()
    assert bench.answers == [("accepted", 1), ("number_taken", 1)]


@pytest.mark.parametrize("waiting", ["in flight", "for the game", "for stored answers"])
async def test_what_waits_is_bounded(bench: Bench, monkeypatch: pytest.MonkeyPatch, waiting: str) -> None:
    """The store may be unavailable for hours: a racer who sends more is disconnected, and nothing is lost."""
    monkeypatch.setattr(racer_game, "MAX_WAITING", 3)
    if waiting == "for stored answers":
        bench.moves(1, 1)
        await idle()
        bench.store.reads.close(LOG)
        bench.act(*[move(1)] * 4)
    elif waiting == "for the game":
        bench.store.reads.close(LOG)
        bench.game.invalidate()
        bench.moves(1, 4)
    else:
        bench.store.commits.close(LOG)
        bench.moves(1, 3)
        bench.act(move(9))
    await idle()
    assert bench.race.counted[-1] == "overran"
    bench.store.commits.open()
    bench.store.reads.open()
    await idle()
    assert [n for _, n in bench.answers] == ([1] * 4 if waiting == "for stored answers" else [1, 2, 3])
    bench.check()


# Other nodes write to the log.


async def test_after_a_conflict_actions_are_decided_again_on_the_game_that_is_stored(bench: Bench) -> None:
    """The other node's undo has the number of our move, which is refused; the action behind it fits."""
    bench.moves(1, 2)
    await idle()
    elsewhere(bench, ask.Undo(race=1, n=3), bench.at_ms)
    bench.act(move(3), move(4, step=2))
    await idle()
    assert sorted(bench.answers[2:]) == [("accepted", 4), ("number_taken", 3)]
    assert bench.race.node.counters.actions["conflict"] == 1
    bench.check()


async def test_the_same_action_written_by_another_node_is_accepted(bench: Bench) -> None:
    """It is the racer's own action, sent to both nodes: the answer is that of the stored one."""
    elsewhere(bench, move(1), 123)
    bench.moves(1, 1)
    await idle()
    (answer,) = bench.race.answers
    assert isinstance(answer, Accepted)
    assert (answer.n, answer.at_ms) == (1, 123)
    bench.check()


async def test_a_refusal_decided_on_a_wrong_state_is_decided_again(bench: Bench) -> None:
    """After our restart there was nothing to undo; but another node made a move in the restart's place."""
    bench.moves(1, 1)
    await idle()
    bench.store.commits.close(LOG)
    bench.act(ask.Restart(race=1, n=2), ask.Undo(race=1, n=3))
    await bench.store.commits.reached()
    elsewhere(bench, move(2))
    bench.store.commits.open()
    await idle()
    assert sorted(bench.answers[1:]) == [("accepted", 3), ("number_taken", 2)]
    bench.check()


async def test_an_invalidated_game_is_read_before_the_next_action(bench: Bench) -> None:
    """The racer was connected to another node meanwhile; actions that come during the read wait."""
    bench.moves(1, 2)
    await idle()
    elsewhere(bench, ask.Undo(race=1, n=3), bench.at_ms)
    bench.game.invalidate()
    bench.store.reads.close(LOG)
    bench.act(move(4, step=2), move(5, step=3))
    await idle()
    assert len(bench.answers) == 2
    bench.store.reads.open()
    await idle()
    assert bench.answers[2:] == [("accepted", 4), ("accepted", 5)]
    assert bench.store.read_logs.count(LOG) == 1
    bench.check()


async def test_the_committed_game_has_nothing_in_flight(bench: Bench) -> None:
    """A member who returns gets it: it waits for the answers that are under way, and for the log."""
    bench.store.commits.close(LOG)
    bench.moves(1, 3)
    found: list[Play] = []

    async def find() -> None:
        found.append(await bench.game.committed_play())

    bench.race.context.spawn(find())
    await idle()
    assert found == []
    bench.game.invalidate()
    bench.store.commits.open()
    await idle()
    assert found[0].n == 3
    assert bench.store.read_logs.count(LOG) == 1


async def test_a_game_that_cannot_be_read_ends_the_connection(bench: Bench) -> None:
    """The fault is reported once; those who await the game get it, too; the next action tries again."""
    bench.store.put(LOG, b"?")
    bench.moves(1, 2)
    await idle()
    assert (bench.answers, bench.race.counted) == ([], ["failed"])
    with pytest.raises(msgspec.DecodeError):
        await bench.game.committed_play()
    assert len(bench.race.node.faults) == 2
    bench.race.node.faults.clear()
    bench.store.cut(LOG, 1)
    bench.moves(1, 1)
    await idle()
    assert bench.answers == [("accepted", 1)]


async def test_an_unavailable_store_is_waited_for(bench: Bench) -> None:
    """Actions stay in order and are made once."""
    bench.store.fault = StoreUnavailable("gone")
    bench.moves(1, 3)
    await bench.race.node.tick()
    assert bench.answers == []
    bench.store.fault = None
    await bench.race.node.tick()
    await idle()
    await bench.game.committed_play()
    assert bench.answers == [("accepted", 1), ("accepted", 2), ("accepted", 3)]
    bench.check()


# The room's events: a win, a forfeit, its undo.


async def test_a_win_is_one_commit_with_the_event_of_the_room(bench: Bench) -> None:
    """Sent twice at once it is answered once and won once."""
    bench.moves(1, MOVES)
    bench.act(move(MOVES))
    await idle()
    (won,) = bench.race.events
    assert isinstance(won, ev.RacerWon)
    answer = bench.race.answers[-1]
    assert isinstance(answer, Accepted)
    assert (won.player, won.at_ms, won.score, won.moves) == (ADA, MOVES, answer.score, MOVES)
    assert answer.state is RacerState.WON
    assert len(bench.answers) == MOVES
    bench.check()


async def test_a_forfeit_and_its_undo_are_events_of_the_room(bench: Bench) -> None:
    """Moves between them are refused; moves after them go on."""
    bench.act(move(1), ask.Forfeit(race=1, n=2), move(3, step=2), ask.Undo(race=1, n=3), move(4, step=2))
    await idle()
    assert bench.answers == [
        ("accepted", 1),
        ("accepted", 2),
        ("forfeited", 3),
        ("accepted", 3),
        ("accepted", 4),
    ]
    assert [type(event) for event in bench.race.events] == [ev.RacerForfeited, ev.RacerForfeitUndone]
    bench.check()


async def test_a_forfeit_stands_after_its_time(bench: Bench) -> None:
    """The undo is refused, later moves too."""
    limit = Rules().forfeit_undo_ms
    bench.game.act(ask.Forfeit(race=1, n=1), 10)
    bench.game.act(ask.Undo(race=1, n=2), 11 + limit)
    await idle()
    assert bench.answers == [("accepted", 1), ("forfeited", 2)]


async def test_an_event_that_the_room_refuses_refuses_the_action(bench: Bench) -> None:
    """The race has ended in the room's log: the action is not carried out, nor what was sent after it."""
    bench.race.log.submit(cmd.EndRace(1, ()))
    bench.act(ask.Forfeit(race=1, n=1), ask.Undo(race=1, n=2))
    await idle()
    assert bench.answers[0] == ("not_racing", 1)
    assert bench.stored().n == 0
    bench.check()


async def test_a_forfeit_after_a_conflict_in_the_room_s_log_is_decided_again(bench: Bench) -> None:
    """Another node wrote to the room; the racer does not notice, and the order stays."""
    room = keys.room_log(ROOM)
    bench.store.put(room, ev.to_bytes(ev.ChatMessage(1, ADA, "from another node")))
    bench.act(ask.Forfeit(race=1, n=1), ask.Undo(race=1, n=2), move(3, step=1))
    await idle()
    assert bench.answers == [("accepted", 1), ("accepted", 2), ("accepted", 3)]
    assert [type(event) for event in bench.race.events] == [
        ev.ChatMessage,
        ev.RacerForfeited,
        ev.RacerForfeitUndone,
    ]
    bench.check()


async def test_a_move_does_not_overtake_the_undo_of_a_forfeit_that_waits_for_the_room(bench: Bench) -> None:
    """The room's log is being read; the move waits for the undo."""
    room = keys.room_log(ROOM)
    bench.act(ask.Forfeit(race=1, n=1))
    await idle()
    bench.store.reads.close(room)
    bench.race.log.read_again()
    await bench.store.reads.reached()
    bench.act(ask.Undo(race=1, n=2), move(3, step=1))
    await idle()
    assert bench.answers == [("accepted", 1)]
    bench.store.reads.open()
    await idle()
    assert bench.answers == [("accepted", 1), ("accepted", 2), ("accepted", 3)]
    bench.check()


async def test_a_win_that_fits_by_accident_is_not_won(bench: Bench) -> None:
    """The move before it conflicts, so the win was decided on a wrong state, though its number fits."""
    bench.moves(1, MOVES - 2)
    await idle()
    room = keys.room_log(ROOM)
    bench.store.reads.close(room)
    bench.race.log.read_again()
    await bench.store.reads.reached()
    elsewhere(bench, ask.Undo(race=1, n=MOVES - 1), bench.at_ms)
    bench.moves(MOVES - 1, MOVES)
    await idle()
    bench.store.reads.open()
    await idle()
    assert ("number_taken", MOVES - 1) in bench.answers
    assert bench.race.events == []
    assert bench.stored().state is RacerState.PLAYING
    bench.check()


# Rollback.


async def test_a_game_that_has_lost_actions_is_reported(bench: Bench) -> None:
    """The next action has too high a number then; the number that is expected is that of the log."""
    bench.moves(1, 6)
    await idle()
    bench.store.cut(LOG, 4)
    bench.moves(7, 7)
    await idle()
    refused = bench.race.answers[-1]
    assert isinstance(refused, Refused)
    assert (refused.code, refused.expected) == (RefusalCode.WRONG_NUMBER, 3)
    assert bench.race.lost == [4]
    bench.check()
    bench.moves(3, 4)
    await idle()
    assert bench.race.lost == [4]
    bench.check()
