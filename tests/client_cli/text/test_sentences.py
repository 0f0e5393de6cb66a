"""What has happened, told to people."""

import pytest

from client_cli.core.model import Model, fold
from client_cli.text.sentences import sentence
from client_cli.text.style import Look
from protocol import from_server as msg
from protocol.parts import CancelReason, LeaveReason, Member, Settings


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (msg.Error(code="not_host", text="Only the host can do this."), "Only the host can do this."),
        (
            msg.Notice(code="time_warning", text="It is near.", remaining_ms=60_000),
            "The time limit of this race is near. (60 s)",
        ),
        (msg.Notice(code="new_one", text="Soon.", retry_in_ms=1609), "Soon. (1.6 s)"),
        (msg.Notice(code="store_available", text="The server saves again."), "The store answers again."),
        (msg.MemberJoined(seq=9, member=Member("b", "Ben", False, False, True)), "Ben has joined."),
        (
            msg.MemberJoined(seq=9, member=Member("b", "Ben", False, True, True)),
            "Ben has joined as a spectator.",
        ),
        (msg.MemberLeft(seq=9, player="ming", reason=LeaveReason.LEFT), "陳小明 has left."),
        (
            msg.MemberLeft(seq=9, player="ming", reason=LeaveReason.KICKED),
            "陳小明 was removed by the host.",
        ),
        (
            msg.MemberLeft(seq=9, player="ming", reason=LeaveReason.EXPIRED),
            "陳小明 was disconnected for too long.",
        ),
        (msg.MemberDisconnected(seq=9, player="ming"), "陳小明 has lost the connection; the seat is kept."),
        (msg.MemberReconnected(seq=9, player="ming"), "陳小明 is back."),
        (msg.ReadyChanged(seq=9, player="ming", ready=True), "陳小明 is ready."),
        (msg.ReadyChanged(seq=9, player="ming", ready=False), "陳小明 is not ready."),
        (
            msg.Configured(seq=9, settings=Settings(), named_code=False),
            "The room is now: 1 suit, can be won · fastest wins · 30:00 at most · the host starts.",
        ),
        (msg.LockChanged(seq=9, locked=True), "The room is locked."),
        (msg.LockChanged(seq=9, locked=False), "The room is unlocked."),
        (msg.HostChanged(seq=9, player="ming"), "陳小明 is the host now."),
        (msg.ChatMessage(seq=9, player="ming", text="加油"), "陳小明: 加油"),
        (msg.CountdownStarted(seq=9, race=2, starts_in_ms=4998, clock_ms=1), "Race 2 starts in 5 s."),
        (msg.CountdownStarted(seq=9, race=2, starts_in_ms=0, clock_ms=1), "Race 2 starts now."),
        (
            msg.CountdownCancelled(seq=9, reason=CancelReason.BY_HOST),
            "The host has cancelled the countdown.",
        ),
        (
            msg.CountdownCancelled(seq=9, reason=CancelReason.NOBODY_READY),
            "The countdown ended without a race: nobody was ready.",
        ),
        (
            msg.RacerWon(seq=9, player="ming", at_ms=61_234, score=851, moves=49),
            "陳小明 has won in 1:01.234 with 49 moves: 851 points.",
        ),
        (msg.RacerForfeited(seq=9, player="ming"), "陳小明 has forfeited."),
        (msg.RacerForfeitUndone(seq=9, player="ming"), "陳小明 has undone the forfeit."),
        (msg.RaceEnded(seq=9, race=2, code="SS1-S1-AAAAABD", results=[]), "Race 2 is over."),
        (msg.LobbyOpened(seq=9), "The lobby is open for the next race."),
        (msg.Done(), None),
        (msg.Pong(clock_ms=1), None),
    ],
)
def test_each_message_has_its_sentence(lobby: Model, message: msg.FromServer, words: str | None) -> None:
    assert sentence(fold(lobby, message, 0), message, Look()) == words


def test_an_absence_of_ones_own_is_not_told_again(lobby: Model) -> None:
    """Who was away was told of it by the client itself; the events of the room are for the others."""
    for message in (
        msg.MemberDisconnected(seq=9, player=lobby.me),
        msg.MemberReconnected(seq=10, player=lobby.me),
    ):
        assert sentence(fold(lobby, message, 0), message, Look()) is None


def test_a_start_tells_whether_one_races(lobby: Model, race_started: msg.RaceStarted) -> None:
    assert (
        sentence(fold(lobby, race_started, 0), race_started, Look())
        == "Race 1 has started on SS1-S4-AAAAABD."
    )
    watching = fold(Model(me="ben"), race_started, 0)
    assert sentence(watching, race_started, Look()) == (
        "Race 1 has started on SS1-S4-AAAAABD. You watch this one."
    )
