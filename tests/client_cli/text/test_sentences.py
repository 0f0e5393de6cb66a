"""Events as sentences for people."""

import pytest

from client_cli.core.model import Model, fold
from client_cli.text.sentences import sentence
from client_cli.text.style import Style
from protocol import from_server
from protocol.parts import CancelReason, LeaveReason, Member, Settings


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (from_server.Error(code="not_host", text="Only the host can do this."), "Only the host can do this."),
        (
            from_server.Notice(code="time_warning", text="It is near.", remaining_ms=60_000),
            "The time limit of this race is near. (60 s)",
        ),
        (from_server.Notice(code="new_one", text="Soon.", retry_in_ms=1609), "Soon. (1.6 s)"),
        (
            from_server.Notice(code="store_available", text="The server saves again."),
            "The server's store answers again.",
        ),
        (from_server.MemberJoined(seq=9, member=Member("b", "Ben", False, False, True)), "Ben has joined."),
        (
            from_server.MemberJoined(seq=9, member=Member("b", "Ben", False, True, True)),
            "Ben has joined as a spectator.",
        ),
        (from_server.MemberLeft(seq=9, player="ming", reason=LeaveReason.LEFT), "陳小明 has left."),
        (
            from_server.MemberLeft(seq=9, player="ming", reason=LeaveReason.KICKED),
            "陳小明 was removed by the host.",
        ),
        (
            from_server.MemberLeft(seq=9, player="ming", reason=LeaveReason.EXPIRED),
            "陳小明 was disconnected for too long.",
        ),
        (
            from_server.MemberDisconnected(seq=9, player="ming"),
            "陳小明 has lost the connection; the seat is kept.",
        ),
        (from_server.MemberReconnected(seq=9, player="ming"), "陳小明 is back."),
        (from_server.ReadyChanged(seq=9, player="ming", ready=True), "陳小明 is ready."),
        (from_server.ReadyChanged(seq=9, player="ming", ready=False), "陳小明 is not ready."),
        (
            from_server.Configured(seq=9, settings=Settings(), named_code=False),
            "The room is now: 1 suit, can be won · fastest wins · the host starts · 30:00 at most.",
        ),
        (from_server.LockChanged(seq=9, locked=True), "The room is locked."),
        (from_server.LockChanged(seq=9, locked=False), "The room is unlocked."),
        (from_server.HostChanged(seq=9, player="ming"), "陳小明 is the host now."),
        (from_server.ChatMessage(seq=9, player="ming", text="加油"), "陳小明: 加油"),
        (from_server.CountdownStarted(seq=9, race=2, starts_in_ms=4998, clock_ms=1), "Race 2 starts in 5 s."),
        (from_server.CountdownStarted(seq=9, race=2, starts_in_ms=0, clock_ms=1), "Race 2 starts now."),
        (
            from_server.CountdownCancelled(seq=9, reason=CancelReason.BY_HOST),
            "The host has cancelled the countdown.",
        ),
        (
            from_server.CountdownCancelled(seq=9, reason=CancelReason.NOBODY_READY),
            "The countdown ended without a race: nobody was ready.",
        ),
        (
            from_server.RacerWon(seq=9, player="ming", at_ms=61_234, score=851, moves=49),
            "陳小明 has won in 1:01.234 with 49 moves: 851 points.",
        ),
        (from_server.RacerForfeited(seq=9, player="ming"), "陳小明 has forfeited."),
        (from_server.RacerForfeitUndone(seq=9, player="ming"), "陳小明 has undone the forfeit."),
        (from_server.RaceEnded(seq=9, race=2, code="SS1-S1-AAAAABD", results=[]), "Race 2 is over."),
        (from_server.LobbyOpened(seq=9), "The lobby is open for the next race."),
        (from_server.Done(), None),
        (from_server.Pong(clock_ms=1), None),
    ],
)
def test_each_message_has_its_sentence(
    lobby: Model, message: from_server.FromServer, words: str | None
) -> None:
    assert sentence(fold(lobby, message, 0), message, Style()) == words


def test_the_user_s_own_disconnection_has_no_sentence(lobby: Model) -> None:
    """The client reported it when it happened; the event is for the others."""
    for message in (
        from_server.MemberDisconnected(seq=9, player=lobby.me),
        from_server.MemberReconnected(seq=10, player=lobby.me),
    ):
        assert sentence(fold(lobby, message, 0), message, Style()) is None


def test_the_sentence_of_a_start_says_whether_the_user_races(
    lobby: Model, race_started: from_server.RaceStarted
) -> None:
    assert (
        sentence(fold(lobby, race_started, 0), race_started, Style())
        == "Race 1 has started on SS1-S4-AAAAABD."
    )
    watching = fold(Model(me="ben"), race_started, 0)
    assert sentence(watching, race_started, Style()) == (
        "Race 1 has started on SS1-S4-AAAAABD. You watch this one."
    )
