"""The client's model, folded from messages as they arrive."""

from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest

from client_cli.core.model import Model, RaceInfo, fold, sent
from client_cli.core.own_game import OwnGame, table
from protocol import from_server
from protocol.from_client import Move, Undo
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

Fold = Callable[..., Model]
Travel = Callable[[from_server.FromServer], from_server.FromServer]
BEN = Member("ben", "Ben", False, True, True)


def accepted(n: int, **fields: object) -> from_server.Accepted:
    numbers: dict[str, object] = {"score": 500 - n, "moves": n, "runs": 0, "undoable": n}
    return from_server.Accepted(race=1, n=n, at_ms=1000 * n, **{**numbers, **fields})  # type: ignore[arg-type]


def test_a_room_replaces_everything_except_known_names(folded: Fold, room: from_server.Room) -> None:
    before = folded(from_server.MemberJoined(seq=1, member=BEN))
    assert folded(room, start=before) == Model(
        me="ada",
        room="KTQMX",
        host="ada",
        owner="ada",
        settings=Settings(suits=4),
        members=tuple(room.members),
        names={"ben": "Ben", "ada": "Ada", "ming": "陳小明"},
        seq=3,
        clock_ahead=100_000,
    )


def test_members_join_leave_disconnect_and_reconnect(folded: Fold, lobby: Model, on_the_wire: Travel) -> None:
    came = folded(on_the_wire(from_server.MemberJoined(seq=4, member=BEN)), start=lobby)
    assert came.members == (*lobby.members, BEN)
    away = folded(on_the_wire(from_server.MemberDisconnected(seq=5, player="ben")), start=came)
    assert away.members[-1] == msgspec.structs.replace(BEN, connected=False)
    assert (
        folded(on_the_wire(from_server.MemberReconnected(seq=6, player="ben")), start=away).members
        == came.members
    )
    left = folded(
        on_the_wire(from_server.MemberLeft(seq=7, player="ben", reason=LeaveReason.LEFT)), start=came
    )
    assert left.members == lobby.members
    assert left.name("ben") == "Ben"
    assert left.seq == 7


def test_a_ready_spectator_becomes_a_racer(folded: Fold, lobby: Model) -> None:
    came = folded(from_server.MemberJoined(seq=4, member=BEN), start=lobby)
    ready = folded(from_server.ReadyChanged(seq=5, player="ben", ready=True), start=came)
    assert ready.members[-1] == Member("ben", "Ben", True, False, True)
    unready = folded(from_server.ReadyChanged(seq=6, player="ben", ready=False), start=ready)
    assert unready.members[-1] == Member("ben", "Ben", False, False, True)


def test_settings_lock_and_host_follow_their_events(folded: Fold, lobby: Model) -> None:
    assert folded(
        from_server.Configured(seq=4, settings=Settings(suits=2), named_code=True),
        from_server.LockChanged(seq=5, locked=True),
        from_server.HostChanged(seq=6, player="ming"),
        start=lobby,
    ) == replace(lobby, settings=Settings(suits=2), named_code=True, locked=True, host="ming", seq=6)


def test_a_countdown_follows_the_servers_clock(folded: Fold, lobby: Model) -> None:
    """The server's clock reads 100,000 when ours reads 0; only the difference counts."""
    counting = folded(
        from_server.CountdownStarted(seq=4, race=1, starts_in_ms=5000, clock_ms=100_000), start=lobby
    )
    assert counting.phase is Phase.COUNTDOWN
    assert [counting.starts_in(now) for now in (0, 1200, 9000)] == [5000, 3800, 0]
    stopped = folded(from_server.CountdownCancelled(seq=5, reason=CancelReason.BY_HOST), start=counting)
    assert stopped == replace(lobby, seq=5)


def test_a_race_starts_with_the_deal(
    folded: Fold, lobby: Model, race_started: from_server.RaceStarted, on_the_wire: Travel
) -> None:
    model = folded(on_the_wire(race_started), start=lobby)
    deal = table(race_started.columns)
    assert model.phase is Phase.RACING
    assert model.race == RaceInfo(1, race_started.code, deal, ("ada", "ming"), 105_000, 1_800_000)
    assert model.game == OwnGame(deal)
    assert model.racing
    assert not any(person.ready for person in model.members)
    assert model.elapsed(6_000) == 1_000


def test_a_spectator_has_no_game(folded: Fold, lobby: Model, race_started: from_server.RaceStarted) -> None:
    model = folded(msgspec.structs.replace(race_started, racers=["ming"]), start=lobby)
    assert model.game is None
    assert not model.racing


def test_an_accepted_action_changes_the_board(folded: Fold, racing: Model, on_the_wire: Travel) -> None:
    """Column 1 ends in 7♣, column 8 in K♥: the client shows what was accepted, even against the rules."""
    moving = sent(racing, Move(race=1, n=1, source=0, target=7, cards=1))
    done = folded(on_the_wire(accepted(1, source=0, target=7, cards=1)), start=moving)
    assert racing.game is not None
    columns = list(racing.game.columns)
    columns[7] = (*columns[7], columns[0][-1])
    columns[0] = columns[0][:-1]
    assert done.game == OwnGame(tuple(columns), 1, 499, 1, 0, 1)
    assert done.pending is None


def test_the_answer_to_a_repeated_action_changes_nothing(folded: Fold, racing: Model) -> None:
    """An action that was sent twice may be answered twice."""
    first = accepted(1, source=0, target=7, cards=1)
    once = folded(first, start=sent(racing, Move(race=1, n=1, source=0, target=7, cards=1)))
    moving = sent(once, Move(race=1, n=2, source=1, target=7, cards=1))
    assert folded(first, start=moving) == moving


def test_an_undo_reverses_the_move(folded: Fold, racing: Model) -> None:
    once = folded(
        accepted(1, source=0, target=7, cards=1),
        start=sent(racing, Move(race=1, n=1, source=0, target=7, cards=1)),
    )
    undoing = sent(once, Undo(race=1, n=2))
    answer = from_server.Accepted(
        race=1, n=2, at_ms=2000, score=500, moves=0, runs=0, undoable=0, source=0, target=7, cards=1
    )
    back = folded(answer, start=undoing)
    assert racing.game is not None
    assert back.game == replace(racing.game, n=2)


def test_a_refusal_is_kept_until_the_next_action(folded: Fold, racing: Model) -> None:
    move = Move(race=1, n=1, source=0, target=1, cards=1)
    refused = folded(
        from_server.Refused(race=1, n=1, expected=1, code="rank_mismatch", text="A card goes on ..."),
        start=sent(racing, move),
    )
    assert refused == replace(racing, refusal="A card goes on ...")
    assert sent(refused, move).refusal == ""


def test_a_game_message_replaces_the_game(folded: Fold, racing: Model) -> None:
    view = GameView(4, [["KS"], *[[]] * 9], 496, 4, 0, 4, RacerState.PLAYING)
    known = folded(from_server.Game(ref=3, race=1, game=view), start=sent(racing, Undo(race=1, n=1)))
    assert known.game == OwnGame((("KS",), *[()] * 9), 4, 496, 4, 0, 4)
    assert known.pending is None


def test_a_resumed_game_replaces_the_game_before_the_missed_events(folded: Fold, racing: Model) -> None:
    view = GameView(2, [["KS"], *[[]] * 9], 498, 2, 0, 2, RacerState.PLAYING)
    model = folded(
        from_server.Resumed(ref=2, seq=6, clock_ms=120_000, game=view),
        from_server.MemberDisconnected(seq=6, player="ming"),
        start=sent(racing, Undo(race=1, n=2)),
    )
    assert model.game == OwnGame((("KS",), *[()] * 9), 2, 498, 2, 0, 2)
    assert (model.pending, model.seq, model.clock_ahead) == (None, 6, 120_000)
    assert not model.members[1].connected


def test_a_race_that_started_while_disconnected_has_the_resumed_board(
    folded: Fold, lobby: Model, race_started: from_server.RaceStarted
) -> None:
    """The missed event brings the deal; the game in `resumed` is later."""
    view = GameView(3, [["KS"], *[[]] * 9], 497, 3, 0, 3, RacerState.PLAYING)
    model = folded(from_server.Resumed(seq=5, clock_ms=110_000, game=view), race_started, start=lobby)
    assert model.game == OwnGame((("KS",), *[()] * 9), 3, 497, 3, 0, 3)
    assert model.race is not None
    assert model.race.deal == table(race_started.columns)
    later = folded(msgspec.structs.replace(race_started, seq=9, race=2), start=model)
    assert later.game == OwnGame(table(race_started.columns))


def test_standings_replace_the_earlier_ones(
    folded: Fold, racing: Model, standings: from_server.Standings
) -> None:
    newer = msgspec.structs.replace(standings, rows=standings.rows[::-1])
    assert folded(newer, start=racing).standings == tuple(newer.rows)


def test_an_ended_race_has_results_with_names(folded: Fold, racing: Model) -> None:
    result = Result("gone", "Gone", 1, RacerState.WON, 851, 49, 4, 61_234)
    model = folded(
        from_server.RaceEnded(seq=8, race=1, code="SS1-S4-AAAAABD", results=[result]), start=racing
    )
    assert (model.phase, model.results, model.name("gone")) == (Phase.RESULTS, (result,), "Gone")
    assert not model.racing
    assert folded(from_server.LobbyOpened(seq=9), start=model).phase is Phase.LOBBY


def test_a_room_during_a_race_has_race_and_game(
    folded: Fold, room: from_server.Room, columns: list[list[str]]
) -> None:
    view = RaceView(2, "SS1-S4-AAAAABD", columns, ["ada"], 42_000, 60_000)
    game = GameView(1, columns, 499, 1, 0, 1, RacerState.PLAYING)
    model = folded(msgspec.structs.replace(room, phase=Phase.RACING, races=2, current_race=view, game=game))
    assert model.elapsed(1_000) == 43_000
    assert model.game == OwnGame(table(columns), 1, 499, 1, 0, 1)
    assert model.racing


@pytest.mark.parametrize(
    "message",
    [
        from_server.Done(ref=1),
        from_server.Error(ref=1, code="not_host", text="Only the host can do this."),
        from_server.Notice(code="store_available", text="The server saves again."),
        from_server.Leaderboard(code="SS1-S1-AAAAABD", leaderboards=[]),
    ],
)
def test_answers_for_display_change_nothing(racing: Model, message: from_server.FromServer) -> None:
    assert fold(racing, message, 5) == racing


@pytest.mark.parametrize(
    "message",
    [
        from_server.ChatMessage(seq=6, player="ming", text="hi"),
        from_server.RacerWon(seq=6, player="ming", at_ms=1, score=851, moves=49),
        from_server.RacerForfeited(seq=6, player="ming"),
        from_server.RacerForfeitUndone(seq=6, player="ming"),
    ],
)
def test_events_for_display_change_only_the_sequence_number(
    racing: Model, message: from_server.FromServer
) -> None:
    assert fold(racing, message, 5) == replace(racing, seq=6)


def test_welcome_and_pong_set_the_clock(lobby: Model) -> None:
    welcome = from_server.Welcome(protocol=1, server="x", player="ada", name="Ada", clock_ms=500)
    assert fold(lobby, welcome, 100).clock_ahead == 400
    assert fold(lobby, from_server.Pong(clock_ms=700), 100).clock_ahead == 600


def test_names_are_found_in_any_case(lobby: Model) -> None:
    assert lobby.find("ADA") == lobby.members[0]
    assert lobby.find("nobody") is None
