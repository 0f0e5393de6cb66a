"""Actions of a conversation that goes over several races: each answer settles those of its own race only."""

import msgspec
import pytest

from client_cli.core.commands import Shift, Simple
from client_cli.core.conversation import Link
from protocol import from_client as say
from protocol import from_server as msg
from protocol.parts import GameView, RacerState

WELCOME = msg.Welcome(protocol=1, server="x", player="ada", name="Ada", clock_ms=100_000)
MOVE = say.Move(race=1, n=1, source=0, target=1, cards=1)
NEXT_MOVE = say.Move(race=2, n=1, source=2, target=3, cards=1)


def sent(link: Link) -> list[say.FromClient]:
    """Return everything that the link wants to send now."""
    messages: list[say.FromClient] = []
    while (message := link.to_send()) is not None:
        messages.append(message)
    return messages


def accepted(race: int, n: int = 1, source: int = 0, target: int = 1) -> msg.Accepted:
    return msg.Accepted(
        race=race, n=n, at_ms=9, score=499, moves=1, runs=0, undoable=1, source=source, target=target, cards=1
    )


def refused(race: int, code: str, retry_in_ms: int | None = None) -> msg.Refused:
    return msg.Refused(race=race, n=1, expected=1, code=code, text="No.", retry_in_ms=retry_in_ms)


@pytest.fixture
def link(room: msg.Room, race_started: msg.RaceStarted) -> Link:
    """A link in race 1 whose first move has no answer yet."""
    link = Link("Ada", say.Join(room="KTQMX"))
    link.opened()
    for message in (WELCOME, room, race_started):
        link.received(message, 0)
    link.act(Shift(0, 1, 1))
    assert sent(link)[-1] == MOVE
    return link


@pytest.fixture
def in_second(link: Link, race_started: msg.RaceStarted) -> Link:
    """The same link in race 2, with a move on its way in each race."""
    link.received(msg.RaceEnded(seq=6, race=1, code="x", results=[]), 0)
    link.received(msgspec.structs.replace(race_started, seq=8, race=2), 0)
    link.act(Shift(2, 3, 1))
    assert sent(link) == [NEXT_MOVE]
    return link


def test_an_action_names_its_race_and_numbers_begin_again_in_each(in_second: Link) -> None:
    in_second.received(accepted(2, source=2, target=3), 0)
    in_second.act(Simple("undo"))
    assert sent(in_second) == [say.Undo(race=2, n=2)]


@pytest.mark.parametrize("late", [accepted(1), refused(1, "rank_mismatch")])
def test_a_late_answer_of_the_race_before_leaves_the_running_board(
    in_second: Link, late: msg.Accepted | msg.Refused
) -> None:
    """It has the number of the action that is on its way in the running race."""
    before = in_second.model
    in_second.received(late, 0)
    assert in_second.model == before
    assert before.pending == NEXT_MOVE
    in_second.act(Simple("undo"))
    assert sent(in_second) == [], "the move of race 2 has no answer yet"
    in_second.received(accepted(2, source=2, target=3), 0)
    assert sent(in_second) == [say.Undo(race=2, n=2)]


def test_an_answer_of_the_running_race_leaves_what_was_sent_before_outstanding(in_second: Link) -> None:
    in_second.received(accepted(2, source=2, target=3), 0)
    assert not in_second.idle
    in_second.received(accepted(1), 0)
    assert in_second.idle


def test_a_game_of_the_race_before_is_not_the_running_one(in_second: Link) -> None:
    before = in_second.model
    view = GameView(7, [["KS"], *[[]] * 9], 493, 7, 0, 7, RacerState.PLAYING)
    in_second.received(msg.Game(race=1, game=view), 0)
    assert in_second.model == before


def come_back(link: Link, answer: msg.Room | msg.Resumed, *missed: msg.FromServer) -> list[say.FromClient]:
    """Lose the connection and return; return what is sent once the answer to `join` has come."""
    link.closed(None)
    link.opened()
    link.received(WELCOME, 0)
    join = sent(link)[-1]
    assert isinstance(join, say.Join)
    for message in (msgspec.structs.replace(answer, ref=join.ref), *missed):
        link.received(message, 0)
    return sent(link)


def test_both_are_sent_again_with_their_race_and_number(in_second: Link, columns: list[list[str]]) -> None:
    game = GameView(0, columns, 500, 0, 0, 0, RacerState.PLAYING)
    again = come_back(in_second, msg.Resumed(seq=8, clock_ms=100_000, game=game))
    assert again == [MOVE, NEXT_MOVE]
    assert in_second.model.pending == NEXT_MOVE


def test_a_race_that_began_meanwhile_does_not_answer_for_the_one_before(
    link: Link, race_started: msg.RaceStarted, columns: list[list[str]]
) -> None:
    """The game that comes with `resumed` is that of race 2; its number says nothing about race 1."""
    link.act(Shift(4, 5, 1))
    game = GameView(3, columns, 497, 3, 0, 3, RacerState.PLAYING)
    again = come_back(
        link,
        msg.Resumed(seq=8, clock_ms=100_000, game=game),
        msg.RaceEnded(seq=6, race=1, code="x", results=[]),
        msgspec.structs.replace(race_started, seq=8, race=2),
    )
    assert again == [MOVE]
    assert link.model.game is not None
    assert (link.model.game.n, link.model.pending) == (3, None)
    assert link.take_notes() == ["No race is running for you; take part in the next one."]


def test_nothing_is_sent_again_before_the_missed_events_have_come(
    link: Link, columns: list[list[str]]
) -> None:
    game = GameView(0, columns, 500, 0, 0, 0, RacerState.PLAYING)
    assert come_back(link, msg.Resumed(seq=6, clock_ms=100_000, game=game)) == []
    link.received(msg.ChatMessage(seq=6, player="ming", text="hi"), 0)
    assert sent(link) == [MOVE]
    link.received(accepted(1), 0)
    assert link.model.game is not None
    assert link.model.game.n == 1


def test_commands_for_a_race_that_was_missed_are_not_played_in_the_next(
    link: Link, room: msg.Room, race_started: msg.RaceStarted
) -> None:
    link.act(Shift(4, 5, 1))
    later = come_back(link, msgspec.structs.replace(room, seq=7, races=1))
    assert later == [MOVE]
    link.received(msgspec.structs.replace(race_started, seq=8, race=2), 0)
    assert sent(link) == []
    assert link.take_notes() == ["No race is running for you; take part in the next one."]


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("wrong_race", "Race 1 is over; your last action in it was not carried out."),
        (
            "race_forgotten",
            "The server no longer knows whether your last action in race 1 counts; the record shows it.",
        ),
    ],
)
def test_what_the_server_does_not_take_any_more_is_dropped_with_a_sentence(
    in_second: Link, code: str, sentence: str
) -> None:
    before = in_second.model
    in_second.received(refused(1, code), 0)
    assert in_second.take_notes() == [sentence]
    assert in_second.model == before
    in_second.received(accepted(2, source=2, target=3), 0)
    assert in_second.idle


def test_a_busy_server_gets_the_action_again_when_it_says(link: Link) -> None:
    link.act(Simple("undo"))
    link.received(refused(1, "busy", retry_in_ms=700), 1000)
    assert (sent(link), link.idle) == ([], False)
    assert link.release(1200) == 500
    assert sent(link) == []
    assert link.release(1700) is None
    assert sent(link) == [MOVE], "the later one waits for it"
    link.received(accepted(1), 1800)
    assert sent(link) == [say.Undo(race=1, n=2)]


def test_a_busy_server_gets_a_request_again_when_it_says(link: Link) -> None:
    link.received(accepted(1), 0)
    ref = link.ask(say.Ready())
    [request] = sent(link)
    link.received(
        msg.Error(ref=ref, request="ready", code="busy", text="Later.", temporary=True, retry_in_ms=300), 0
    )
    assert sent(link) == []
    link.release(300)
    assert sent(link) == [request]
    link.received(msg.Done(ref=ref), 400)
    assert link.idle


def test_after_a_loss_nothing_is_kept_for_a_busy_server_twice(link: Link, columns: list[list[str]]) -> None:
    link.received(refused(1, "busy", retry_in_ms=700), 0)
    game = GameView(0, columns, 500, 0, 0, 0, RacerState.PLAYING)
    assert come_back(link, msg.Resumed(seq=5, clock_ms=100_000, game=game)) == [MOVE]
    assert link.release(10_000) is None
    assert sent(link) == []


def test_a_busy_server_is_greeted_again_when_it_says() -> None:
    link = Link("Ada", None)
    link.opened()
    link.received(msg.Error(request="hello", code="busy", text="Later.", temporary=True, retry_in_ms=2500), 0)
    assert (link.stuck, link.hold_seconds) == (True, 2.5)


def test_an_error_that_names_an_action_takes_the_place_of_its_answer(link: Link) -> None:
    link.act(Simple("undo"))
    link.received(msg.Error(request="move", race=1, n=1, code="not_in_room", text="Join a room first."), 0)
    assert link.model.pending == say.Undo(race=1, n=1)
    assert sent(link) == [say.Undo(race=1, n=1)]


def test_an_action_that_came_too_fast_in_an_earlier_race_is_sent_again_in_it(in_second: Link) -> None:
    in_second.received(
        msg.Error(request="move", race=1, n=1, code="rate_limited", text="Slow down.", temporary=True), 0
    )
    assert sent(in_second) == [MOVE]
    assert in_second.model.pending == NEXT_MOVE
