"""The conversation with a server, without a socket: what is sent, and what is sent again."""

from collections.abc import Callable

import msgspec
import pytest

from client_cli.core.commands import MoveCards, SimpleCommand
from client_cli.core.connection_end import REPLACED, ConnectionEnd, connection_end
from client_cli.core.conversation import Conversation, Identity
from client_cli.core.model import Model
from protocol import from_client, from_server, limits
from protocol.close_codes import CloseCode
from protocol.parts import GameView, LeaveReason, Phase, RacerState, Settings

WORD, PROOF = "pw", "t1"
WELCOME = from_server.Welcome(protocol=1, server="x", player="ada", token=PROOF, name="Ada", clock_ms=100_000)
MOVE = from_client.Move(race=1, n=1, source=0, target=1, cards=1)


def queued(conversation: Conversation) -> list[from_client.FromClient]:
    """Return everything that the conversation has queued."""
    messages: list[from_client.FromClient] = []
    while (message := conversation.next_message()) is not None:
        messages.append(message)
    return messages


def accepted(n: int) -> from_server.Accepted:
    return from_server.Accepted(
        race=1, n=n, at_ms=n, score=500 - n, moves=n, runs=0, undoable=n, source=0, target=1, cards=1
    )


def view(columns: list[list[str]], n: int) -> GameView:
    return GameView(n, columns, 500 - n, n, 0, n, RacerState.PLAYING)


@pytest.fixture
def conversation() -> Conversation:
    return Conversation("Ada", from_client.Join(room="KTQMX", password=WORD))


@pytest.fixture
def in_race(
    conversation: Conversation, room: from_server.Room, race_started: from_server.RaceStarted
) -> Conversation:
    """A conversation in a running race, with an empty outbox."""
    conversation.connection_opened()
    for message in (WELCOME, room, race_started):
        conversation.message_received(message, 0)
    queued(conversation)
    return conversation


def test_hello_is_sent_first_and_then_the_goal(conversation: Conversation, room: from_server.Room) -> None:
    conversation.connection_opened()
    assert queued(conversation) == [from_client.Hello(name="Ada")]
    conversation.message_received(WELCOME, 0)
    assert queued(conversation) == [from_client.Join(ref=1, room="KTQMX", password=WORD)]
    assert conversation.identity == Identity("ada", PROOF)
    conversation.message_received(room, 0)
    assert conversation.live
    assert conversation.idle


def test_hello_carries_a_known_identity() -> None:
    conversation = Conversation("Ada", None, Identity("ada", PROOF), lang="zh-Hant", client="test/1")
    conversation.connection_opened()
    assert queued(conversation) == [
        from_client.Hello(name="Ada", player="ada", token=PROOF, lang="zh-Hant", client="test/1")
    ]
    conversation.message_received(msgspec.structs.replace(WELCOME, token=None), 0)
    assert conversation.identity == Identity("ada", PROOF)
    assert conversation.live


def test_a_request_waits_until_the_room_is_entered(
    conversation: Conversation, room: from_server.Room
) -> None:
    conversation.connection_opened()
    conversation.submit_request(from_client.Ready())
    assert queued(conversation) == [from_client.Hello(name="Ada")]
    conversation.message_received(WELCOME, 0)
    conversation.message_received(msgspec.structs.replace(room, ref=2), 0)
    assert queued(conversation) == [
        from_client.Join(ref=2, room="KTQMX", password=WORD),
        from_client.Ready(ref=1),
    ]


def test_a_request_that_a_whole_room_receives_costs_twice(in_race: Conversation) -> None:
    """The server counts such a request twice, to limit what members receive."""
    in_race.take_extra_cost()
    in_race.submit_request(from_client.Chat(text="Hi!"))
    in_race.submit_request(from_client.GetGame())
    owed = []
    while in_race.next_message() is not None:
        owed.append(in_race.take_extra_cost())
    assert owed == [limits.ROOM_EVENT_COST - 1, 0]


def test_actions_are_sent_one_at_a_time_with_the_next_number(in_race: Conversation) -> None:
    in_race.submit_action(MoveCards(0, 1, 1))
    in_race.submit_action(SimpleCommand("undo"))
    assert queued(in_race) == [MOVE]
    in_race.message_received(accepted(1), 0)
    assert queued(in_race) == [from_client.Undo(race=1, n=2)]


def test_the_number_of_a_refused_action_is_reused(in_race: Conversation) -> None:
    in_race.submit_action(MoveCards(0, 1, 1))
    in_race.submit_action(MoveCards(2))
    queued(in_race)
    in_race.message_received(
        from_server.Refused(race=1, n=1, expected=1, code="rank_mismatch", text="No."), 0
    )
    assert queued(in_race) == [from_client.AutoMove(race=1, n=1, source=2)]
    assert in_race.model.refusal == ""
    assert in_race.take_extra_cost() > 0


@pytest.mark.parametrize("code", ["wrong_number", "number_taken"])
def test_a_wrong_number_makes_the_client_get_the_game(
    in_race: Conversation, code: str, columns: list[list[str]]
) -> None:
    in_race.submit_action(MoveCards(0, 1, 1))
    in_race.submit_action(SimpleCommand("undo"))
    queued(in_race)
    in_race.message_received(from_server.Refused(race=1, n=1, expected=7, code=code, text="No."), 0)
    [question] = queued(in_race)
    assert isinstance(question, from_client.GetGame)
    in_race.message_received(from_server.Game(ref=question.ref, race=1, game=view(columns, 6)), 0)
    assert queued(in_race) == [from_client.Undo(race=1, n=7)]


def test_a_new_connection_resumes_after_the_last_event(in_race: Conversation) -> None:
    assert in_race.connection_closed(None) == ConnectionEnd(True, "The connection was lost.")
    in_race.connection_opened()
    in_race.message_received(msgspec.structs.replace(WELCOME, token=None), 0)
    assert queued(in_race) == [
        from_client.Hello(name="Ada", player="ada", token=PROOF),
        from_client.Join(ref=2, room="KTQMX", password=WORD, seen=5),
    ]


def test_an_unanswered_action_is_sent_again_with_its_number(
    in_race: Conversation, columns: list[list[str]]
) -> None:
    """The server knows by the number whether it has carried out the action."""
    in_race.submit_action(MoveCards(0, 1, 1))
    in_race.submit_action(SimpleCommand("undo"))
    assert queued(in_race) == [MOVE]
    in_race.connection_closed(None)
    in_race.connection_opened()
    in_race.message_received(msgspec.structs.replace(WELCOME, token=None), 0)
    queued(in_race)
    in_race.message_received(from_server.Resumed(ref=2, seq=5, clock_ms=100_500, game=view(columns, 0)), 0)
    assert queued(in_race) == [MOVE]
    in_race.message_received(accepted(1), 0)
    assert queued(in_race) == [from_client.Undo(race=1, n=2)]


def test_an_action_in_the_resumed_game_is_not_sent_again(
    in_race: Conversation, columns: list[list[str]]
) -> None:
    in_race.submit_action(MoveCards(0, 1, 1))
    in_race.submit_action(SimpleCommand("undo"))
    queued(in_race)
    in_race.connection_closed(1006)
    in_race.connection_opened()
    in_race.message_received(msgspec.structs.replace(WELCOME, token=None), 0)
    queued(in_race)
    in_race.message_received(from_server.Resumed(ref=2, seq=5, clock_ms=100_500, game=view(columns, 1)), 0)
    assert queued(in_race) == [from_client.Undo(race=1, n=2)]


def test_unanswered_requests_are_sent_again_except_chat(
    in_race: Conversation, room: from_server.Room
) -> None:
    """A chat message that is sent twice is worse than one that may be lost."""
    in_race.submit_request(from_client.Chat(text="hi"))
    in_race.submit_request(from_client.Ready())
    queued(in_race)
    in_race.connection_closed(None)
    in_race.connection_opened()
    in_race.message_received(msgspec.structs.replace(WELCOME, token=None), 0)
    queued(in_race)
    in_race.message_received(msgspec.structs.replace(room, ref=4), 0)
    assert queued(in_race) == [from_client.Ready(ref=3)]
    assert in_race.take_notes() == ["The connection was lost. This chat message may not have arrived: hi"]


def test_an_action_without_a_race_is_refused_at_once(
    conversation: Conversation, room: from_server.Room
) -> None:
    conversation.connection_opened()
    conversation.message_received(WELCOME, 0)
    conversation.message_received(room, 0)
    queued(conversation)
    conversation.submit_action(MoveCards(0, 1))
    assert queued(conversation) == []
    assert conversation.take_notes() == ["You are not in a running race. Get ready for the next one."]
    assert conversation.idle


def test_early_actions_are_kept_for_the_race(
    room: from_server.Room, race_started: from_server.RaceStarted
) -> None:
    """A script writes its moves without waiting for the start."""
    conversation = Conversation("Ada", from_client.Join(room="KTQMX"), keep_early_actions=True)
    conversation.connection_opened()
    conversation.message_received(WELCOME, 0)
    conversation.message_received(room, 0)
    queued(conversation)
    conversation.submit_action(MoveCards(0, 1, 1))
    assert (queued(conversation), conversation.take_notes(), conversation.awaits_race) == ([], [], True)
    conversation.message_received(race_started, 0)
    assert queued(conversation) == [MOVE]
    assert not conversation.awaits_race


def test_an_action_after_the_race_is_dropped_with_a_note(in_race: Conversation) -> None:
    in_race.message_received(from_server.RaceEnded(seq=7, race=1, code="x", results=[]), 0)
    in_race.submit_action(MoveCards(0, 1))
    assert in_race.model.phase is Phase.RESULTS
    assert in_race.take_notes() == ["You are not in a running race. Get ready for the next one."]


def test_a_rate_limited_action_is_repeated(in_race: Conversation) -> None:
    in_race.submit_action(MoveCards(0, 1, 1))
    queued(in_race)
    in_race.message_received(from_server.Error(code="rate_limited", text="Slow down.", temporary=True), 0)
    assert queued(in_race) == [MOVE]
    assert in_race.take_extra_cost() >= 20


@pytest.mark.parametrize("code", ["busy", "rate_limited", "store_unavailable"])
def test_a_temporarily_refused_action_is_sent_again_with_its_number(in_race: Conversation, code: str) -> None:
    """Later actions do not overtake it, and it costs a pause."""
    in_race.submit_action(MoveCards(0, 1, 1))
    in_race.submit_action(MoveCards(1, 2, 1))
    queued(in_race)
    in_race.message_received(from_server.Refused(race=1, n=1, expected=1, code=code, text="Later."), 0)
    assert queued(in_race) == [MOVE]
    assert in_race.take_extra_cost() >= 60


def test_a_rate_limited_request_is_repeated(in_race: Conversation) -> None:
    in_race.submit_request(from_client.Ready())
    [request] = queued(in_race)
    in_race.message_received(
        from_server.Error(ref=2, code="rate_limited", text="Slow down.", temporary=True), 0
    )
    assert queued(in_race) == [request]
    in_race.message_received(from_server.Done(ref=2), 0)
    assert in_race.idle


@pytest.mark.parametrize("code", ["no_such_room", "wrong_password", "room_full", "kicked", "bad_name"])
def test_a_refused_join_ends_the_conversation_with_its_sentence(
    conversation: Conversation, code: str
) -> None:
    conversation.connection_opened()
    conversation.message_received(WELCOME, 0)
    conversation.message_received(from_server.Error(ref=1, code=code, text="The reason."), 0)
    assert conversation.ended == ConnectionEnd(False, "The reason.")
    assert conversation.connection_closed(1000) == ConnectionEnd(False, "The reason.")


@pytest.mark.parametrize("code", ["draining", "store_unavailable", "rate_limited", "too_many_tries"])
def test_a_temporarily_refused_join_is_tried_again(conversation: Conversation, code: str) -> None:
    """The reason for people is the one that the server sent."""
    conversation.connection_opened()
    conversation.message_received(WELCOME, 0)
    conversation.message_received(from_server.Error(ref=1, code=code, text="The reason.", temporary=True), 0)
    assert conversation.must_reconnect
    assert conversation.ended is None
    assert conversation.connection_closed(CloseCode.NORMAL) == ConnectionEnd(True, "The reason.")


def test_a_temporarily_refused_hello_is_tried_again(conversation: Conversation) -> None:
    """A class behind one address may have to wait; nobody is turned away."""
    conversation.connection_opened()
    assert queued(conversation) == [from_client.Hello(name="Ada")]
    conversation.message_received(
        from_server.Error(code="too_many_players", text="The reason.", temporary=True), 0
    )
    assert conversation.must_reconnect
    assert conversation.connection_closed(CloseCode.NORMAL) == ConnectionEnd(True, "The reason.")
    conversation.connection_opened()
    assert queued(conversation) == [from_client.Hello(name="Ada")]


def test_a_close_code_decides_whether_to_reconnect(in_race: Conversation) -> None:
    assert in_race.connection_closed(CloseCode.GOING_AWAY) == connection_end(CloseCode.GOING_AWAY)
    assert in_race.connection_closed(CloseCode.REPLACED) == ConnectionEnd(False, REPLACED)


def test_an_unknown_identity_is_replaced_once(conversation: Conversation) -> None:
    """A server that lost its data knows no identity. A second refusal ends the conversation."""
    conversation.identity = Identity("ada", "old")
    conversation.connection_opened()
    assert conversation.connection_closed(CloseCode.BAD_TOKEN).reconnect
    queued(conversation)
    conversation.connection_opened()
    assert queued(conversation) == [from_client.Hello(name="Ada")]
    assert not conversation.connection_closed(CloseCode.BAD_TOKEN).reconnect


def test_leaving_ends_the_conversation(in_race: Conversation) -> None:
    ref = in_race.submit_request(from_client.Leave())
    in_race.message_received(from_server.Done(ref=ref), 0)
    assert in_race.ended == ConnectionEnd(False, "")


def test_a_kick_ends_the_conversation_with_a_sentence(in_race: Conversation) -> None:
    in_race.message_received(from_server.MemberLeft(seq=9, player="ada", reason=LeaveReason.KICKED), 0)
    assert in_race.ended == ConnectionEnd(False, "The host removed you from this room.")


def test_a_restart_notice_sets_the_delay(in_race: Conversation) -> None:
    in_race.message_received(from_server.Notice(code="restarting", text="Wait.", retry_in_ms=1500), 0)
    assert in_race.reconnect_delay_s == 1.5


def test_a_leaderboard_is_unsubscribed_after_its_answer(in_race: Conversation) -> None:
    ref = in_race.submit_request(from_client.SubscribeLeaderboard(code="SS1-S1-AAAAABD"))
    queued(in_race)
    board = from_server.Leaderboard(ref=ref, code="SS1-S1-AAAAABD", leaderboards=[])
    in_race.message_received(board, 0)
    assert queued(in_race) == [from_client.UnsubscribeLeaderboard(code="SS1-S1-AAAAABD")]
    assert in_race.idle


def test_a_named_deal_stays_named_until_the_race_starts(race_started: from_server.RaceStarted) -> None:
    conversation = Conversation("Ada", from_client.Create(settings=Settings(), code="SS1-S1-AAAAABD"))
    assert conversation.named_code == "SS1-S1-AAAAABD"
    conversation.submit_request(from_client.Configure(settings=Settings(), code="SS1-S1-ZZZZZZZ"))
    assert conversation.named_code == "SS1-S1-ZZZZZZZ"
    conversation.message_received(race_started, 0)
    assert conversation.named_code is None


def test_the_model_is_the_fold_of_the_messages(
    in_race: Conversation,
    folded: Callable[..., Model],
    room: from_server.Room,
    race_started: from_server.RaceStarted,
) -> None:
    assert in_race.model == folded(WELCOME, room, race_started)
