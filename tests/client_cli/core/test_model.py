"""What the client knows, folded from the messages of a server as they arrive."""

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

Translatable = Callable[..., Model]
Travel = Callable[[from_server.FromServer], from_server.FromServer]
BEN = Member("ben", "Ben", False, True, True)


def accepted(n: int, **fields: object) -> from_server.Accepted:
    numbers: dict[str, object] = {"score": 500 - n, "moves": n, "runs": 0, "undoable": n}
    return from_server.Accepted(race=1, n=n, at_ms=1000 * n, **{**numbers, **fields})  # type: ignore[arg-type]


def test_a_room_replaces_everything_but_the_names_that_were_known(
    told: Translatable, room: from_server.Room
) -> None:
    before = told(from_server.MemberJoined(seq=1, member=BEN))
    assert told(room, start=before) == Model(
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


def test_people_come_go_are_away_and_come_back(told: Translatable, lobby: Model, on_the_wire: Travel) -> None:
    came = told(on_the_wire(from_server.MemberJoined(seq=4, member=BEN)), start=lobby)
    assert came.members == (*lobby.members, BEN)
    away = told(on_the_wire(from_server.MemberDisconnected(seq=5, player="ben")), start=came)
    assert away.members[-1] == msgspec.structs.replace(BEN, connected=False)
    assert (
        told(on_the_wire(from_server.MemberReconnected(seq=6, player="ben")), start=away).members
        == came.members
    )
    left = told(on_the_wire(from_server.MemberLeft(seq=7, player="ben", reason=LeaveReason.LEFT)), start=came)
    assert left.members == lobby.members
    assert left.name("ben") == "Ben"
    assert left.seq == 7


def test_who_gets_ready_does_not_only_watch_any_more(told: Translatable, lobby: Model) -> None:
    came = told(from_server.MemberJoined(seq=4, member=BEN), start=lobby)
    ready = told(from_server.ReadyChanged(seq=5, player="ben", ready=True), start=came)
    assert ready.members[-1] == Member("ben", "Ben", True, False, True)
    unready = told(from_server.ReadyChanged(seq=6, player="ben", ready=False), start=ready)
    assert unready.members[-1] == Member("ben", "Ben", False, False, True)


def test_settings_lock_and_host_follow_their_events(told: Translatable, lobby: Model) -> None:
    assert told(
        from_server.Configured(seq=4, settings=Settings(suits=2), named_code=True),
        from_server.LockChanged(seq=5, locked=True),
        from_server.HostChanged(seq=6, player="ming"),
        start=lobby,
    ) == replace(lobby, settings=Settings(suits=2), named_code=True, locked=True, host="ming", seq=6)


def test_a_countdown_is_counted_on_the_servers_clock(told: Translatable, lobby: Model) -> None:
    """The server's clock reads 100,000 when ours reads 0; only the difference is used."""
    counting = told(
        from_server.CountdownStarted(seq=4, race=1, starts_in_ms=5000, clock_ms=100_000), start=lobby
    )
    assert counting.phase is Phase.COUNTDOWN
    assert [counting.starts_in(now) for now in (0, 1200, 9000)] == [5000, 3800, 0]
    stopped = told(from_server.CountdownCancelled(seq=5, reason=CancelReason.BY_HOST), start=counting)
    assert stopped == replace(lobby, seq=5)


def test_a_race_starts_with_the_deal_before_its_racers(
    told: Translatable, lobby: Model, race_started: from_server.RaceStarted, on_the_wire: Travel
) -> None:
    model = told(on_the_wire(race_started), start=lobby)
    deal = table(race_started.columns)
    assert model.phase is Phase.RACING
    assert model.race == RaceInfo(1, race_started.code, deal, ("ada", "ming"), 105_000, 1_800_000)
    assert model.game == OwnGame(deal)
    assert model.racing
    assert not any(person.ready for person in model.members)
    assert model.elapsed(6_000) == 1_000


def test_who_does_not_race_has_no_board(
    told: Translatable, lobby: Model, race_started: from_server.RaceStarted
) -> None:
    model = told(msgspec.structs.replace(race_started, racers=["ming"]), start=lobby)
    assert model.game is None
    assert not model.racing


def test_an_accepted_action_changes_the_board(told: Translatable, racing: Model, on_the_wire: Travel) -> None:
    """Column 1 ends in 7♣, column 8 in K♥: whatever the rules say, the client draws what was accepted."""
    moving = sent(racing, Move(race=1, n=1, source=0, target=7, cards=1))
    done = told(on_the_wire(accepted(1, source=0, target=7, cards=1)), start=moving)
    assert racing.game is not None
    columns = list(racing.game.columns)
    columns[7] = (*columns[7], columns[0][-1])
    columns[0] = columns[0][:-1]
    assert done.game == OwnGame(tuple(columns), 1, 499, 1, 0, 1)
    assert done.pending is None


def test_the_answer_to_a_repeated_action_changes_nothing(told: Translatable, racing: Model) -> None:
    """A lost answer comes twice when the action is sent again."""
    first = accepted(1, source=0, target=7, cards=1)
    once = told(first, start=sent(racing, Move(race=1, n=1, source=0, target=7, cards=1)))
    moving = sent(once, Move(race=1, n=2, source=1, target=7, cards=1))
    assert told(first, start=moving) == moving


def test_an_undo_takes_the_move_back(told: Translatable, racing: Model) -> None:
    once = told(
        accepted(1, source=0, target=7, cards=1),
        start=sent(racing, Move(race=1, n=1, source=0, target=7, cards=1)),
    )
    undoing = sent(once, Undo(race=1, n=2))
    answer = from_server.Accepted(
        race=1, n=2, at_ms=2000, score=500, moves=0, runs=0, undoable=0, source=0, target=7, cards=1
    )
    back = told(answer, start=undoing)
    assert racing.game is not None
    assert back.game == replace(racing.game, n=2)


def test_a_refusal_is_remembered_until_the_next_action(told: Translatable, racing: Model) -> None:
    move = Move(race=1, n=1, source=0, target=1, cards=1)
    refused = told(
        from_server.Refused(race=1, n=1, expected=1, code="rank_mismatch", text="A card goes on ..."),
        start=sent(racing, move),
    )
    assert refused == replace(racing, refusal="A card goes on ...")
    assert sent(refused, move).refusal == ""


def test_the_server_s_game_replaces_ours(told: Translatable, racing: Model) -> None:
    view = GameView(4, [["KS"], *[[]] * 9], 496, 4, 0, 4, RacerState.PLAYING)
    known = told(from_server.Game(ref=3, race=1, game=view), start=sent(racing, Undo(race=1, n=1)))
    assert known.game == OwnGame((("KS",), *[()] * 9), 4, 496, 4, 0, 4)
    assert known.pending is None


def test_a_resumed_game_replaces_ours_and_the_missed_events_follow(told: Translatable, racing: Model) -> None:
    view = GameView(2, [["KS"], *[[]] * 9], 498, 2, 0, 2, RacerState.PLAYING)
    model = told(
        from_server.Resumed(ref=2, seq=6, clock_ms=120_000, game=view),
        from_server.MemberDisconnected(seq=6, player="ming"),
        start=sent(racing, Undo(race=1, n=2)),
    )
    assert model.game == OwnGame((("KS",), *[()] * 9), 2, 498, 2, 0, 2)
    assert (model.pending, model.seq, model.clock_ahead) == (None, 6, 120_000)
    assert not model.members[1].connected


def test_a_race_that_started_while_we_were_away_has_the_board_of_now(
    told: Translatable, lobby: Model, race_started: from_server.RaceStarted
) -> None:
    """The missed start brings the deal; the game that came with `resumed` is what has become of it."""
    view = GameView(3, [["KS"], *[[]] * 9], 497, 3, 0, 3, RacerState.PLAYING)
    model = told(from_server.Resumed(seq=5, clock_ms=110_000, game=view), race_started, start=lobby)
    assert model.game == OwnGame((("KS",), *[()] * 9), 3, 497, 3, 0, 3)
    assert model.race is not None
    assert model.race.deal == table(race_started.columns)
    later = told(msgspec.structs.replace(race_started, seq=9, race=2), start=model)
    assert later.game == OwnGame(table(race_started.columns))


def test_standings_are_the_latest(
    told: Translatable, racing: Model, standings: from_server.Standings
) -> None:
    newer = msgspec.structs.replace(standings, rows=standings.rows[::-1])
    assert told(newer, start=racing).standings == tuple(newer.rows)


def test_a_race_that_is_over_has_results_with_names(told: Translatable, racing: Model) -> None:
    result = Result("gone", "Gone", 1, RacerState.WON, 851, 49, 4, 61_234)
    model = told(from_server.RaceEnded(seq=8, race=1, code="SS1-S4-AAAAABD", results=[result]), start=racing)
    assert (model.phase, model.results, model.name("gone")) == (Phase.RESULTS, (result,), "Gone")
    assert not model.racing
    assert told(from_server.LobbyOpened(seq=9), start=model).phase is Phase.LOBBY


def test_a_room_in_the_middle_of_a_race_brings_race_and_game(
    told: Translatable, room: from_server.Room, columns: list[list[str]]
) -> None:
    view = RaceView(2, "SS1-S4-AAAAABD", columns, ["ada"], 42_000, 60_000)
    game = GameView(1, columns, 499, 1, 0, 1, RacerState.PLAYING)
    model = told(msgspec.structs.replace(room, phase=Phase.RACING, races=2, current_race=view, game=game))
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
def test_answers_that_are_only_told_change_nothing(racing: Model, message: from_server.FromServer) -> None:
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
def test_events_that_are_only_told_move_the_place_in_the_log(
    racing: Model, message: from_server.FromServer
) -> None:
    assert fold(racing, message, 5) == replace(racing, seq=6)


def test_the_clock_is_taken_from_welcome_and_pong(lobby: Model) -> None:
    welcome = from_server.Welcome(protocol=1, server="x", player="ada", name="Ada", clock_ms=500)
    assert fold(lobby, welcome, 100).clock_ahead == 400
    assert fold(lobby, from_server.Pong(clock_ms=700), 100).clock_ahead == 600


def test_names_are_found_whatever_their_case(lobby: Model) -> None:
    assert lobby.find("ADA") == lobby.members[0]
    assert lobby.find("nobody") is None
