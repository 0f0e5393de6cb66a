"""The writer of a room's log: decide, append, publish; conflicts, rollbacks and logs that cannot be read."""

from itertools import pairwise

import pytest
from roomtest import ADA, BEN, NAMES, GatedMemoryStore, RoomNode, advance, idle

from protocol import from_client as ask
from protocol.errors import ErrorCode
from protocol.from_client import RoomRequest
from protocol.parts import LeaveReason, Settings
from server.core import commands as cmd
from server.core import events as ev
from server.rooms import room_log
from server.rooms.node_messages import RoomLogGrew, from_bytes
from server.rooms.recent_events import REPLAYED_EVENTS
from server.rooms.room_log import CHECKED_EVENTS, Answer, RoomLog
from server.store import keys
from server.store.port import Append, StoreUnavailable

CODE = "BCDFG"
LOG = keys.room_log(CODE)


class Bench:
    """The writer of one room's log, and everything that it calls."""

    def __init__(self, node: RoomNode) -> None:
        self.node = node
        self.published: list[tuple[int, ev.Event]] = []
        self.inboxes: list[str] = []
        self.unreadable = 0
        self.rolled_back: list[int] = []
        self.answers: list[Answer] = []
        self.log = RoomLog(
            node.context,
            CODE,
            lambda event, seq: self.published.append((seq, event)),
            inboxes=lambda: self.inboxes,
            unreadable=self._unreadable,
            rolled_back=self.rolled_back.append,
        )

    def _unreadable(self) -> None:
        self.unreadable += 1

    def submit(self, command: cmd.Command, *, confirm: bool = False) -> None:
        """Submit a command; its answer is added to `answers`."""
        self.log.submit(command, self.answers.append, confirm=confirm)

    def ask(self, request: RoomRequest, player: str = ADA) -> None:
        self.submit(cmd.MemberRequest(player, self.node.context.node, request))

    def chat(self, *texts: str) -> None:
        for text in texts:
            self.ask(ask.Chat(text=text))

    @property
    def lines(self) -> list[str]:
        """The lines of chat that were published."""
        return [event.text for _, event in self.published if isinstance(event, ev.ChatMessage)]

    def check(self, store: GatedMemoryStore) -> None:
        """Check that both copies of the room are what the store has."""
        assert self.log.idle
        assert self.log.committed_state == self.log.pending_state
        assert self.log.committed_state.length == len(store.entries(LOG))


def opened(node: RoomNode) -> cmd.OpenRoom:
    return cmd.OpenRoom(ADA, NAMES[ADA], node.context.node, Settings(), None, None)


def chat(text: str, node: RoomNode) -> bytes:
    """Return the entry of a line of chat, as another node writes it."""
    return ev.to_bytes(ev.ChatMessage(node.now_ms(), BEN, text))


@pytest.fixture
async def bench(here: RoomNode) -> Bench:
    """A room of Ada, and Ben at another node."""
    made = Bench(here)
    made.submit(opened(here))
    made.submit(cmd.JoinRoom(BEN, NAMES[BEN], "elsewhere", False, None))
    await idle()
    made.answers.clear()
    made.published.clear()
    return made


# Commit, then publish.


async def test_nothing_is_published_before_it_is_committed(bench: Bench, store: GatedMemoryStore) -> None:
    """`pending_state` has it at once, `committed_state` when the store has it."""
    store.commits.close(LOG)
    bench.ask(ask.Lock())
    await idle()
    assert (bench.log.pending_state.locked, bench.log.committed_state.locked) == (True, False)
    assert (bench.published, bench.answers, bench.log.idle) == ([], [], False)
    store.commits.open()
    await idle()
    event = ev.LockChanged(bench.node.now_ms(), True)
    assert bench.published == [(4, event)]
    assert bench.answers == [[event]]
    bench.check(store)


async def test_a_command_is_decided_on_what_was_sent_before_it(bench: Bench, store: GatedMemoryStore) -> None:
    """The second lock changes nothing; its answer waits for the commit of the first all the same."""
    store.commits.close(LOG)
    bench.ask(ask.Lock())
    bench.ask(ask.Lock())
    bench.ask(ask.Lock(), BEN)
    await idle()
    assert bench.answers == [ErrorCode.NOT_HOST]
    store.commits.open()
    await idle()
    assert [type(answer) for answer in bench.answers] == [ErrorCode, list, list]
    assert bench.answers[2] == []


async def test_a_refusal_and_an_empty_answer_come_at_once(bench: Bench, store: GatedMemoryStore) -> None:
    """Where nothing is in flight they depend on nothing that could still change."""
    before = store.entries(LOG)
    bench.ask(ask.Lock(), BEN)
    bench.ask(ask.Lock(locked=False))
    assert bench.answers == [ErrorCode.NOT_HOST, []]
    assert store.entries(LOG) == before


async def test_a_confirmed_refusal_waits_for_an_empty_commit(bench: Bench, store: GatedMemoryStore) -> None:
    """It proves that no other node has written what would make a difference."""
    bench.submit(cmd.LeaveRoom("nobody"), confirm=True)
    assert bench.answers == []
    await idle()
    assert bench.answers == [ErrorCode.NOT_IN_ROOM]
    bench.submit(cmd.LeaveRoom("cyd"), confirm=True)
    joined = ev.MemberJoined(bench.node.now_ms(), "cyd", "Cyd", "elsewhere", False)
    store.put(LOG, ev.to_bytes(joined))
    await idle()
    assert isinstance(bench.answers[1], list)
    assert [type(event) for _, event in bench.published] == [ev.MemberJoined, ev.MemberLeft]


async def test_other_nodes_learn_the_new_length(bench: Bench, store: GatedMemoryStore) -> None:
    """The message goes with the commit: it is sent only if the events are stored."""
    heard: list[bytes] = []
    store.subscribe("inbox:there", heard.append, lambda: None)
    bench.inboxes = ["inbox:there"]
    bench.chat("one")
    bench.ask(ask.Lock(locked=False))  # no event, no message
    await idle()
    assert [from_bytes(payload) for payload in heard] == [RoomLogGrew(CODE, 4)]


async def test_a_room_without_events_only_can_be_opened(here: RoomNode) -> None:
    """Its log was removed, or the store has lost it."""
    bench = Bench(here)
    bench.submit(cmd.Tick())
    bench.submit(cmd.JoinRoom(BEN, "Ben", "here", False, None))
    assert bench.answers == [ErrorCode.NO_SUCH_ROOM] * 2
    bench.submit(opened(here))
    await idle()
    assert isinstance(bench.answers[2], list)


async def test_a_full_journal_refuses_and_changes_nothing(bench: Bench, store: GatedMemoryStore) -> None:
    """The command may be sent again."""
    bench.node.journal.full = True
    bench.chat("lost")
    assert bench.answers == [ErrorCode.STORE_UNAVAILABLE]
    bench.node.journal.full = False
    bench.chat("kept")
    await idle()
    assert bench.lines == ["kept"]
    bench.check(store)


# Loading and replaying.


async def test_a_loaded_log_is_the_committed_one(
    bench: Bench, store: GatedMemoryStore, here: RoomNode
) -> None:
    """Both copies and the latest events, and nothing is published again."""
    bench.chat("one", "two")
    await idle()
    again = Bench(here)
    await again.log.load()
    assert again.log.committed_state == bench.log.committed_state
    assert again.log.events_after(3) == [event for _, event in bench.published]
    assert again.published == []
    again.check(store)


@pytest.mark.parametrize(("seq", "missed"), [(5, 0), (4, 1), (0, 5), (6, None), (-1, None)])
async def test_missed_events_are_those_after_a_number(bench: Bench, seq: int, missed: int | None) -> None:
    """None for a number that the log has not reached."""
    bench.chat("one", "two")
    await idle()
    events = bench.log.events_after(seq)
    assert (None if events is None else len(events)) == missed


async def test_only_the_latest_events_can_be_replayed(bench: Bench) -> None:
    """More missed events than are kept come as a snapshot instead."""
    length = bench.log.committed_state.length
    bench.chat(*map(str, range(REPLAYED_EVENTS)))
    await idle()
    assert bench.log.events_after(length - 1) is None
    events = bench.log.events_after(length)
    assert events is not None
    assert [event.text for event in events if isinstance(event, ev.ChatMessage)] == bench.lines


# Conflicts and catching up.


async def test_after_a_conflict_a_command_is_decided_on_what_the_log_says(
    bench: Bench, store: GatedMemoryStore
) -> None:
    """The other node's event is published first; the number of our event is the next one."""
    store.put(LOG, chat("theirs", bench.node))
    bench.chat("ours")
    await idle()
    assert bench.lines == ["theirs", "ours"]
    assert [seq for seq, _ in bench.published] == [4, 5]
    bench.check(store)


async def test_a_command_that_another_node_made_void_is_refused_after_the_conflict(
    bench: Bench, store: GatedMemoryStore
) -> None:
    """The member was kicked there meanwhile."""
    left = ev.MemberLeft(bench.node.now_ms(), BEN, LeaveReason.KICKED)
    store.put(LOG, ev.to_bytes(left))
    bench.ask(ask.Chat(text="still here"), BEN)
    await idle()
    assert bench.answers == [ErrorCode.NOT_IN_ROOM]
    assert bench.lines == []
    bench.check(store)


async def test_commands_in_flight_behind_a_conflict_keep_their_order(
    bench: Bench, store: GatedMemoryStore
) -> None:
    """All were decided on a wrong state; all are decided again, in order, before later ones."""
    store.commits.close(LOG)
    bench.chat("one", "two")
    await store.commits.reached()
    store.put(LOG, chat("theirs", bench.node))
    store.reads.close(LOG)
    store.commits.open()
    await store.reads.reached()
    bench.chat("three")
    await idle()
    assert bench.answers == []
    store.reads.open()
    await idle()
    assert bench.lines == ["theirs", "one", "two", "three"]
    bench.check(store)


async def test_a_withdrawn_command_is_not_decided_again(bench: Bench, store: GatedMemoryStore) -> None:
    """Its sender is gone; the answer is `not_in_room`, and nothing is written."""
    store.put(LOG, chat("theirs", bench.node))
    command = cmd.MemberRequest(ADA, "here", ask.Chat(text="withdrawn"))
    bench.log.submit(command, bench.answers.append, withdrawn=lambda: True)
    await idle()
    assert bench.answers == [ErrorCode.NOT_IN_ROOM]
    assert bench.lines == ["theirs"]


async def test_a_reported_length_makes_a_node_that_is_behind_read(
    bench: Bench, store: GatedMemoryStore
) -> None:
    """A report of what is known already causes no read."""
    bench.log.report_length(3)
    await idle()
    assert store.read_logs.count(LOG) == 0
    store.put(LOG, chat("theirs", bench.node))
    bench.log.report_length(4)
    await idle()
    assert bench.lines == ["theirs"]
    assert bench.node.counters.gaps_repaired == 1
    bench.check(store)


async def test_a_report_while_an_append_is_in_flight_is_not_forgotten(
    bench: Bench, store: GatedMemoryStore
) -> None:
    """The append may be what was reported; if more was, the log is read after it."""
    store.commits.close(LOG)
    bench.chat("ours")
    await store.commits.reached()
    bench.log.report_length(5)
    await idle()
    assert store.read_logs.count(LOG) == 0
    store.commits.open()
    await idle()
    assert store.read_logs.count(LOG) == 1
    store.put(LOG, chat("theirs", bench.node))
    bench.log.report_length(5)
    await idle()
    assert bench.lines == ["ours", "theirs"]
    bench.check(store)


async def test_a_report_during_a_read_makes_it_read_again(bench: Bench, store: GatedMemoryStore) -> None:
    """What that read returns may be older than the report."""
    store.put(LOG, chat("one", bench.node))
    store.reads.close(LOG)
    bench.log.report_length(4)
    await store.reads.reached()
    store.put(LOG, chat("two", bench.node))
    bench.log.report_length(5)
    store.reads.open()
    await idle()
    assert bench.lines == ["one", "two"]


async def test_what_waits_for_a_read_is_bounded(
    bench: Bench, store: GatedMemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store may answer hours late; commands must not fill the memory."""
    monkeypatch.setattr(room_log, "MAX_WAITING", 3)
    store.reads.close(LOG)
    bench.log.read_again()
    await store.reads.reached()
    bench.chat(*"abcde")
    assert bench.answers == [ErrorCode.STORE_UNAVAILABLE] * 2
    store.reads.open()
    await idle()
    assert bench.lines == ["a", "b", "c"]


async def test_an_unavailable_store_is_read_until_it_answers(bench: Bench, store: GatedMemoryStore) -> None:
    """A command that waits for the read gets its answer then, however long it takes."""
    store.put(LOG, chat("theirs", bench.node))
    bench.log.read_again()
    store.fault = StoreUnavailable("gone")
    bench.chat("ours")
    await advance(3_600)
    assert bench.answers == []
    store.fault = None
    await advance(1)
    assert bench.lines == ["theirs", "ours"]


# One commit over several logs.


async def test_appends_to_other_logs_are_made_with_the_events_or_not_at_all(
    bench: Bench, store: GatedMemoryStore
) -> None:
    """A conflict in the other log keeps the event out of the room; the command is not decided again."""
    conflicts: list[str] = []
    command = cmd.MemberRequest(ADA, "here", ask.Lock())

    def submit(expected: int) -> None:
        bench.log.submit_with(
            command,
            bench.answers.append,
            (Append("game", expected, (b"win",)),),
            lambda: conflicts.append("conflict"),
        )

    submit(1)
    await idle()
    assert (bench.answers, conflicts, bench.published) == ([], ["conflict"], [])
    submit(0)
    await idle()
    assert isinstance(bench.answers[0], list)
    assert store.entries("game") == [b"win"]
    bench.check(store)


async def test_a_command_with_appends_that_waited_is_decided_unless_it_is_void(
    bench: Bench, store: GatedMemoryStore
) -> None:
    """It was not sent yet, so it did not conflict; but its appends may no longer fit."""
    conflicts: list[bool] = []
    store.reads.close(LOG)
    bench.log.read_again()
    await store.reads.reached()
    for void in (True, False):
        bench.log.submit_with(
            cmd.MemberRequest(ADA, "here", ask.Lock()),
            bench.answers.append,
            (Append("game", 0, (b"entry",)),),
            lambda void=void: conflicts.append(void),  # type: ignore[misc]
            is_void=lambda void=void: void,  # type: ignore[misc]
        )
    store.reads.open()
    await idle()
    assert conflicts == [True]
    assert isinstance(bench.answers[0], list)
    assert store.entries("game") == [b"entry"]


# Rollback: the store has less than it had.


async def cut(bench: Bench, store: GatedMemoryStore, count: int, *instead: str) -> None:
    """Lose entries, perhaps with others in their place, and notice."""
    store.cut(LOG, count)
    store.put(LOG, *(chat(text, bench.node) for text in instead))
    bench.log.read_again()
    await idle()


@pytest.mark.parametrize("lost", [1, 2, 3])
async def test_lost_events_are_noticed_and_counted(bench: Bench, store: GatedMemoryStore, lost: int) -> None:
    """Both copies are what the store has left, and the log goes on from there."""
    bench.chat("one", "two", "three")
    await idle()
    await cut(bench, store, lost)
    assert bench.rolled_back == [lost]
    bench.check(store)
    bench.chat("four")
    await idle()
    assert bench.published[-1][0] == 7 - lost
    bench.check(store)


async def test_lost_events_are_noticed_by_the_next_append(bench: Bench, store: GatedMemoryStore) -> None:
    """It conflicts; the command is decided again on what is left."""
    bench.chat("one", "two")
    await idle()
    store.cut(LOG, 2)
    bench.chat("three")
    await idle()
    assert bench.rolled_back == [2]
    assert bench.published[-1] == (4, ev.ChatMessage(bench.node.now_ms(), ADA, "three"))
    bench.check(store)


async def test_other_events_in_the_place_of_lost_ones_are_noticed(
    bench: Bench, store: GatedMemoryStore
) -> None:
    """The length says nothing then; the latest events are compared."""
    bench.chat("one", "two")
    await idle()
    await cut(bench, store, 2, "other", "events", "and one more")
    assert bench.rolled_back == [2]
    bench.check(store)


async def test_only_the_latest_events_are_compared_when_the_log_is_in_doubt(
    bench: Bench, store: GatedMemoryStore
) -> None:
    """And the last one whenever news is read: reading a whole log for each message would cost too much."""
    bench.chat(*map(str, range(CHECKED_EVENTS + 5)))
    await idle()
    starts: list[int] = []
    read = store.read

    async def noted(log: str, start: int = 0) -> list[bytes]:
        starts.append(start)
        return await read(log, start)

    store.read = noted  # type: ignore[method-assign]
    length = bench.log.committed_state.length
    bench.log.read_again()
    await idle()
    store.put(LOG, chat("theirs", bench.node))
    bench.log.report_length(length + 1)
    await idle()
    assert starts == [length - CHECKED_EVENTS, length - 1]


async def test_the_number_of_a_lost_event_cannot_be_resumed_from(
    bench: Bench, store: GatedMemoryStore
) -> None:
    """It may have been used again, so it does not tell which of the two events the member received."""
    bench.chat("one", "two")
    await idle()
    await cut(bench, store, 1)
    bench.chat("three", "four")
    await idle()
    assert bench.log.events_after(5) is None
    assert [len(bench.log.events_after(seq) or ()) for seq in (4, 6)] == [2, 0]


async def test_a_log_that_is_gone_leaves_an_empty_room(bench: Bench, store: GatedMemoryStore) -> None:
    """Nothing can be done in it any more."""
    await cut(bench, store, 3)
    assert bench.rolled_back == [3]
    assert bench.log.committed_state.length == 0
    bench.chat("hello?")
    assert bench.answers == [ErrorCode.NO_SUCH_ROOM]


# A log that cannot be read.


async def test_a_log_with_an_unknown_entry_refuses_what_waits_for_it(
    bench: Bench, store: GatedMemoryStore
) -> None:
    """An entry of a newer server, say: nobody waits for it, and the bug is reported once."""
    store.put(LOG, b"?")
    bench.chat("one", "two")
    await idle()
    assert bench.answers == [ErrorCode.STORE_UNAVAILABLE] * 2
    assert bench.unreadable == 1
    assert len(bench.node.faults) == 1
    bench.node.faults.clear()


async def test_an_unreadable_log_is_read_again_after_pauses_that_double(
    bench: Bench, store: GatedMemoryStore
) -> None:
    """By the next command after the pause; at most a minute apart."""
    store.put(LOG, b"?")
    reads: list[float] = []
    for _ in range(400):
        before = store.read_logs.count(LOG)
        bench.chat("hello?")
        await idle()
        if store.read_logs.count(LOG) > before:
            reads.append(bench.node.now_ms() / 1000)
        await advance(0.5)
    pauses = [later - earlier for earlier, later in pairwise(reads)]
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]
    assert set(bench.answers) == {ErrorCode.STORE_UNAVAILABLE}
    bench.node.faults.clear()


async def test_a_log_that_can_be_read_again_goes_on(bench: Bench, store: GatedMemoryStore) -> None:
    """Nothing that was refused meanwhile is in it; the pauses begin at a second again."""
    store.put(LOG, b"?")
    bench.chat("refused")
    await idle()
    store.cut(LOG, 1)
    await advance(1.0)
    bench.chat("accepted")
    await idle()
    assert bench.lines == ["accepted"]
    bench.check(store)
    bench.node.faults.clear()
