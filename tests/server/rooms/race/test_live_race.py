"""The running race on a node: who gets which answer, and the live standings."""

from collections.abc import Mapping

import pytest
from racetest import CODE
from roomtest import ADA, BEN, CYD, MOVES, NAMES, FakeSubscriber, GatedMemoryStore, RoomNode, idle, move

from engine.code import GameCode
from engine.deal import deal
from protocol import from_client as ask
from protocol.from_server import Accepted, Refused
from protocol.parts import RacerState, Ranking, Settings
from protocol.refusals import RefusalCode
from server.core import commands as cmd
from server.core import play as plays
from server.rooms.race.live_race import LiveRace
from server.rooms.race.standings import progress_of
from server.rooms.room_log import RoomLog
from server.store import keys

ROOM = "BCDFG"
ELSEWHERE = {BEN: "elsewhere"}


class Bench:
    """A race of Ada and Cyd, who are connected here, and Ben, who is connected elsewhere."""

    def __init__(self, node: RoomNode, store: GatedMemoryStore, log: RoomLog) -> None:
        self.node = node
        self.store = store
        self.subscribers = {player: FakeSubscriber() for player in (ADA, CYD)}
        self.requested = 0
        self.lost: list[tuple[str, int]] = []
        race = log.committed_state.race
        assert race is not None
        self.race = LiveRace(
            node.context,
            log,
            race,
            self.subscribers,
            request_standings=self._request,
            rolled_back=lambda player, actions: self.lost.append((player, actions)),
        )

    def _request(self) -> None:
        self.requested += 1

    async def moves(self, player: str, first: int, last: int) -> None:
        for n in range(first, last + 1):
            assert self.race.act(player, move(n))
        await idle()

    def rows(self, ranking: Ranking = Ranking.TIME) -> list[tuple[str, int, int]]:
        """Return player, rank and moves of each row of the standings."""
        return [(row.player, row.rank, row.moves) for row in self.race.standings(ranking).rows]


def game_elsewhere(store: GatedMemoryStore, player: str, moves: int) -> plays.Play:
    """Write a racer's moves as another node does; return the game."""
    log = keys.game_log(ROOM, 1, player)
    play = plays.load(deal(GameCode.parse(CODE)), 1, store.entries(log))
    for n in range(play.n + 1, moves + 1):
        made = play.decide(move(n), 100 * n, 0)
        assert isinstance(made, plays.Made)
        store.put(log, made.entry)
    return play


async def room_log(node: RoomNode, nodes: Mapping[str, str]) -> RoomLog:
    """Return the log of a room in which a race of three has just started."""
    log = RoomLog(
        node.context,
        ROOM,
        lambda *_: None,
        inboxes=list,
        unreadable=lambda: None,
        rolled_back=lambda _: None,
    )
    log.submit(cmd.OpenRoom(ADA, NAMES[ADA], "here", Settings(countdown_s=0), None, None))
    for player in (BEN, CYD):
        log.submit(cmd.JoinRoom(player, NAMES[player], nodes.get(player, "here"), False, None))
    for player in (ADA, BEN, CYD):
        log.submit(cmd.MemberRequest(player, "here", ask.Ready()))
    log.submit(cmd.MemberRequest(ADA, "here", ask.StartCountdown()))
    log.submit(cmd.StartRace(CODE))
    await idle()
    return log


@pytest.fixture
async def bench(here: RoomNode, store: GatedMemoryStore) -> Bench:
    return Bench(here, store, await room_log(here, ELSEWHERE))


# Actions.


async def test_only_the_racer_gets_the_answer(bench: Bench) -> None:
    """The others see the move in the standings."""
    await bench.moves(ADA, 1, 2)
    assert [answer.n for answer in bench.subscribers[ADA].messages(Accepted)] == [1, 2]
    assert bench.subscribers[CYD].received == []
    assert bench.node.counters.actions["accepted"] == 2


async def test_somebody_who_does_not_race_is_not_served(bench: Bench) -> None:
    """The caller answers that."""
    assert not bench.race.act("eve", move(1))
    assert not bench.race.refuse("eve", move(1), RefusalCode.RATE_LIMITED)


async def test_a_racer_who_is_not_connected_gets_no_answer(bench: Bench) -> None:
    """The action counts all the same: the connection broke after it was sent."""
    subscriber = bench.subscribers.pop(ADA)
    await bench.moves(ADA, 1, 1)
    bench.race.act(ADA, ask.Undo(race=1, n=9))
    bench.race.repeated(ADA, 1)
    bench.race.failed(ADA)
    bench.race.overran(ADA)
    assert (subscriber.received, subscriber.endings, subscriber.charged) == ([], [], [])
    assert bench.race.games[ADA].measure().n == 1


async def test_refusals_and_repeats_are_counted_and_charged(bench: Bench) -> None:
    """A refusal has the racer's language; a repeat costs by the actions that are read for it."""
    bench.subscribers[ADA].lang = "zh-Hant"
    await bench.moves(ADA, 1, 3)
    assert bench.race.refuse(ADA, move(4), RefusalCode.RATE_LIMITED)
    await bench.moves(ADA, 2, 2)
    (refused,) = bench.subscribers[ADA].messages(Refused)
    assert (refused.race, refused.n, refused.code) == (1, 4, RefusalCode.RATE_LIMITED)
    assert refused.text == RefusalCode.RATE_LIMITED.text("zh-Hant")
    assert bench.subscribers[ADA].charged == [2]
    assert bench.node.counters.actions == {"accepted": 3, "refused": 1, "repeated": 1, "conflict": 0}


async def test_the_connection_of_a_racer_can_be_ended(bench: Bench) -> None:
    """Because the game cannot be read, or because too much waits."""
    bench.race.failed(ADA)
    bench.race.overran(CYD)
    assert bench.subscribers[ADA].endings == ["failed"]
    assert bench.subscribers[CYD].endings == ["overran"]


# Standings.


async def test_standings_are_requested_once_for_many_actions(bench: Bench) -> None:
    """Until their progress has been taken."""
    await bench.moves(ADA, 1, 3)
    await bench.moves(CYD, 1, 1)
    assert bench.requested == 1
    progress = bench.race.take_progress()
    assert [(each.player, each.n) for each in progress] == [(ADA, 3), (CYD, 1)]
    assert bench.race.take_progress() == ()
    await bench.moves(ADA, 4, 4)
    assert bench.requested == 2
    assert [each.n for each in bench.race.take_progress()] == [4]


async def test_standings_rank_the_committed_games(bench: Bench) -> None:
    """Best first, equal racers with equal ranks."""
    assert bench.rows() == [(ADA, 1, 0), (BEN, 1, 0), (CYD, 1, 0)]
    await bench.moves(CYD, 1, MOVES)
    bench.race.take_progress()
    assert bench.rows() == [(CYD, 1, MOVES), (ADA, 2, 0), (BEN, 2, 0)]
    standings = bench.race.standings(Ranking.SCORE)
    assert (standings.race, standings.elapsed_ms) == (1, 0)
    assert standings.rows[0].state is RacerState.WON
    assert standings.racer_count is None


async def test_the_elapsed_time_is_never_negative(bench: Bench) -> None:
    """The clocks of two nodes agree only to some milliseconds."""
    await bench.node.tick()
    assert bench.race.standings(Ranking.TIME).elapsed_ms == 100
    bench.node.clock_skew_ms = -500
    assert bench.race.standings(Ranking.TIME).elapsed_ms == 0


# Racers on other nodes.


async def test_progress_of_other_nodes_is_in_the_standings(bench: Bench, store: GatedMemoryStore) -> None:
    """For racers who are connected there; about those here this node knows better."""
    play = game_elsewhere(store, BEN, 5)
    other = progress_of(ADA, play)
    bench.race.report((progress_of(BEN, play), other, progress_of("eve", play)))
    assert bench.requested == 1
    assert {player: moves for player, _, moves in bench.rows()} == {ADA: 0, BEN: 5, CYD: 0}


async def test_less_progress_counts_only_after_a_rollback(bench: Bench, store: GatedMemoryStore) -> None:
    """An old message that comes late changes nothing."""
    play = game_elsewhere(store, BEN, 2)
    less = progress_of(BEN, play)
    bench.race.report((progress_of(BEN, game_elsewhere(store, BEN, 5)),))
    bench.race.report((less,))
    assert bench.race.games[BEN].standing.progress.n == 5
    bench.race.report((less,), rolled_back=True)
    assert bench.race.games[BEN].standing.progress.n == 2


async def test_a_check_reads_the_games_of_other_nodes_and_the_lengths_of_the_others(
    bench: Bench, store: GatedMemoryStore
) -> None:
    """Their messages may be lost. A game here is not read as long as its log is no shorter."""
    await bench.moves(ADA, 1, 2)
    game_elsewhere(store, BEN, 5)
    store.read_logs.clear()
    await bench.race.read_again()
    assert bench.race.games[BEN].standing.progress.n == 5
    assert store.read_logs == [keys.game_log(ROOM, 1, BEN)]
    assert bench.lost == []


async def test_a_check_notices_lost_actions_here_and_elsewhere(bench: Bench, store: GatedMemoryStore) -> None:
    """Each is reported with the number of its lost actions."""
    await bench.moves(ADA, 1, 6)
    game_elsewhere(store, BEN, 5)
    await bench.race.read_again()
    store.cut(keys.game_log(ROOM, 1, ADA), 4)
    store.cut(keys.game_log(ROOM, 1, BEN), 2)
    await bench.race.read_again()
    assert bench.lost == [(ADA, 4), (BEN, 2)]
    assert sorted((player, moves) for player, _, moves in bench.rows()) == [(ADA, 2), (BEN, 3), (CYD, 0)]


async def test_games_are_read_when_a_room_is_loaded(bench: Bench, store: GatedMemoryStore) -> None:
    """After a restart every racer's game is what the log tells."""
    game_elsewhere(store, ADA, 3)
    game_elsewhere(store, BEN, 4)
    await bench.race.load()
    assert {player: moves for player, _, moves in bench.rows()} == {ADA: 3, BEN: 4, CYD: 0}


async def test_only_games_of_other_nodes_are_read_before_they_go_on(
    bench: Bench, store: GatedMemoryStore
) -> None:
    """When their racers come here; games of this node go on at once."""
    game_elsewhere(store, BEN, 3)
    bench.race.invalidate_remote(bench.race.log.committed_state)
    await bench.moves(ADA, 1, 1)
    assert keys.game_log(ROOM, 1, ADA) not in store.read_logs
    bench.race.act(BEN, move(4))
    await idle()
    assert bench.race.games[BEN].measure().n == 4


async def test_every_game_is_read_after_a_rollback(bench: Bench, store: GatedMemoryStore) -> None:
    await bench.moves(ADA, 1, 3)
    store.cut(keys.game_log(ROOM, 1, ADA), 1)
    bench.race.invalidate_all()
    await bench.moves(ADA, 3, 3)
    assert [answer.n for answer in bench.subscribers[ADA].messages(Accepted)] == [1, 2, 3, 3]
    assert bench.lost == [(ADA, 1)]


async def test_an_abandoned_race_sends_nothing(bench: Bench, store: GatedMemoryStore) -> None:
    """The room has another race, or none, after a rollback; what was in flight is of no interest."""
    store.commits.close()
    bench.race.act(ADA, move(1))
    bench.race.abandon()
    store.commits.open()
    await idle()
    assert bench.subscribers[ADA].received == []


async def test_idle_times_are_those_of_the_last_actions(bench: Bench) -> None:
    """On the clock of all servers; a racer who has done nothing is idle since the start."""
    await bench.node.tick()
    await bench.moves(ADA, 1, 1)
    bench.race.take_progress()
    start = bench.race.started_at_ms
    assert bench.race.idle_since_ms() == {ADA: start + 100, BEN: start, CYD: start}
