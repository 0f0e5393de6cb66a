"""Events and snapshots as messages: complete, and without secrets."""

from typing import Any

import msgspec
import pytest

from engine.code import GameCode
from engine.deal import deal
from protocol import from_client as ask
from protocol import from_server as say
from protocol.parts import (
    CancelReason,
    GameView,
    LeaveReason,
    Member,
    Phase,
    RacerState,
    RaceView,
    Result,
    Settings,
)
from server.core import events as ev
from server.core import room_messages

NOW = 1_000_000
CODE = "SS1-S1-AAAAABD"
COLUMNS = deal(GameCode.parse(CODE)).columns_text()
RESULT = Result("ann", "Ann", 1, RacerState.WON, 851, 49, 4, 90_000)
GAME = GameView(0, COLUMNS, 500, 0, 0, 0, RacerState.PLAYING)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (ev.RoomOpened(1, "ann", Settings(), "hash", CODE), None),
        (
            ev.MemberJoined(1, "ann", "Ann", "n1", True),
            say.MemberJoined(seq=7, member=Member("ann", "Ann", False, True, True)),
        ),
        (
            ev.MemberLeft(1, "ann", LeaveReason.KICKED),
            say.MemberLeft(seq=7, player="ann", reason=LeaveReason.KICKED),
        ),
        (ev.MemberDisconnected(1, "ann"), say.MemberDisconnected(seq=7, player="ann")),
        (ev.MemberReconnected(1, "ann", "n2"), say.MemberReconnected(seq=7, player="ann")),
        (ev.ReadyChanged(1, "ann", True), say.ReadyChanged(seq=7, player="ann", ready=True)),
        (
            ev.Configured(1, Settings(suits=4), CODE),
            say.Configured(seq=7, settings=Settings(suits=4), named_code=True),
        ),
        (ev.Configured(1, Settings(), None), say.Configured(seq=7, settings=Settings(), named_code=False)),
        (ev.LockChanged(1, True), say.LockChanged(seq=7, locked=True)),
        (ev.HostChanged(1, "bob"), say.HostChanged(seq=7, player="bob")),
        (ev.ChatMessage(1, "ann", "hi"), say.ChatMessage(seq=7, player="ann", text="hi")),
        (
            ev.CountdownStarted(NOW, 1, NOW + 5_000, "n1"),
            say.CountdownStarted(seq=7, race=1, starts_in_ms=4_000, clock_ms=NOW + 1_000),
        ),
        (
            ev.CountdownStarted(NOW, 1, NOW + 500, "n1"),
            say.CountdownStarted(seq=7, race=1, starts_in_ms=0, clock_ms=NOW + 1_000),
        ),
        (
            ev.CountdownCancelled(1, CancelReason.BY_HOST),
            say.CountdownCancelled(seq=7, reason=CancelReason.BY_HOST),
        ),
        (
            ev.RaceStarted(NOW, 1, CODE, 60_000, (("ann", "Ann"), ("bob", "Bob"))),
            say.RaceStarted(
                seq=7,
                race=1,
                code=CODE,
                columns=COLUMNS,
                racers=["ann", "bob"],
                time_limit_ms=60_000,
                elapsed_ms=1_000,
                clock_ms=NOW + 1_000,
            ),
        ),
        (
            ev.RacerWon(1, "ann", 90_000, 851, 49),
            say.RacerWon(seq=7, player="ann", at_ms=90_000, score=851, moves=49),
        ),
        (ev.RacerForfeited(1, "ann"), say.RacerForfeited(seq=7, player="ann")),
        (ev.RacerForfeitUndone(1, "ann"), say.RacerForfeitUndone(seq=7, player="ann")),
        (ev.RaceEnded(1, 1, CODE, (RESULT,)), say.RaceEnded(seq=7, race=1, code=CODE, results=[RESULT])),
        (ev.LobbyOpened(1), say.LobbyOpened(seq=7)),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, msgspec.Struct) else "",
)
def test_an_event_is_sent_one_second_later_as_this_message(
    event: ev.Event, message: say.RoomEvent | None
) -> None:
    """Times are durations at a sample of the clock, so the client's clock does not matter."""
    assert room_messages.message_of(event, 7, NOW + 1_000) == message


def snapshot(story: Any, player: str = "ann", game: GameView | None = None) -> say.Room:
    return room_messages.snapshot(story.room, player, story.now, game, 3)


def test_the_snapshot_of_a_lobby(story: Any) -> None:
    story.open(code=CODE, key="hash")
    story.join("bob", key="hash", node="n2", spectate=True)
    story.ready("ann")
    story.disconnect("ann")
    assert snapshot(story, "bob") == say.Room(
        ref=3,
        seq=5,
        clock_ms=NOW,
        room="KQXMB",
        you="bob",
        host="ann",
        owner="ann",
        phase=Phase.LOBBY,
        settings=Settings(),
        locked=False,
        has_password=True,
        named_code=True,
        races=0,
        members=[Member("ann", "Ann", True, False, False), Member("bob", "Bob", False, True, True)],
    )


def test_a_snapshot_during_the_countdown_has_the_remaining_time(story: Any) -> None:
    """The start is the same moment for all members."""
    story.open()
    story.ready("ann")
    story.start_countdown()
    story.later(1_200)
    assert snapshot(story).starts_in_ms == 3_800
    story.later(10_000)
    assert snapshot(story).starts_in_ms == 0
    story.cancel_countdown()
    assert snapshot(story).starts_in_ms is None


def test_a_snapshot_during_the_race_has_the_race_and_the_own_game(story: Any) -> None:
    story.open()
    story.race("ann")
    story.later(250)
    seen = snapshot(story, game=GAME)
    assert (seen.phase, seen.races, seen.game, seen.results) == (Phase.RACING, 1, GAME, None)
    assert seen.current_race == RaceView(1, CODE, COLUMNS, ["ann"], 250, 1_800_000)


def test_a_snapshot_has_the_last_results_until_the_next_race(story: Any) -> None:
    story.open()
    story.race("ann")
    results = list(story.results())
    story.end_race()
    assert (snapshot(story).results, snapshot(story).current_race) == (results, None)
    story.ready("ann")
    assert (snapshot(story).phase, snapshot(story).results) == (Phase.LOBBY, results)
    story.start_countdown()
    story.start_race()
    assert snapshot(story).results is None


def test_no_message_contains_a_password_a_node_or_a_sealed_deal(story: Any) -> None:
    """Not even for the owner: the deal is sealed until the start."""
    secrets = (b"sealed-hash", b"node-one", b"AAAAABD")
    story.open(key="sealed-hash", code=CODE)
    story.join("bob", key="sealed-hash", node="node-one")
    story.configure(Settings(), CODE)
    story.disconnect("bob", node="node-one")
    story.join("bob", node="node-one")
    story.ready("bob")
    story.request("ann", ask.StartCountdown(), node="node-one")
    messages = [room_messages.message_of(ev.from_bytes(entry), 1, story.now) for entry in story.log]
    sent = msgspec.json.encode([snapshot(story), snapshot(story, "bob"), *filter(None, messages)])
    assert [secret for secret in secrets if secret in sent] == []
    assert story.room.phase is Phase.COUNTDOWN


def test_the_deal_is_sent_at_the_start(story: Any) -> None:
    story.open(code=CODE)
    story.race("ann")
    assert CODE.encode() in msgspec.json.encode(snapshot(story))
