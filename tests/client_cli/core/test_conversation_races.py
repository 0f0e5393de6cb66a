"""Actions of a conversation over several races: an answer belongs to the race that it names."""

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
    """Return everything that the conversation has queued."""
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
    """A conversation in race 1 whose first move has no answer yet."""
    conversation = Conversation("Ada", from_client.Join(room="KTQMX"))
    conversation.connection_opened()
    for message in (WELCOME, room, race_started):
        conversation.message_received(message, 0)
    conversation.submit_action(MoveCards(0, 1, 1))
    assert sent(conversation)[-1] == MOVE
    return conversation


@pytest.fixture
def in_second(conversation: Conversation, race_started: from_server.RaceStarted) -> Conversation:
    """The same conversation in race 2, with an unanswered move in each race."""
    conversation.message_received(from_server.RaceEnded(seq=6, race=1, code="x", results=[]), 0)
    conversation.message_received(msgspec.structs.replace(race_started, seq=8, race=2), 0)
    conversation.submit_action(MoveCards(2, 3, 1))
    assert sent(conversation) == [NEXT_MOVE]
    return conversation


def test_an_action_names_its_race_and_each_race_has_its_numbers(in_second: Conversation) -> None:
    in_second.message_received(accepted(2, source=2, target=3), 0)
    in_second.submit_action(SimpleCommand("undo"))
    assert sent(in_second) == [from_client.Undo(race=2, n=2)]


@pytest.mark.parametrize("late", [accepted(1), refused(1, "rank_mismatch")])
def test_a_late_answer_of_an_earlier_race_leaves_the_board(
    in_second: Conversation, late: from_server.Accepted | from_server.Refused
) -> None:
    """Its number is also that of the outstanding action in the running race."""
    before = in_second.model
    in_second.message_received(late, 0)
    assert in_second.model == before
    assert before.pending == NEXT_MOVE
    in_second.submit_action(SimpleCommand("undo"))
    assert sent(in_second) == [], "the move of race 2 has no answer yet"
    in_second.message_received(accepted(2, source=2, target=3), 0)
    assert sent(in_second) == [from_client.Undo(race=2, n=2)]


def test_an_answer_of_the_running_race_settles_only_its_own_action(
    in_second: Conversation,
) -> None:
    in_second.message_received(accepted(2, source=2, target=3), 0)
    assert not in_second.idle
    in_second.message_received(accepted(1), 0)
    assert in_second.idle


def test_a_game_of_an_earlier_race_is_ignored(in_second: Conversation) -> None:
    before = in_second.model
    view = GameView(7, [["KS"], *[[]] * 9], 493, 7, 0, 7, RacerState.PLAYING)
    in_second.message_received(from_server.Game(race=1, game=view), 0)
    assert in_second.model == before


def come_back(
    conversation: Conversation,
    answer: from_server.Room | from_server.Resumed,
    *missed: from_server.FromServer,
) -> list[from_client.FromClient]:
    """Lose the connection and reconnect; return what is sent after the answer to `join`."""
    conversation.connection_closed(None)
    conversation.connection_opened()
    conversation.message_received(WELCOME, 0)
    join = sent(conversation)[-1]
    assert isinstance(join, from_client.Join)
    for message in (msgspec.structs.replace(answer, ref=join.ref), *missed):
        conversation.message_received(message, 0)
    return sent(conversation)


def test_the_actions_of_both_races_are_sent_again(in_second: Conversation, columns: list[list[str]]) -> None:
    game = GameView(0, columns, 500, 0, 0, 0, RacerState.PLAYING)
    again = come_back(in_second, from_server.Resumed(seq=8, clock_ms=100_000, game=game))
    assert again == [MOVE, NEXT_MOVE]
    assert in_second.model.pending == NEXT_MOVE


def test_a_race_that_started_meanwhile_does_not_settle_an_earlier_action(
    conversation: Conversation, race_started: from_server.RaceStarted, columns: list[list[str]]
) -> None:
    """The game in `resumed` is that of race 2; its number says nothing about race 1."""
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


def test_actions_are_sent_again_without_waiting_for_the_last_entry_of_the_log(
    conversation: Conversation, columns: list[list[str]]
) -> None:
    """It may not be for this client; entry 7 is not."""
    conversation.submit_action(SimpleCommand("undo"))
    game = GameView(0, columns, 500, 0, 0, 0, RacerState.PLAYING)
    resumed = from_server.Resumed(seq=7, clock_ms=100_000, game=game)
    assert come_back(conversation, resumed) == [MOVE]
    conversation.message_received(from_server.ChatMessage(seq=6, player="ming", text="hi"), 0)
    assert sent(conversation) == []
    conversation.message_received(accepted(1), 0)
    assert conversation.model.game is not None
    assert conversation.model.game.n == 1
    assert sent(conversation) == [from_client.Undo(race=1, n=2)]


def test_an_action_that_the_game_contains_is_played_once_although_it_is_sent_again(
    conversation: Conversation, columns: list[list[str]]
) -> None:
    conversation.submit_action(SimpleCommand("undo"))
    game = GameView(1, columns, 499, 1, 0, 1, RacerState.PLAYING)
    assert come_back(conversation, from_server.Resumed(seq=7, clock_ms=100_000, game=game)) == [MOVE]
    conversation.message_received(accepted(1), 0)
    assert conversation.model.game is not None
    assert conversation.model.game.n == 1
    assert sent(conversation) == [from_client.Undo(race=1, n=2)]


@pytest.fixture
def settled(conversation: Conversation) -> Conversation:
    """The same conversation without outstanding actions, which has typed `undo` while it was away."""
    conversation.message_received(accepted(1), 0)
    conversation.connection_closed(None)
    conversation.submit_action(SimpleCommand("undo"))
    return conversation


def test_a_first_action_after_the_return_waits_for_the_game_and_not_for_an_event(
    settled: Conversation, columns: list[list[str]]
) -> None:
    """The game in `resumed` can be of a race whose start follows; `get_game` is answered after that."""
    game = GameView(1, columns, 499, 1, 0, 1, RacerState.PLAYING)
    [question] = come_back(settled, from_server.Resumed(seq=7, clock_ms=100_000, game=game))
    assert isinstance(question, from_client.GetGame)
    settled.message_received(from_server.ChatMessage(seq=6, player="ming", text="hi"), 0)
    assert sent(settled) == []
    settled.message_received(from_server.Game(ref=question.ref, race=1, game=game), 0)
    assert sent(settled) == [from_client.Undo(race=1, n=2)]


def test_a_first_action_after_the_return_is_dropped_when_the_race_turns_out_to_be_over(
    settled: Conversation,
) -> None:
    assert come_back(settled, from_server.Resumed(seq=8, clock_ms=100_000)) == []
    settled.message_received(from_server.RaceEnded(seq=6, race=1, code="x", results=[]), 0)
    assert sent(settled) == []
    assert settled.take_notes() == ["You are not in a running race. Get ready for the next one."]
    assert settled.idle


def test_a_first_action_after_the_return_is_played_in_a_race_that_started_meanwhile(
    room: from_server.Room, race_started: from_server.RaceStarted, columns: list[list[str]]
) -> None:
    """The game in `resumed` comes before the event that starts its race."""
    conversation = Conversation("Ada", from_client.Join(room="KTQMX"))
    conversation.connection_opened()
    for message in (WELCOME, room):
        conversation.message_received(message, 0)
    conversation.connection_closed(None)
    conversation.submit_action(MoveCards(0, 1, 1))
    game = GameView(0, columns, 500, 0, 0, 0, RacerState.PLAYING)
    resumed = from_server.Resumed(seq=7, clock_ms=100_000, game=game)
    [question] = come_back(conversation, resumed, race_started)
    assert isinstance(question, from_client.GetGame)
    conversation.message_received(from_server.Game(ref=question.ref, race=1, game=game), 0)
    assert sent(conversation) == [MOVE]
    assert conversation.take_notes() == []


def test_queued_commands_are_not_played_in_a_later_race(
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
def test_an_action_of_an_earlier_race_is_dropped_with_a_note(
    in_second: Conversation, code: str, sentence: str
) -> None:
    before = in_second.model
    in_second.message_received(refused(1, code), 0)
    assert in_second.take_notes() == [sentence]
    assert in_second.model == before
    in_second.message_received(accepted(2, source=2, target=3), 0)
    assert in_second.idle


def test_an_action_is_sent_again_when_a_busy_server_says(conversation: Conversation) -> None:
    conversation.submit_action(SimpleCommand("undo"))
    conversation.message_received(refused(1, "busy", retry_in_ms=700), 1000)
    assert (sent(conversation), conversation.idle) == ([], False)
    assert conversation.release_held(1200) == 500
    assert sent(conversation) == []
    assert conversation.release_held(1700) is None
    assert sent(conversation) == [MOVE], "the later one waits for it"
    conversation.message_received(accepted(1), 1800)
    assert sent(conversation) == [from_client.Undo(race=1, n=2)]


def test_a_request_is_sent_again_when_a_busy_server_says(conversation: Conversation) -> None:
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


def test_a_held_message_is_sent_once_after_a_lost_connection(
    conversation: Conversation, columns: list[list[str]]
) -> None:
    conversation.message_received(refused(1, "busy", retry_in_ms=700), 0)
    game = GameView(0, columns, 500, 0, 0, 0, RacerState.PLAYING)
    assert come_back(conversation, from_server.Resumed(seq=5, clock_ms=100_000, game=game)) == [MOVE]
    assert conversation.release_held(10_000) is None
    assert sent(conversation) == []


def test_a_refusal_of_hello_sets_the_delay() -> None:
    conversation = Conversation("Ada", None)
    conversation.connection_opened()
    conversation.message_received(
        from_server.Error(request="hello", code="busy", text="Later.", temporary=True, retry_in_ms=2500), 0
    )
    assert (conversation.must_reconnect, conversation.reconnect_delay_s) == (True, 2.5)


def test_an_error_with_race_and_number_answers_the_action(conversation: Conversation) -> None:
    conversation.submit_action(SimpleCommand("undo"))
    conversation.message_received(
        from_server.Error(request="move", race=1, n=1, code="not_in_room", text="Join a room first."), 0
    )
    assert conversation.model.pending == from_client.Undo(race=1, n=1)
    assert sent(conversation) == [from_client.Undo(race=1, n=1)]


def test_a_rate_limited_action_of_an_earlier_race_is_sent_again(in_second: Conversation) -> None:
    in_second.message_received(
        from_server.Error(
            request="move", race=1, n=1, code="rate_limited", text="Slow down.", temporary=True
        ),
        0,
    )
    assert sent(in_second) == [MOVE]
    assert in_second.model.pending == NEXT_MOVE
