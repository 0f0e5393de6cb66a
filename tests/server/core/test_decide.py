"""All decisions together: who may send which request, and invariants after any commands."""

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import from_client as ask
from protocol.errors import ErrorCode
from protocol.parts import Phase, Settings, StartMode
from protocol.refusals import RefusalCode
from server.core import commands as cmd
from server.core import events as ev
from server.core.names import chat_line
from server.core.racing import is_over
from server.core.room import Room, fold
from server.core.rules import Rules

REQUESTS = [
    ask.Ready(),
    ask.Chat(text="hi"),
    ask.Lock(),
    ask.Kick(player="cat"),
    ask.StartCountdown(),
    ask.CancelCountdown(),
    ask.Configure(settings=Settings()),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda each: type(each).__name__)
def test_requests_from_outside_the_room_are_refused(story: Any, request_: ask.RoomRequest) -> None:
    story.open()
    assert story.request("bob", request_) is ErrorCode.NOT_IN_ROOM
    story.join("bob")
    story.kick("bob")
    assert story.request("bob", request_) is ErrorCode.NOT_IN_ROOM


@pytest.mark.parametrize("request_", REQUESTS[2:], ids=lambda each: type(each).__name__)
def test_only_the_host_locks_kicks_starts_cancels_and_configures(
    story: Any, request_: ask.RoomRequest
) -> None:
    """With `all_ready` too. It is the host of this moment who counts."""
    story.all_ready_room("bob", "cat")
    assert story.request("bob", request_) is ErrorCode.NOT_HOST
    story.leave("ann")
    assert story.room.host == "bob"
    assert story.request("bob", request_) is not ErrorCode.NOT_HOST
    assert story.request("cat", request_) in (ErrorCode.NOT_HOST, ErrorCode.NOT_IN_ROOM)


def test_every_member_can_chat_at_any_time(story: Any) -> None:
    story.open()
    story.join("bob", spectate=True)
    story.race("ann")
    assert story.request("bob", ask.Chat(text="go!")) == [ev.ChatMessage(story.now, "bob", "go!")]


def test_chat_is_cut_to_one_harmless_line(story: Any) -> None:
    """A line of which nothing is left is not sent."""
    story.open()
    assert story.request("ann", ask.Chat(text="a\n\x1bb")) == [ev.ChatMessage(story.now, "ann", "a b")]
    assert story.request("ann", ask.Chat(text="\x1b")) == []


# Any commands.

PLAYER = st.sampled_from(["ann", "bob", "cat", "dan"])
HOST = "the host of this moment"
NODE = st.sampled_from(["n1", "n1", "n2"])
THIS_RACE = 0
RACE = st.sampled_from([THIS_RACE, THIS_RACE, THIS_RACE, 1, 2])
CODE = st.sampled_from(["SS1-S1-AAAAABD", "SS1-S1-ZZZZZZZ"])
CHANGED = st.builds(
    Settings,
    start_mode=st.sampled_from(StartMode),
    max_members=st.integers(1, 5),
    countdown_s=st.sampled_from([0, 5]),
    time_limit_s=st.sampled_from([60, 1800]),
)


def requests(player: st.SearchStrategy[str], request_: st.SearchStrategy[ask.RoomRequest]) -> Any:
    return st.builds(cmd.MemberRequest, player, NODE, request_, st.none() | CODE)


READY = requests(PLAYER, st.builds(ask.Ready, ready=st.sampled_from([True, True, True, False])))
HOST_REQUESTS: st.SearchStrategy[ask.RoomRequest] = st.one_of(
    st.just(ask.StartCountdown()),
    st.just(ask.StartCountdown()),
    st.just(ask.StartCountdown()),
    st.just(ask.CancelCountdown()),
    st.builds(ask.Kick, player=PLAYER),
    st.builds(ask.Lock, locked=st.booleans()),
    st.builds(ask.Configure, settings=CHANGED),
)
NAMES = st.sampled_from(["Ann", "ann", "Bob"])
JOIN = st.builds(cmd.JoinRoom, PLAYER, NAMES, NODE, st.booleans(), st.sampled_from(["key", "key", None]))
COMMAND: st.SearchStrategy[cmd.Command] = st.one_of(
    JOIN,
    JOIN,
    READY,
    READY,
    READY,
    requests(st.just(HOST), HOST_REQUESTS),
    requests(st.just(HOST), st.just(ask.StartCountdown())),
    requests(PLAYER, HOST_REQUESTS),
    requests(PLAYER, st.just(ask.Chat(text="hi"))),
    st.builds(cmd.StartRace, CODE),
    st.builds(cmd.StartRace, CODE),
    st.builds(cmd.Disconnect, PLAYER, NODE),
    st.builds(cmd.DisconnectNodes, st.frozensets(NODE, max_size=1)),
    st.builds(cmd.LeaveRoom, PLAYER),
    st.just(cmd.Tick()),
    st.builds(cmd.Win, PLAYER, RACE, st.integers(0, 9), st.just(851), st.just(49)),
    st.builds(cmd.Forfeit, PLAYER, RACE),
    st.builds(cmd.UndoForfeit, PLAYER, RACE),
    st.builds(cmd.EndRace, RACE, st.just(())),
)
PAUSE = st.sampled_from([0, 0, 0, 1, 1_000, 1_000, 5_000, 5_000, 10_000, 60_000, 900_000])
Step = tuple[int, cmd.Command]
ANYTHING = st.lists(st.tuples(PAUSE, COMMAND), min_size=1, max_size=10)
A_RACE: st.SearchStrategy[list[Step]] = st.just(
    [
        (0, cmd.JoinRoom("cat", "Cat", "n2", False, "key")),
        (0, cmd.MemberRequest("cat", "n2", ask.Ready())),
        (0, cmd.MemberRequest(HOST, "n1", ask.Ready())),
        (0, cmd.MemberRequest(HOST, "n1", ask.StartCountdown())),
        (5_000, cmd.StartRace("SS1-S1-AAAAABD")),
    ]
)
STEPS = st.lists(ANYTHING | A_RACE, min_size=5, max_size=15).map(lambda parts: list(chain(*parts)))
ROOM_SETTINGS = st.builds(
    Settings,
    start_mode=st.sampled_from(StartMode),
    max_members=st.integers(2, 5),
    countdown_s=st.sampled_from([0, 5]),
)


def opened(story: Any, rules: Settings) -> None:
    """Let Ann open a room with a password, and Bob join it."""
    story.open(settings=rules, key="key")
    story.join("bob", key="key")


def addressed(command: cmd.Command, room: Room) -> cmd.Command:
    """Return a command with the host and the race of this moment filled in."""
    if isinstance(command, cmd.MemberRequest) and command.player == HOST:
        return replace(command, player=room.host)
    if (
        isinstance(command, cmd.Win | cmd.Forfeit | cmd.UndoForfeit | cmd.EndRace)
        and command.race == THIS_RACE
    ):
        return replace(command, race=room.races)
    return command


def check(story: Any) -> None:
    """Check the invariants of a room."""
    room = story.room
    assert not room.connected() or room.host in room.members
    assert not room.kicked & set(room.members)
    assert "ann" not in room.kicked
    assert len({each.name.casefold() for each in room.members.values()}) == len(room.members)
    assert not any(each.ready and each.spectator for each in room.members.values())
    assert room.phase in (Phase.LOBBY, Phase.COUNTDOWN) or room.race is not None
    if room.phase in (Phase.RACING, Phase.RESULTS):
        assert not any(each.ready for each in room.members.values())
        assert (room.race.results is None) is (room.phase is Phase.RACING)


def check_log(log: list[bytes]) -> None:
    """Check a log: races are numbered one by one, follow a countdown, and end once before the next starts."""
    running: ev.RaceStarted | None = None
    counting, races, members = False, 0, set[str]()
    for event in map(ev.from_bytes, log):
        match event:
            case ev.MemberJoined():
                assert event.player not in members
                members.add(event.player)
            case ev.MemberLeft():
                members.remove(event.player)
            case (
                ev.HostChanged()
                | ev.ReadyChanged()
                | ev.MemberDisconnected()
                | ev.MemberReconnected()
                | ev.ChatMessage()
            ):
                assert event.player in members
            case ev.CountdownStarted():
                assert (counting, running, event.race) == (False, None, races + 1)
                counting = True
            case ev.CountdownCancelled():
                assert counting
                counting = False
            case ev.RaceStarted():
                assert (counting, running, event.race) == (True, None, races + 1)
                counting, running, races = False, event, event.race
                assert event.racers
                assert {player for player, _ in event.racers} <= members
            case ev.RacerWon() | ev.RacerForfeited() | ev.RacerForfeitUndone():
                assert running is not None
                assert event.player in dict(running.racers)
            case ev.RaceEnded():
                assert running is not None
                assert (event.race, event.code) == (running.race, running.code)
                running = None
            case _:
                assert running is None or isinstance(event, ev.LockChanged)


@settings(max_examples=100)
@given(rules=ROOM_SETTINGS, steps=STEPS)
def test_the_room_stays_consistent_after_any_commands(
    new_story: Callable[[], Any], rules: Settings, steps: list[Step]
) -> None:
    """No command raises, changes the room while it is decided, or leaves an impossible state."""
    story = new_story()
    opened(story, rules)
    for pause, command in steps:
        members_before = len(story.room.members)
        racers = story.room.race and (story.room.race.number, set(story.room.race.racers))
        decision = story.later(pause).do(addressed(command, story.room))
        check(story)
        if isinstance(decision, list) and any(isinstance(each, ev.MemberJoined) for each in decision):
            assert members_before < story.room.settings.max_members
        if racers and story.room.race.number == racers[0]:
            assert set(story.room.race.racers) == racers[1]
    check_log(story.log)
    again = Room(story.room.code)
    for entry in story.log:
        fold(again, ev.from_bytes(entry))
    assert again == story.room


@settings(max_examples=100)
@given(rules=ROOM_SETTINGS, steps=STEPS)
def test_a_room_comes_to_rest_after_any_commands(
    new_story: Callable[[], Any], rules: Settings, steps: list[Step]
) -> None:
    """Without further commands a countdown ends, a race ends once, and the connected members have a host.

    No race runs without end, and nobody can keep a room from its next race.
    """
    story = new_story()
    opened(story, rules)
    for pause, command in steps:
        story.later(pause).do(addressed(command, story.room))
    for _ in range(3):
        story.later(5_000).tick()
        if story.room.phase is Phase.COUNTDOWN:
            story.later(5_000).start_race()
    story.later(300_000)
    if story.room.phase is Phase.RACING:
        assert is_over(story.room, story.room.race, story.now, story.rules, {})
        story.end_race()
    assert story.room.phase in (Phase.LOBBY, Phase.RESULTS)
    present = [each.player for each in story.room.connected()]
    assert not present or story.room.host in present
    kinds = [type(ev.from_bytes(entry)) for entry in story.log]
    assert kinds.count(ev.RaceStarted) == kinds.count(ev.RaceEnded)
    if present:
        story.race(story.room.host)
        assert story.room.host in story.room.race.racers


@pytest.mark.parametrize(
    "request_",
    [
        ask.Chat(text="hi"),
        ask.Ready(),
        ask.Lock(locked=True),
        ask.Configure(settings=Settings()),
        ask.StartCountdown(),
    ],
    ids=lambda request: type(request).__name__,
)
def test_a_room_whose_log_is_full_accepts_nothing_new(story: Any, request_: ask.RoomRequest) -> None:
    """A log is kept and read as a whole, so it must have an end; members can open another room."""
    story.rules = Rules(room_events=3)
    story.open()
    assert isinstance(story.join("bob"), list)
    assert story.request("ann", request_) is ErrorCode.ROOM_LOG_FULL
    assert story.join("cat") is ErrorCode.ROOM_LOG_FULL
    assert isinstance(story.kick("bob"), list)
    assert isinstance(story.leave("ann"), list)


def test_a_room_beyond_its_limit_of_chat_continues_without_chat(story: Any) -> None:
    """Chat is what makes a log large. Races, and members who join and leave, are not affected."""
    story.rules = Rules(room_chat=5)
    story.open()
    assert story.request("ann", ask.Chat(text="four")) == [ev.ChatMessage(story.now, "ann", "four")]
    assert story.request("ann", ask.Chat(text="more")) == [ev.ChatMessage(story.now, "ann", "more")]
    assert story.request("ann", ask.Chat(text="!")) is ErrorCode.CHAT_LIMIT_REACHED
    assert isinstance(story.join("bob"), list)
    assert story.request("bob", ask.Chat(text="?")) is ErrorCode.CHAT_LIMIT_REACHED
    assert story.request("bob", ask.Chat(text="\x1b")) == []
    story.race("ann", "bob")
    assert isinstance(story.win("ann"), list)


@given(
    limit=st.integers(1, 30),
    texts=st.lists(st.text(st.sampled_from("aé陳🂡 \x1b\u202e"), min_size=1, max_size=12), max_size=12),
)
def test_chat_is_counted_in_characters_of_the_log(
    new_story: Callable[[], Any], limit: int, texts: list[str]
) -> None:
    """So every node refuses the same line. The last line can exceed the limit by its length."""
    story = new_story()
    story.rules = Rules(room_chat=limit)
    story.open()
    for text in texts:
        replayed = Room(story.room.code)
        for entry in story.log:
            fold(replayed, ev.from_bytes(entry))
        texts = [each.text for each in map(ev.from_bytes, story.log) if isinstance(each, ev.ChatMessage)]
        assert replayed == story.room
        assert story.room.chat_characters == len("".join(texts))
        refused = story.room.chat_characters >= limit and chat_line(text) != ""
        assert (story.request("ann", ask.Chat(text=text)) is ErrorCode.CHAT_LIMIT_REACHED) == refused
    assert story.room.chat_characters < limit + 12


def test_a_race_continues_to_its_end_in_a_room_whose_log_is_full(story: Any) -> None:
    """Its racers can disconnect, reconnect, win and forfeit; only a forfeit cannot be undone."""
    story.open()
    story.join("bob")
    story.race("ann", "bob")
    story.rules = Rules(room_events=story.room.length)
    for happens in (
        story.disconnect("bob"),
        story.join("bob"),
        story.forfeit("bob"),
        story.win("ann"),
        story.end_race(),
    ):
        assert isinstance(happens, list)
    assert story.room.phase is Phase.RESULTS
    assert story.ready("ann") is ErrorCode.ROOM_LOG_FULL


def test_forfeits_cannot_be_undone_without_end(story: Any) -> None:
    story.open()
    story.race("ann")
    story.rules = Rules(room_events=story.room.length + 2)
    assert isinstance(story.forfeit("ann"), list)
    assert isinstance(story.undo_forfeit("ann"), list)
    assert isinstance(story.forfeit("ann"), list)
    assert story.undo_forfeit("ann") is RefusalCode.NOT_RACING


@settings(max_examples=60)
@given(rules=ROOM_SETTINGS, steps=STEPS)
def test_the_log_of_a_room_has_an_end_after_any_commands(
    new_story: Callable[[], Any], rules: Settings, steps: list[Step]
) -> None:
    """Members who disconnect and reconnect count too; they cannot be refused in the middle of a race."""
    story = new_story()
    story.rules = Rules(room_events=20)
    opened(story, rules)
    for pause, command in steps * 6:
        story.later(pause).do(addressed(command, story.room))
    assert story.room.length <= 2 * 20 + 3 * 5  # each of five members can still do what ends something
