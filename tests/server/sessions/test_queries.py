"""Requests of an identified client: to the room, for a game, a board, a record, leaderboards."""

import pytest
from racetest import CODE, OTHER_CODE
from roomtest import (
    MOVES,
    FakeClient,
    GatedMemoryStore,
    RoomNode,
    advance,
    idle,
    move,
    racing,
    session_context,
)

from protocol import from_client as ask
from protocol import from_server as say
from protocol.errors import ErrorCode
from protocol.from_client import FromClient
from protocol.limits import LEADERBOARD_SUBSCRIPTIONS
from protocol.parts import RacerState, Ranking, Settings
from server.sessions.context import SessionContext
from server.store import keys
from server.store.port import StoreUnavailable


@pytest.fixture
async def context(here: RoomNode) -> SessionContext:
    """What the sessions of a node share."""
    return session_context(here)


async def why_not(client: FakeClient, request: FromClient) -> str:
    """Return the code of the error that a request gets."""
    error = await client.ask(request)
    assert isinstance(error, say.Error)
    return str(error.code)


async def spectator(context: SessionContext, racer: FakeClient) -> FakeClient:
    """Return a client that has joined the room of a racer and only watches."""
    eve = FakeClient(context, "Eve")
    await eve.hello()
    assert racer.session.room is not None
    await eve.ask(ask.Join(ref=3, room=racer.session.room.code, spectate=True))
    return eve


def play(racer: FakeClient, first: int, last: int) -> None:
    racer.send(*(move(n) for n in range(first, last + 1)))


# Requests to the room.


async def test_a_request_is_answered_after_its_event(context: SessionContext) -> None:
    """Every member receives the event, the sender the answer as well."""
    ada, ben = await racing(context, "Ada", "Ben")
    for client in (ada, ben):
        client.received.clear()
    assert await ben.ask(ask.Chat(ref=9, text="gl hf 好運")) == say.Done(ref=9)
    (event,) = ada.received
    assert isinstance(event, say.ChatMessage)
    assert (event.player, event.text) == (ben.session.player, "gl hf 好運")
    assert ben.received == [event, say.Done(ref=9)]


async def test_a_request_that_the_room_refuses_is_answered_with_the_reason(context: SessionContext) -> None:
    ada, ben = await racing(context, "Ada", "Ben")
    assert await why_not(ben, ask.Lock(ref=9)) == "not_host"
    assert await why_not(ada, ask.StartCountdown(ref=9)) == "race_running"


async def test_settings_are_checked_and_a_code_is_not_shown(context: SessionContext) -> None:
    """Everybody learns that a code was named, nobody which one."""
    ada = FakeClient(context)
    await ada.hello()
    await ada.create()
    ada.received.clear()
    good = ask.Configure(ref=9, settings=Settings(ranking=Ranking.SCORE), code=OTHER_CODE.lower())
    assert await ada.ask(good) == say.Done(ref=9)
    (configured,) = ada.messages(say.Configured)
    assert (configured.settings.ranking, configured.named_code) == (Ranking.SCORE, True)
    assert OTHER_CODE not in str(ada.received)
    assert await why_not(ada, ask.Configure(ref=9, settings=Settings(suits=3))) == "bad_settings"
    assert await why_not(ada, ask.Configure(ref=9, settings=Settings(), code="x")) == "bad_code"
    assert len(ada.messages(say.Configured)) == 1


# Games and boards.


async def test_a_racer_gets_the_committed_game(context: SessionContext, store: GatedMemoryStore) -> None:
    """Without reading its log: it is in the memory of the node."""
    ada, _ = await racing(context, "Ada", "Ben")
    play(ada, 1, 7)
    await idle()
    store.read_logs.clear()
    answer = await ada.ask(ask.GetGame(ref=9))
    assert isinstance(answer, say.Game)
    assert (answer.race, answer.game.n, answer.game.moves) == (1, 7, 7)
    assert store.read_logs == []


async def test_a_spectator_has_no_game(context: SessionContext) -> None:
    ada, _ = await racing(context, "Ada", "Ben")
    eve = await spectator(context, ada)
    assert await why_not(eve, ask.GetGame(ref=9)) == "no_game"


async def test_requests_for_a_game_that_is_being_read_share_one_read(
    context: SessionContext, store: GatedMemoryStore
) -> None:
    """Later ones wait for the answer to the first; an action does not wait for them."""
    ada, _ = await racing(context, "Ada", "Ben")
    room = ada.session.room
    assert room is not None
    assert room.race is not None
    game = room.race.games[ada.session.player]
    game.invalidate()
    ada.received.clear()
    store.read_logs.clear()
    store.reads.close("race:1")
    ada.send(*(ask.GetGame(ref=ref) for ref in range(1, 21)), move(1))
    await idle()
    assert store.read_logs == [game.log]
    store.reads.open()
    await idle()
    assert ada.answers() == [(ref, "Game") for ref in range(1, 21)]
    assert [answer.n for answer in ada.messages(say.Accepted)] == [1]


async def test_boards_are_hidden_during_the_race_and_shown_after_it(context: SessionContext) -> None:
    """To racers and spectators alike."""
    ada, ben = await racing(context, "Ada", "Ben")
    eve = await spectator(context, ada)
    request = ask.GetBoard(ref=9, player=ada.session.player)
    for client in (ada, ben, eve):
        assert await why_not(client, request) == "boards_hidden"
    assert await why_not(eve, ask.GetBoard(ref=9, player=eve.session.player)) == "no_such_member"
    play(ada, 1, MOVES)
    ben.send(ask.Forfeit(race=1, n=1))
    await advance(11)
    for client in (ben, eve):
        board = await client.ask(request)
        assert isinstance(board, say.Board)
        assert (board.race, board.player) == (1, ada.session.player)
        assert board.game.state is RacerState.WON


async def test_live_boards_are_for_spectators(context: SessionContext) -> None:
    """If the host allows it; a racer sees none, even one who is done."""
    ada, ben = await racing(context, "Ada", "Ben", live_boards=True)
    eve = await spectator(context, ada)
    play(ada, 1, MOVES)
    play(ben, 1, 2)
    await idle()
    request = ask.GetBoard(ref=9, player=ben.session.player)
    board = await eve.ask(request)
    assert isinstance(board, say.Board)
    assert (board.game.n, board.game.moves) == (2, 2)
    assert await why_not(ada, request) == "boards_hidden"


# Records.


async def test_a_record_exists_once_the_race_is_over(context: SessionContext) -> None:
    """Not before, and not for a race that never was."""
    ada, ben = await racing(context, "Ada", "Ben")
    assert await why_not(ben, ask.GetRecord(ref=9, race=1)) == "no_record"
    play(ada, 1, MOVES)
    play(ben, 1, MOVES)
    await advance(1)
    sent = await ben.ask(ask.GetRecord(ref=9, race=1))
    assert isinstance(sent, say.RecordSent)
    assert sent.record.results == ben.messages(say.RaceEnded)[0].results
    assert [len(racer.actions) for racer in sent.record.racers] == [MOVES, MOVES]
    assert await why_not(ben, ask.GetRecord(ref=9, race=2)) == "no_record"


@pytest.mark.parametrize("request_", [ask.GetRecord(ref=9, race=1), ask.GetBoard(ref=9, player="ada")])
async def test_an_unavailable_store_refuses_what_only_reads(
    context: SessionContext, store: GatedMemoryStore, request_: FromClient
) -> None:
    """At once: the client may ask again. Later requests are handled."""
    ada, ben = await racing(context, "Ada", "Ben", live_boards=True)
    eve = await spectator(context, ada)
    if isinstance(request_, ask.GetBoard):
        request_ = ask.GetBoard(ref=9, player=ben.session.player)
    store.fault = StoreUnavailable("gone")
    assert await why_not(eve, request_) == "store_unavailable"
    store.fault = None
    assert await why_not(eve, ask.GetGame(ref=10)) == "no_game"


async def test_a_log_that_cannot_be_read_ends_the_connection(
    here: RoomNode, context: SessionContext, store: GatedMemoryStore
) -> None:
    """The bug is reported, and the client does not wait."""
    ada, _ = await racing(context, "Ada", "Ben")
    room = ada.session.room
    assert room is not None
    store.put(keys.room_log(room.code), b"?")
    ada.send(ask.GetRecord(ref=9, race=1))
    await idle()
    assert ada.closed == 1011
    assert len(here.faults) == 1
    here.faults.clear()


# Leaderboards.


async def test_a_subscriber_gets_the_leaderboards_now_and_after_each_change(
    context: SessionContext, store: GatedMemoryStore
) -> None:
    """By any spelling of the code, until the subscription ends."""
    ada = FakeClient(context)
    await ada.hello()
    first = await ada.ask(ask.SubscribeLeaderboard(ref=9, code=CODE.lower()))
    assert isinstance(first, say.Leaderboard)
    assert (first.code, [table.rows for table in first.leaderboards]) == (CODE, [[], [], []])
    await context.leaderboards.send(CODE)
    await context.leaderboards.send(OTHER_CODE)
    assert [board.ref for board in ada.messages(say.Leaderboard)] == [9, 0]
    assert await ada.ask(ask.UnsubscribeLeaderboard(ref=10, code=CODE)) == say.Done(ref=10)
    await context.leaderboards.send(CODE)
    assert len(ada.messages(say.Leaderboard)) == 2
    assert store.fault is None


@pytest.mark.parametrize("kind", [ask.SubscribeLeaderboard, ask.UnsubscribeLeaderboard])
async def test_a_leaderboard_needs_a_game_code(
    context: SessionContext, kind: type[ask.SubscribeLeaderboard | ask.UnsubscribeLeaderboard]
) -> None:
    """The error says what is wrong with it."""
    ada = FakeClient(context)
    await ada.hello()
    error = await ada.ask(kind(ref=9, code="SS1-S3-AAAAABD"))
    assert isinstance(error, say.Error)
    assert error.code == ErrorCode.BAD_CODE
    assert "SS1-S1-AAAAABD" in error.text


async def test_subscriptions_are_limited_by_connection(context: SessionContext) -> None:
    """The limit counts different codes; ending one makes room for another."""
    ada = FakeClient(context)
    await ada.hello()
    codes = [f"SS1-S1-AAAAAA{chr(ord('A') + number)}" for number in range(LEADERBOARD_SUBSCRIPTIONS)]
    for code in (*codes, codes[0]):
        assert isinstance(await ada.ask(ask.SubscribeLeaderboard(ref=9, code=code)), say.Leaderboard)
    further = ask.SubscribeLeaderboard(ref=10, code="SS1-S4-AAAAAAA")
    assert await why_not(ada, further) == "too_many_subscriptions"
    await ada.ask(ask.UnsubscribeLeaderboard(ref=11, code=codes[0]))
    assert isinstance(await ada.ask(further), say.Leaderboard)


async def test_an_unavailable_store_refuses_a_leaderboard(
    context: SessionContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error changes nothing: who did not subscribe before gets no change, who did gets it."""
    ada = FakeClient(context)
    await ada.hello()

    async def away(*_: object) -> object:
        raise StoreUnavailable("gone")

    with monkeypatch.context() as gone:
        gone.setattr(context.leaderboards, "read", away)
        assert await why_not(ada, ask.SubscribeLeaderboard(ref=9, code=CODE)) == "store_unavailable"
    await context.leaderboards.send(CODE)
    assert ada.messages(say.Leaderboard) == []
    await ada.ask(ask.SubscribeLeaderboard(ref=10, code=CODE))
    with monkeypatch.context() as gone:
        gone.setattr(context.leaderboards, "read", away)
        assert await why_not(ada, ask.SubscribeLeaderboard(ref=11, code=CODE)) == "store_unavailable"
    await context.leaderboards.send(CODE)
    assert len(ada.messages(say.Leaderboard)) == 2
