"""Membership: connections of a node attached to a room, of each player the newest one."""

import asyncio

import pytest
from roomtest import ADA, BEN, NAMES, FakeSubscriber, GatedMemoryStore, RoomNode, advance, idle

from protocol import from_client as ask
from protocol import from_server as say
from protocol.errors import ErrorCode
from protocol.from_server import FromServer
from protocol.parts import GameView, RacerState, Settings
from server.core import commands as cmd
from server.core import events as ev
from server.rooms.membership import Arrival, Membership
from server.rooms.room_log import RoomLog
from server.store import keys

CODE = "BCDFG"
GAME = GameView(3, [[]], 497, 3, 0, 3, RacerState.PLAYING)


class HeldRoom:
    """The room as membership sees it. While `holds`, the reading of a game waits for the test."""

    def __init__(self) -> None:
        self.unloaded = False
        self.holds = False
        self.reading: list[asyncio.Future[GameView | None]] = []
        self.standings = 0

    async def game_of(self, player: str) -> tuple[int, GameView] | None:  # noqa: ARG002 - part of the port
        if not self.holds:
            return None
        self.reading.append(asyncio.get_running_loop().create_future())
        game = await self.reading[-1]
        return None if game is None else (1, game)

    def request_standings(self) -> None:
        self.standings += 1


class Bench:
    """Membership of one room on one node, with what it is given."""

    def __init__(self, node: RoomNode) -> None:
        self.node = node
        self.room = HeldRoom()
        self.events: list[ev.Event] = []
        self.log = RoomLog(
            node.context,
            CODE,
            lambda event, _: self.events.append(event),
            inboxes=list,
            unreadable=lambda: None,
            rolled_back=lambda _: None,
        )
        self.membership = Membership(node.context, self.log, self.room)
        self.refusals: dict[FakeSubscriber, ErrorCode | None] = {}
        settings = Settings(max_members=2)
        self.log.submit(cmd.OpenRoom(ADA, NAMES[ADA], node.context.node, settings, None, None))

    def arrival(self, player: str, subscriber: FakeSubscriber, seen: int | None = None) -> Arrival:
        def done(refusal: ErrorCode | None) -> None:
            self.refusals[subscriber] = refusal

        def answer(message: FromServer) -> None:
            subscriber.received.append(message)

        return Arrival(subscriber, player, 7, answer, done, seen)

    def arrive(self, player: str, seen: int | None = None) -> FakeSubscriber:
        """Let a new connection of a player join; it is not attached yet."""
        subscriber = FakeSubscriber()
        join = cmd.JoinRoom(player, player.title(), self.node.context.node, False, None)
        self.membership.join(self.arrival(player, subscriber, seen), join)
        return subscriber

    async def join(self, player: str, seen: int | None = None) -> FakeSubscriber:
        subscriber = self.arrive(player, seen)
        await idle()
        return subscriber

    def happened(self, kind: type[ev.Event]) -> list[str]:
        """Return the players of the events of a kind."""
        return [event.player for event in self.events if isinstance(event, kind)]  # type: ignore[union-attr]


@pytest.fixture
async def bench(here: RoomNode) -> Bench:
    """A room of Ada, who is not attached yet."""
    made = Bench(here)
    await idle()
    return made


# Attach and resume.


async def test_a_new_member_gets_the_room_and_is_subscribed(bench: Bench) -> None:
    """The snapshot is the answer to the request, and contains the join itself."""
    ben = await bench.join(BEN)
    (room,) = ben.received
    assert isinstance(room, say.Room)
    assert (room.ref, room.seq, room.you) == (7, 3, BEN)
    assert [member.player for member in room.members] == [ADA, BEN]
    assert bench.membership.subscribers == {BEN: ben}
    assert bench.refusals == {ben: None}
    assert bench.room.standings == 1
    assert bench.node.counters.resumes == {"events": 0, "snapshot": 1}


async def test_a_refused_connection_is_not_subscribed(bench: Bench) -> None:
    """The refusal is the room's, and nothing else is sent."""
    await bench.join(BEN)
    cyd = await bench.join("cyd")
    assert bench.refusals[cyd] is ErrorCode.ROOM_FULL
    assert cyd.received == []
    assert not bench.membership.busy
    assert bench.membership.subscribers.keys() == {BEN}


async def test_a_member_who_returns_gets_the_missed_events_in_order(bench: Bench) -> None:
    """With `seen` there is no snapshot; each event has its own number."""
    await bench.join(BEN)
    seen = bench.log.committed_state.length
    for text in ("one", "two"):
        bench.log.submit(cmd.MemberRequest(ADA, "here", ask.Chat(text=text)))
    await idle()
    back = await bench.join(BEN, seen=seen)
    resumed, *missed = back.received
    assert resumed == say.Resumed(ref=7, seq=seen + 2, clock_ms=bench.node.now_ms(), game=None)
    assert missed == [
        say.ChatMessage(seq=seen + 1, player=ADA, text="one"),
        say.ChatMessage(seq=seen + 2, player=ADA, text="two"),
    ]
    assert bench.node.counters.resumes == {"events": 1, "snapshot": 1}


async def test_a_seen_that_the_room_never_had_gets_a_snapshot(bench: Bench) -> None:
    """A client cannot have received events that have not happened."""
    ben = await bench.join(BEN, seen=1_000)
    assert [type(message) for message in ben.received] == [say.Room]


async def test_a_racer_who_returns_gets_the_game(bench: Bench) -> None:
    """The committed game comes with the answer."""
    bench.room.holds = True
    ben = await bench.join(BEN)
    assert ben.received == []
    bench.room.reading[0].set_result(GAME)
    await idle()
    (room,) = ben.received
    assert isinstance(room, say.Room)
    assert room.game == GAME


async def test_an_event_while_the_game_is_read_is_among_the_missed_ones(bench: Bench) -> None:
    """The answer is computed when the connection is attached, not when it arrived."""
    await bench.join(BEN)
    seen = bench.log.committed_state.length
    bench.room.holds = True
    back = await bench.join(BEN, seen=seen)
    bench.log.submit(cmd.MemberRequest(ADA, "here", ask.Chat(text="now")))
    await idle()
    bench.room.reading[0].set_result(GAME)
    await idle()
    assert back.messages(say.ChatMessage) == [say.ChatMessage(seq=seen + 1, player=ADA, text="now")]


async def test_a_game_that_cannot_be_read_ends_the_connection(bench: Bench) -> None:
    """The client must not wait for an answer that never comes; the bug is reported."""
    bench.room.holds = True
    ben = await bench.join(BEN)
    bench.room.reading[0].set_exception(ValueError("a bug"))
    await idle()
    assert ben.endings == ["failed"]
    assert bench.refusals == {}
    assert not bench.membership.busy
    assert [str(fault) for fault in bench.node.faults] == ["a bug"]
    bench.node.faults.clear()


async def test_a_member_who_is_kicked_while_the_game_is_read_is_refused(bench: Bench) -> None:
    """The seat is gone before the connection is attached."""
    bench.room.holds = True
    ben = await bench.join(BEN)
    bench.log.submit(cmd.MemberRequest(ADA, "here", ask.Kick(player=BEN)))
    await idle()
    bench.room.reading[0].set_result(None)
    await idle()
    assert bench.refusals == {ben: ErrorCode.KICKED}
    assert bench.membership.subscribers == {}


async def test_a_member_who_leaves_while_the_game_is_read_is_refused(bench: Bench) -> None:
    """Left in another way than by a kick: the code says that there is no seat."""
    bench.room.holds = True
    ben = await bench.join(BEN)
    bench.log.submit(cmd.LeaveRoom(BEN))
    await idle()
    bench.room.reading[0].set_result(None)
    await idle()
    assert bench.refusals == {ben: ErrorCode.NOT_IN_ROOM}


async def test_the_owner_of_a_new_room_is_attached_without_a_join(bench: Bench) -> None:
    """`create` has made the member already."""
    ada = FakeSubscriber()
    bench.membership.attach(bench.arrival(ADA, ada))
    assert bench.membership.busy
    await idle()
    assert bench.membership.subscribers == {ADA: ada}
    assert bench.refusals == {ada: None}


# The newest connection wins.


async def test_a_newer_connection_replaces_an_attached_one(bench: Bench) -> None:
    """The older one is ended; the member never looks disconnected."""
    old = await bench.join(BEN)
    new = await bench.join(BEN)
    bench.membership.disconnected(BEN, old)
    await idle()
    assert (old.endings, new.endings) == (["replaced"], [])
    assert bench.membership.subscribers == {BEN: new}
    assert bench.happened(ev.MemberDisconnected) == []


@pytest.mark.parametrize("first", ["older", "newer"])
async def test_of_two_arriving_connections_the_later_one_wins(bench: Bench, first: str) -> None:
    """Whichever is attached first: the order of arrival decides."""
    bench.room.holds = True
    older = await bench.join(BEN)
    newer = await bench.join(BEN)
    order = [0, 1] if first == "older" else [1, 0]
    for each in order:
        bench.room.reading[each].set_result(None)
        await idle()
    assert bench.membership.subscribers == {BEN: newer}
    assert (older.endings, newer.endings) == (["replaced"], [])
    assert bench.refusals == {older: ErrorCode.NOT_IN_ROOM, newer: None}
    assert older.received == []
    assert [type(message) for message in newer.received] == [say.Room]
    assert not bench.membership.busy


async def test_an_attached_connection_yields_to_none_that_came_before_it(bench: Bench) -> None:
    """A connection that arrived first and is attached last does not replace a newer one that is attached."""
    bench.room.holds = True
    older = await bench.join(BEN)
    bench.room.holds = False
    newer = await bench.join(BEN)
    assert bench.membership.subscribers == {BEN: newer}
    bench.room.reading[0].set_result(None)
    await idle()
    assert bench.membership.subscribers == {BEN: newer}
    assert (older.endings, newer.endings) == (["replaced"], [])
    assert bench.happened(ev.MemberDisconnected) == []


async def test_a_connection_that_joins_twice_keeps_its_place(bench: Bench) -> None:
    """The second `join` of a connection sends a fresh snapshot and replaces nothing."""
    ben = await bench.join(BEN)
    join = cmd.JoinRoom(BEN, "Ben", "here", False, None)
    bench.membership.join(bench.arrival(BEN, ben), join)
    await idle()
    assert [type(message) for message in ben.received] == [say.Room, say.Room]
    assert ben.endings == []
    newer = await bench.join(BEN)
    assert ben.endings == ["replaced"]
    assert bench.membership.subscribers == {BEN: newer}


async def test_a_connection_to_another_node_replaces_the_one_here(bench: Bench) -> None:
    """The room's log says where the player is; the older connection is refused while it arrives."""
    bench.room.holds = True
    ben = await bench.join(BEN)
    bench.log.submit(cmd.JoinRoom(BEN, "Ben", "elsewhere", False, None))
    await idle()
    bench.room.reading[0].set_result(None)
    await idle()
    assert bench.refusals == {ben: ErrorCode.NOT_IN_ROOM}
    assert ben.endings == ["replaced"]
    assert bench.membership.subscribers == {}


async def test_a_connection_that_is_gone_does_not_join_after_a_conflict(
    bench: Bench, store: GatedMemoryStore
) -> None:
    """Its join would replace the player's newer connection at another node."""
    log = keys.room_log(CODE)
    await bench.join(BEN)
    store.commits.close(log)
    gone = bench.arrive(BEN)
    await store.commits.reached()
    gone.gone = True
    store.put(log, ev.to_bytes(ev.MemberReconnected(bench.node.now_ms(), BEN, "elsewhere")))
    store.commits.open()
    await idle()
    assert bench.refusals[gone] is ErrorCode.NOT_IN_ROOM
    assert bench.log.committed_state.members[BEN].node == "elsewhere"


# Detach.


async def test_a_member_whose_connection_ends_is_disconnected(bench: Bench) -> None:
    """The seat is kept; others see that the member is away."""
    ben = await bench.join(BEN)
    bench.membership.disconnected(BEN, ben)
    await idle()
    assert bench.membership.subscribers == {}
    assert bench.happened(ev.MemberDisconnected) == [BEN]


async def test_a_connection_that_ends_while_another_arrives_disconnects_nobody(bench: Bench) -> None:
    """The member is about to be connected again."""
    old = await bench.join(BEN)
    bench.room.holds = True
    await bench.join(BEN)
    bench.membership.disconnected(BEN, old)
    await idle()
    assert bench.happened(ev.MemberDisconnected) == []
    bench.room.reading[0].set_result(None)
    await idle()
    assert bench.happened(ev.MemberDisconnected) == []


async def test_a_member_whose_last_arriving_connection_fails_is_disconnected(bench: Bench) -> None:
    """An older connection may have ended meanwhile, when a newer one was still expected."""
    old = await bench.join(BEN)
    bench.room.holds = True
    await bench.join(BEN)
    bench.membership.disconnected(BEN, old)
    bench.room.reading[0].set_exception(ValueError("a bug"))
    await idle()
    assert bench.happened(ev.MemberDisconnected) == [BEN]
    bench.node.faults.clear()


async def test_a_member_who_left_is_detached_and_told_so(bench: Bench) -> None:
    """The connection stays open, in no room."""
    ben = await bench.join(BEN)
    bench.membership.left(BEN)
    bench.membership.left(BEN)
    assert ben.endings == ["left"]
    assert bench.membership.subscribers == {}


async def test_all_connections_can_be_ended(bench: Bench) -> None:
    """Clients connect again and get the room; they stay subscribed until their connections end."""
    ada, ben = await bench.join(ADA), await bench.join(BEN)
    bench.membership.disconnect_all()
    assert (ada.endings, ben.endings) == (["failed"], ["failed"])


# What the room's log says and what is the case.


async def test_ghosts_are_marked_as_disconnected(bench: Bench) -> None:
    """A ghost is listed at this node and has no connection here; others are left alone."""
    await bench.join(BEN)
    bench.membership.mark_ghosts_disconnected()
    await idle()
    assert bench.happened(ev.MemberDisconnected) == [ADA]


async def test_an_arriving_connection_is_no_ghost(bench: Bench) -> None:
    """It will be attached in a moment."""
    bench.room.holds = True
    await bench.join(BEN)
    await bench.join(ADA)
    bench.membership.mark_ghosts_disconnected()
    await idle()
    assert bench.happened(ev.MemberDisconnected) == []
    for reading in bench.room.reading:
        reading.set_result(None)


async def test_members_of_other_nodes_are_no_ghosts_here(bench: Bench) -> None:
    """Only their own nodes know whether they are connected."""
    bench.log.submit(cmd.JoinRoom(BEN, "Ben", "elsewhere", False, None))
    await bench.join(ADA)
    bench.membership.mark_ghosts_disconnected()
    await idle()
    assert bench.happened(ev.MemberDisconnected) == []


async def test_a_connected_member_whom_the_room_lists_as_away_is_marked_connected(bench: Bench) -> None:
    """Another node took this one for dead."""
    await bench.join(BEN)
    bench.log.submit(cmd.DisconnectNodes(frozenset({"here"})))
    await idle()
    bench.membership.mark_connected(BEN)
    await idle()
    assert bench.happened(ev.MemberReconnected) == [BEN]
    assert bench.log.committed_state.members[BEN].disconnected_at_ms is None


async def test_a_member_who_was_listed_as_away_while_arriving_is_marked_connected(bench: Bench) -> None:
    """Otherwise a member who is attached would look disconnected until the next change."""
    bench.room.holds = True
    await bench.join(BEN)
    bench.log.submit(cmd.Disconnect(BEN, "here"))
    await idle()
    bench.room.reading[0].set_result(None)
    await idle()
    assert bench.happened(ev.MemberReconnected) == [BEN]


@pytest.mark.parametrize("change", ["connected", "disconnected"])
async def test_a_change_that_the_store_does_not_accept_is_submitted_again(bench: Bench, change: str) -> None:
    """After a second, until it is accepted; nothing is submitted before."""
    ben = await bench.join(BEN)
    if change == "connected":
        bench.log.submit(cmd.Disconnect(BEN, "here"))
        await idle()
        kind: type[ev.Event] = ev.MemberReconnected
    else:
        kind = ev.MemberDisconnected
    bench.node.journal.full = True
    if change == "connected":
        bench.membership.mark_connected(BEN)
    else:
        bench.membership.disconnected(BEN, ben)
    await advance(3.5)
    bench.node.journal.full = False
    await advance(0.4)
    assert bench.happened(kind) == []
    await advance(0.2)
    assert bench.happened(kind) == [BEN]


async def test_an_unloaded_room_submits_nothing_again(bench: Bench) -> None:
    """Another node may have the room by then."""
    ben = await bench.join(BEN)
    bench.node.journal.full = True
    bench.room.unloaded = True
    bench.membership.disconnected(BEN, ben)
    bench.node.journal.full = False
    await advance(5)
    assert bench.happened(ev.MemberDisconnected) == []


async def test_a_member_without_a_connection_is_not_marked_connected_again(bench: Bench) -> None:
    """The connection ended before the store answered."""
    await bench.join(BEN)
    bench.log.submit(cmd.Disconnect(BEN, "here"))
    await idle()
    bench.membership.left(BEN)
    bench.node.journal.full = True
    bench.membership.mark_connected(BEN)
    bench.node.journal.full = False
    await advance(5)
    assert bench.happened(ev.MemberReconnected) == []


async def test_a_member_who_is_back_before_the_store_accepts_it_is_not_marked_disconnected(
    bench: Bench,
) -> None:
    """The retry looks again: it would mark a connected member as disconnected for a moment."""
    ben = await bench.join(BEN)
    bench.node.journal.full = True
    bench.membership.disconnected(BEN, ben)
    bench.node.journal.full = False
    await bench.join(BEN)
    await advance(5)
    assert bench.happened(ev.MemberDisconnected) == []


async def test_a_room_that_is_unloaded_before_the_retry_submits_nothing(bench: Bench) -> None:
    ben = await bench.join(BEN)
    bench.node.journal.full = True
    bench.membership.disconnected(BEN, ben)
    bench.node.journal.full = False
    bench.room.unloaded = True
    await advance(5)
    assert bench.happened(ev.MemberDisconnected) == []
