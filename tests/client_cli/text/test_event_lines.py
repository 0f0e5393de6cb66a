"""One event per line, for scripts: these lines are an interface and do not change."""

import pytest

from client_cli.core.model import Model, fold
from client_cli.text import event_lines
from protocol import from_server
from protocol.parts import (
    CancelReason,
    LeaderboardKind,
    LeaderboardRow,
    LeaderboardTable,
    LeaveReason,
    Member,
    RacerState,
    Result,
    Settings,
)


def lines(start: Model, message: from_server.FromServer) -> list[str]:
    return event_lines.lines(fold(start, message, 0), message)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("Ada", "Ada"),
        ("陳小明", "陳小明"),
        ("Ada B", '"Ada B"'),
        ("", '""'),
        ('say "x"', '"say \\"x\\""'),
        ("a=b", '"a=b"'),
        ("two\nlines", '"two\\nlines"'),
        ("\x1b[2J\x9b\u202e", '"\\u001b[2J\\u009b\\u202e"'),
        (True, "yes"),
        (False, "no"),
        (7, "7"),
    ],
)
def test_a_value_never_breaks_its_line(value: event_lines.Value, shown: str) -> None:
    assert event_lines.event("x", key=value) == f"x key={shown}"


def test_missing_values_are_left_out() -> None:
    assert event_lines.event("x", a=None, b=1) == "x b=1"


def test_a_room_has_lines_for_its_settings_and_members(room: from_server.Room) -> None:
    assert lines(Model(), room) == [
        "room room=KTQMX phase=lobby host=Ada",
        "settings ranking=time suits=4 winnable=yes start_mode=host countdown_s=5 time_limit_s=1800 "
        "max_members=50 live_boards=no named_code=no",
        "member name=Ada ready=yes spectator=no connected=yes host=yes",
        "member name=陳小明 ready=no spectator=no connected=yes host=no",
    ]


def test_the_deal_of_a_race_is_on_one_line(lobby: Model, race_started: from_server.RaceStarted) -> None:
    assert lines(lobby, race_started) == [
        "race_started race=1 code=SS1-S4-AAAAABD racers=Ada,陳小明 racing=yes",
        "game n=0 score=500 moves=0 runs=0 state=playing columns="
        "AC3DKDJS7D6S6D7C/2CKC5CJDKS8CAS3S/9H8D2S9DQC2H3C8S/8H6H3HTDQS4C9C/9S4H7H4STCJH/"
        "QD2D7S6C4D/QHADTS5D/TH5HKH/5SJC/AH",
    ]


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (
            from_server.Welcome(protocol=1, server="simonrace/0.1", player="ada", name="Ada", clock_ms=1),
            "welcome player=ada name=Ada server=simonrace/0.1",
        ),
        (from_server.Error(code="not_host", text="Only he."), 'error code=not_host text="Only he."'),
        (
            from_server.Notice(code="restarting", text="Wait.", retry_in_ms=1500),
            "notice code=restarting text=Wait. retry_in_ms=1500",
        ),
        (
            from_server.Accepted(
                race=1, n=3, at_ms=900, score=497, moves=3, runs=0, undoable=3, source=2, target=6, cards=2
            ),
            "accepted race=1 n=3 from=3 to=7 cards=2 score=497 moves=3 runs=0 at_ms=900 state=playing",
        ),
        (
            from_server.Accepted(
                race=1,
                n=9,
                at_ms=950,
                score=851,
                moves=49,
                runs=4,
                undoable=49,
                source=0,
                target=1,
                cards=1,
                run="S",
                state=RacerState.WON,
            ),
            "accepted race=1 n=9 from=1 to=2 cards=1 run=S score=851 moves=49 runs=4 at_ms=950 state=won",
        ),
        (
            from_server.Accepted(race=1, n=4, at_ms=900, score=500, moves=0, runs=0, undoable=0),
            "accepted race=1 n=4 score=500 moves=0 runs=0 at_ms=900 state=playing",
        ),
        (
            from_server.Refused(race=1, n=4, expected=4, code="rank_mismatch", text="A card goes higher."),
            'refused race=1 n=4 code=rank_mismatch text="A card goes higher."',
        ),
        (
            from_server.MemberJoined(seq=9, member=Member("b", "Ben B", False, True, True)),
            'member_joined name="Ben B" spectator=yes',
        ),
        (
            from_server.MemberLeft(seq=9, player="ming", reason=LeaveReason.KICKED),
            "member_left name=陳小明 reason=kicked",
        ),
        (from_server.MemberDisconnected(seq=9, player="ming"), "member_disconnected name=陳小明"),
        (from_server.MemberReconnected(seq=9, player="ming"), "member_reconnected name=陳小明"),
        (from_server.ReadyChanged(seq=9, player="ming", ready=True), "ready_changed name=陳小明 ready=yes"),
        (from_server.ReadyChanged(seq=9, player="ming", ready=False), "ready_changed name=陳小明 ready=no"),
        (
            from_server.Configured(seq=9, settings=Settings(suits=2), named_code=True),
            "configured ranking=time suits=2 winnable=yes start_mode=host countdown_s=5 time_limit_s=1800 "
            "max_members=50 live_boards=no named_code=yes",
        ),
        (from_server.LockChanged(seq=9, locked=True), "lock_changed locked=yes"),
        (from_server.LockChanged(seq=9, locked=False), "lock_changed locked=no"),
        (from_server.HostChanged(seq=9, player="ming"), "host_changed name=陳小明"),
        (
            from_server.ChatMessage(seq=9, player="ming", text="come on"),
            'chat_message name=陳小明 text="come on"',
        ),
        (
            from_server.CountdownStarted(seq=9, race=2, starts_in_ms=5000, clock_ms=1),
            "countdown_started race=2 starts_in_ms=5000",
        ),
        (
            from_server.CountdownCancelled(seq=9, reason=CancelReason.BY_HOST),
            "countdown_cancelled reason=by_host",
        ),
        (
            from_server.RacerWon(seq=9, player="ming", at_ms=61_234, score=851, moves=49),
            "racer_won name=陳小明 at_ms=61234 score=851 moves=49",
        ),
        (from_server.RacerForfeited(seq=9, player="ming"), "racer_forfeited name=陳小明"),
        (from_server.RacerForfeitUndone(seq=9, player="ming"), "racer_forfeit_undone name=陳小明"),
        (from_server.LobbyOpened(seq=9), "lobby_opened"),
    ],
)
def test_each_event_has_its_line(lobby: Model, message: from_server.FromServer, line: str) -> None:
    assert lines(lobby, message) == [line]


def test_the_end_of_a_race_has_a_line_for_each_result(lobby: Model) -> None:
    over = from_server.RaceEnded(
        seq=9,
        race=1,
        code="SS1-S1-AAAAABD",
        results=[Result("ming", "陳小明", 1, RacerState.WON, 851, 49, 4, 61_234)],
    )
    assert lines(lobby, over) == [
        "race_ended race=1 code=SS1-S1-AAAAABD",
        "result rank=1 name=陳小明 state=won score=851 moves=49 runs=4 reached_ms=61234",
    ]


def test_standings_have_a_line_for_each_racer(racing: Model, standings: from_server.Standings) -> None:
    assert event_lines.lines(racing, standings) == []
    assert event_lines.standings(racing) == [
        "standings rank=1 name=陳小明 progress=20 runs=1 score=599 moves=49 state=playing",
        "standings rank=2 name=Ada progress=5 runs=0 score=500 moves=0 state=playing",
    ]


def test_leaderboards_have_a_line_for_each_row(lobby: Model) -> None:
    rows = [LeaderboardRow(1, "ming", "陳小明", 61_234, "KTQMX/1")]
    shown = from_server.Leaderboard(
        code="SS1-S1-AAAAABD",
        leaderboards=[
            LeaderboardTable(LeaderboardKind.TIME, rows),
            LeaderboardTable(LeaderboardKind.SCORE, []),
            LeaderboardTable(LeaderboardKind.MOVES, []),
        ],
    )
    assert lines(lobby, shown) == ["leaderboard by=time rank=1 name=陳小明 value=61234 race_id=KTQMX/1"]
    empty = from_server.Leaderboard(code="SS1-S1-AAAAABD", leaderboards=[])
    assert lines(lobby, empty) == ["leaderboard by=none code=SS1-S1-AAAAABD"]
