"""The table of phases: complete, obeyed by every decision, and equal to the diagrams in the documents."""

import re
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest

from protocol import from_client as ask
from protocol.errors import ErrorCode
from protocol.parts import CancelReason, Phase, Settings
from server.core import commands as cmd
from server.core import events as ev
from server.core import members
from server.core.phases import COMMANDS, REQUESTS, TRANSITIONS, Ignored, phase_after
from server.core.room import IllegalTransition, Room, check_transitions, fold

ROOT = Path(__file__).parents[3]
ALLOWED = None

EVENTS: dict[type[ev.Event], ev.Event] = {
    type(event): event
    for event in (
        ev.CountdownStarted(1, 1, 1, "n1"),
        ev.CountdownCancelled(1, CancelReason.BY_HOST),
        ev.RaceStarted(1, 1, "SS1-S1-AAAAABD", 60_000, (("ann", "Ann"),)),
        ev.RacerWon(1, "ann", 1, 851, 49),
        ev.RacerForfeited(1, "ann"),
        ev.RacerForfeitUndone(1, "ann"),
        ev.RaceEnded(1, 1, "SS1-S1-AAAAABD", ()),
        ev.LobbyOpened(1),
    )
}
REQUEST_EXAMPLES: tuple[ask.RoomRequest, ...] = (
    ask.Ready(),
    ask.StartCountdown(),
    ask.CancelCountdown(),
    ask.Configure(settings=Settings()),
    ask.Lock(),
    ask.Kick(player="bob"),
    ask.Chat(text="hi"),
)
RACE_COMMANDS: tuple[cmd.Command, ...] = (
    cmd.StartRace("SS1-S1-ZZZZZZZ"),
    cmd.Win("ann", 1, 1, 851, 49),
    cmd.Forfeit("ann", 1),
    cmd.UndoForfeit("bob", 1),
    cmd.EndRace(1, ()),
)


def in_phase(story: Any, phase: Phase) -> None:
    """Bring a room with Ann and Bob into a phase; in a race Bob has forfeited."""
    story.open()
    story.join("bob")
    story.ready("ann")
    story.ready("bob")
    if phase is not Phase.LOBBY:
        story.start_countdown()
    if phase in (Phase.RACING, Phase.RESULTS):
        story.start_race()
        story.forfeit("bob")
    if phase is Phase.RESULTS:
        story.end_race()
    if phase is Phase.COUNTDOWN:
        story.now = story.room.starts_at_ms
    assert story.room.phase is phase


def test_every_request_and_command_has_a_row() -> None:
    assert set(REQUESTS) == set(get_args(ask.RoomRequest))
    assert set(COMMANDS) == set(get_args(cmd.Command))


def test_every_phase_can_be_entered_and_left() -> None:
    assert {each.source for each in TRANSITIONS} == {each.target for each in TRANSITIONS} == set(Phase)


@pytest.mark.parametrize(("request_", "phase"), list(product(REQUEST_EXAMPLES, Phase)))
def test_a_request_is_answered_as_the_table_says(story: Any, request_: ask.RoomRequest, phase: Phase) -> None:
    in_phase(story, phase)
    decision = story.request("ann", request_)
    expected = REQUESTS[type(request_)].get(phase, ALLOWED)
    assert (None if isinstance(decision, list) else decision) == expected


@pytest.mark.parametrize(("command", "phase"), list(product(RACE_COMMANDS, Phase)))
def test_a_command_of_a_race_is_decided_as_the_table_says(
    story: Any, command: cmd.Command, phase: Phase
) -> None:
    in_phase(story, phase)
    decision = story.do(command)
    expected = COMMANDS[type(command)].get(phase, ALLOWED)
    if expected is ALLOWED:
        assert isinstance(decision, list)
        assert decision
    else:
        assert decision == ([] if expected is Ignored.IGNORED else expected)


def test_the_errors_of_the_phases_are_listed_at_the_requests() -> None:
    """The reference pages are generated from `errors` of the classes."""
    for request_type, errors in REQUESTS.items():
        assert set(errors.values()) <= set(request_type.errors)
    of_phases = {error for errors in REQUESTS.values() for error in errors.values()}
    for request_type, errors in REQUESTS.items():
        unexplained = set(request_type.errors) & of_phases - set(errors.values())
        assert unexplained == set()


@pytest.mark.parametrize(("event_type", "phase"), list(product(EVENTS, Phase)))
def test_an_event_that_cannot_happen_in_a_phase_raises_and_changes_nothing(
    story: Any, event_type: type[ev.Event], phase: Phase
) -> None:
    in_phase(story, phase)
    event, before = EVENTS[event_type], deepcopy(story.room)
    after = phase_after(phase, event)
    if after is None:
        with pytest.raises(IllegalTransition, match="KQXMB"):
            fold(story.room, event)
        assert story.room == before
    else:
        fold(story.room, event)
        assert story.room.phase is after


def test_events_are_checked_in_their_order() -> None:
    room = Room("KQXMB")
    check_transitions(room, [EVENTS[ev.CountdownStarted], EVENTS[ev.RaceStarted], EVENTS[ev.RaceEnded]])
    with pytest.raises(IllegalTransition):
        check_transitions(room, [EVENTS[ev.RaceStarted], EVENTS[ev.CountdownStarted]])
    assert room == Room("KQXMB")


def test_a_decision_that_breaks_the_table_raises_before_anything_is_stored(
    story: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault in a decision must not reach the log: no node could read it any more."""
    story.open()
    log, before = list(story.log), deepcopy(story.room)
    monkeypatch.setattr(
        members, "apply_time_rules", lambda *_: [EVENTS[ev.CountdownStarted], EVENTS[ev.RaceEnded]]
    )
    with pytest.raises(IllegalTransition):
        story.tick()
    assert (story.log, story.room) == (log, before)


@pytest.mark.parametrize("document", ["ARCHITECTURE.md", "PROTOCOL.md"])
def test_the_diagram_in_a_document_shows_the_transitions(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    diagrams = re.findall(r"```mermaid\nstateDiagram-v2\n(.*?)```", text, re.DOTALL)
    (diagram,) = [each for each in diagrams if "> lobby" in each]
    arrows = [line.strip() for line in diagram.splitlines()]
    assert arrows == ["[*] --> lobby: create"] + [
        f"{each.source} --> {each.target}: {each.cause}" for each in TRANSITIONS
    ]


def test_no_member_is_ready_after_a_race(story: Any) -> None:
    """So `start_countdown` in the results is `nobody_ready`, whatever members were ready before."""
    in_phase(story, Phase.RESULTS)
    assert not any(member.ready for member in story.room.members.values())
    assert story.start_countdown() is ErrorCode.NOBODY_READY
