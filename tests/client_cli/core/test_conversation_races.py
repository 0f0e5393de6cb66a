"""Actions of a conversation that goes over several races: each answer settles those of its own race only."""

import msgspec
import pytest

from client_cli.core.commands import MoveCards, SimpleCommand
from client_cli.core.conversation import Conversation
from protocol import from_client, from_server
from protocol.parts import GameView, RacerState

WELCOME = from_server.Welcome(protocol=1, server="x", player="ada", name="Ada", clock_ms=100_000)
MOVE = from_client.Move(race=1, n=1, source=0, target=1, cards=1)
NEXT_MOVE = from_client.Move(race=2, n=1, source=2, target=3, cards=1)


def sent(conversation: Conversation) -> list[from_client.FromClient]:
    """Return everything that the link wants to send now."""
    messages: list[from_client.FromClient] = []
    while (message := conversation.next_message()) is not None:
        messages.append(message)
    return messages


def accepted(race: int, n: int = 1, source: int = 0, target: int = 1) -> from_server.Accepted:
    return from_server.Accepted(
        race=race, n=n, at_ms=9, score=499, moves=1, runs=0, undoable=1, source=source, target=target, cards=1
    )


def refused(race: int, code: str, retry_in_ms: int | None = None) -> from_server.Refused:
    return from_server.Refused(race=race, n=1, expected=1, code=code, text="No.", retry_in_ms=retry_in_ms)


@pytest.fixture
def conversation(room: from_server.Room, race_started: from_server.RaceStarted) -> Conversation:
    """A link in race 1 whose first move has no answer yet."""
    conversation = Conversation("Ada", from_client.Join(room="KTQMX"))
    conversation.connection_opened()
    for message in (WELCOME, room, race_started):
        conversation.message_received(message, 0)
    conversation.submit_action(MoveCards(0, 1, 1))
    assert sent(conversation)[-1] == MOVE
    return conversation


@pytest.fixture
def in_second(conversation: Conversation, race_started: from_server.RaceStarted) -> Conversation:
    """The same link in race 2, with a move on its way in each race."""
    conversation.message_received(from_server.RaceEnded(seq=6, race=1, code="x", results=[]), 0)
    conversation.message_received(msgspec.structs.replace(race_started, seq=8, race=2), 0)
    conversation.submit_action(MoveCards(2, 3, 1))
    assert sent(conversation) == [NEXT_MOVE]
    return conversation


def test_an_action_names_its_race_and_numbers_begin_again_in_each(in_second: Conversation) -> None:
    in_second.message_received(accepted(2, source=2, target=3), 0)
    in_second.submit_action(SimpleCommand("undo"))
    assert sent(in_second) == [from_client.Undo(race=2, n=2)]


@pytest.mark.parametrize("late", [accepted(1), refused(1, "rank_mismatch")])
def test_a_late_answer_of_the_race_before_leaves_the_running_board(
    in_second: Conversation, late: from_server.Accepted | from_server.Refused
) -> None:
    """It has the number of the action that is on its way in the running race."""
    before = in_second.model
    in_second.message_received(late, 0)
    assert in_second.model == before
    assert before.pending == NEXT_MOVE
    in_second.submit_action(SimpleCommand("undo"))
    assert sent(in_second) == [], "the move of race 2 has no answer yet"
    in_second.message_received(accepted(2, source=2, target=3), 0)
    assert sent(in_second) == [from_client.Undo(race=2, n=2)]


def test_an_answer_of_the_running_race_leaves_what_was_sent_before_outstanding(
    in_second: Conversation,
) -> None:
    in_second.message_received(accepted(2, source=2, target=3), 0)
    assert not in_second.idle
    in_second.message_received(accepted(1), 0)
    assert in_second.idle


def test_a_game_of_the_race_before_is_not_the_running_one(in_second: Conversation) -> None:
    before = in_second.model
    view = GameView(7, [["KS"], *[[]] * 9], 493, 7, 0, 7, RacerState.PLAYING)
    in_second.message_received(from_server.Game(race=1, game=view), 0)
    assert in_second.model == before


def come_back(
    conversation: Conversation,
    answer: from_server.Room | from_server.Resumed,
    *missed: from_server.FromServer,
) -> list[from_client.FromClient]:
    """Lose the connection and return; return what is sent once the answer to `join` has come."""
    conversation.connection_closed(None)
    conversation.connection_opened()
    conversation.message_received(WELCOME, 0)
    join = sent(conversation)[-1]
    assert isinstance(join, from_client.Join)
    for message in (msgspec.structs.replace(answer, ref=join.ref), *missed):
        conversation.message_received(message, 0)
    return sent(conversation)


def test_both_are_sent_again_with_their_race_and_number(
    in_second: Conversation, columns: list[list[str]]
) -> None:
    game = GameView(0, columns, 500, 0, 0, 0, RacerState.PLAYING)
    again = come_back(in_second, from_server.Resumed(seq=8, clock_ms=100_000, game=game))
    assert again == [MOVE, NEXT_MOVE]
    assert in_second.model.pending == NEXT_MOVE


def test_a_race_that_began_meanwhile_does_not_answer_for_the_one_before(
    conversation: Conversation, race_started: from_server.RaceStarted, columns: list[list[str]]
) -> None:
    """The game that comes with `resumed` is that of race 2; its number says nothing about race 1."""
    conversation.submit_action(MoveCards(4, 5, 1))
    game = GameView(3, columns, 497, 3, 0, 3, RacerState.PLAYING)
    again = come_back(
        conversation,
        from_server.Resumed(seq=8, clock_ms=100_000, game=game),
        from_server.RaceEnded(seq=6, race=1, code="x", results=[]),
        msgspec.structs.replace(race_started, seq=8, race=2),
    )
    assert again == [MOVE]
    assert conversation.model.game is not None
    assert (conversation.model.game.n, conversation.model.pending) == (3, None)
    assert conversation.take_notes() == ["You are not in a running race. Get ready for the next one."]


def test_nothing_is_sent_again_before_the_missed_events_have_come(
    conversation: Conversation, columns: list[list[str]]
) -> None:
    game = GameView(0, columns, 500, 0, 0, 0, RacerState.PLAYING)
    assert come_back(conversation, from_server.Resumed(seq=6, clock_ms=100_000, game=game)) == []
    conversation.message_received(from_server.ChatMessage(seq=6, player="ming", text="hi"), 0)
    assert sent(conversation) == [MOVE]
    conversation.message_received(accepted(1), 0)
    assert conversation.model.game is not None
    assert conversation.model.game.n == 1


def test_commands_for_a_race_that_was_missed_are_not_played_in_the_next(
    conversation: Conversation, room: from_server.Room, race_started: from_server.RaceStarted
) -> None:
    conversation.submit_action(MoveCards(4, 5, 1))
    later = come_back(conversation, msgspec.structs.replace(room, seq=7, races=1))
    assert later == [MOVE]
    conversation.message_received(msgspec.structs.replace(race_started, seq=8, race=2), 0)
    assert sent(conversation) == []
    assert conversation.take_notes() == ["You are not in a running race. Get ready for the next one."]


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("wrong_race", "Race 1 is over. Your last action in it was not carried out."),
        (
            "race_forgotten",
            "The server no longer knows whether your last action in race 1 was accepted. "
            "The record of the race shows it.",
        ),
    ],
)
def test_what_the_server_does_not_take_any_more_is_dropped_with_a_sentence(
    in_second: Conversation, code: str, sentence: str
) -> None:
    before = in_second.model
    in_second.message_received(refused(1, code), 0)
    assert in_second.take_notes() == [sentence]
    assert in_second.model == before
    in_second.message_received(accepted(2, source=2, target=3), 0)
    assert in_second.idle


def test_a_busy_server_gets_the_action_again_when_it_says(conversation: Conversation) -> None:
    conversation.submit_action(SimpleCommand("undo"))
    conversation.message_received(refused(1, "busy", retry_in_ms=700), 1000)
    assert (sent(conversation), conversation.idle) == ([], False)
    assert conversation.release_held(1200) == 500
    assert sent(conversation) == []
    assert conversation.release_held(1700) is None
    assert sent(conversation) == [MOVE], "the later one waits for it"
    conversation.message_received(accepted(1), 1800)
    assert sent(conversation) == [from_client.Undo(race=1, n=2)]


def test_a_busy_server_gets_a_request_again_when_it_says(conversation: Conversation) -> None:
    conversation.message_received(accepted(1), 0)
    ref = conversation.submit_request(from_client.Ready())
    [request] = sent(conversation)
    conversation.message_received(
        from_server.Error(
            ref=ref, request="ready", code="busy", text="Later.", temporary=True, retry_in_ms=300
        ),
        0,
    )
    assert sent(conversation) == []
    conversation.release_held(300)
    assert sent(conversation) == [request]
    conversation.message_received(from_server.Done(ref=ref), 400)
    assert conversation.idle


def test_after_a_loss_nothing_is_kept_for_a_busy_server_twice(
    conversation: Conversation, columns: list[list[str]]
) -> None:
    conversation.message_received(refused(1, "busy", retry_in_ms=700), 0)
    game = GameView(0, columns, 500, 0, 0, 0, RacerState.PLAYING)
    assert come_back(conversation, from_server.Resumed(seq=5, clock_ms=100_000, game=game)) == [MOVE]
    assert conversation.release_held(10_000) is None
    assert sent(conversation) == []


def test_a_busy_server_is_greeted_again_when_it_says() -> None:
    conversation = Conversation("Ada", None)
    conversation.connection_opened()
    conversation.message_received(
        from_server.Error(request="hello", code="busy", text="Later.", temporary=True, retry_in_ms=2500), 0
    )
    assert (conversation.must_reconnect, conversation.reconnect_delay_s) == (True, 2.5)


def test_an_error_that_names_an_action_takes_the_place_of_its_answer(conversation: Conversation) -> None:
    conversation.submit_action(SimpleCommand("undo"))
    conversation.message_received(
        from_server.Error(request="move", race=1, n=1, code="not_in_room", text="Join a room first."), 0
    )
    assert conversation.model.pending == from_client.Undo(race=1, n=1)
    assert sent(conversation) == [from_client.Undo(race=1, n=1)]


def test_an_action_that_came_too_fast_in_an_earlier_race_is_sent_again_in_it(in_second: Conversation) -> None:
    in_second.message_received(
        from_server.Error(
            request="move", race=1, n=1, code="rate_limited", text="Slow down.", temporary=True
        ),
        0,
    )
    assert sent(in_second) == [MOVE]
    assert in_second.model.pending == NEXT_MOVE
