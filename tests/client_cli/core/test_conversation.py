"""The conversation with a server, without a socket: what is said when, and again after a loss."""

from collections.abc import Callable

import msgspec
import pytest

from client_cli.core.commands import MoveCards, SimpleCommand
from client_cli.core.conversation import REPLACED, TO_PEOPLE, ConnectionEnd, Conversation, Identity
from client_cli.core.model import Model
from protocol import from_client, from_server, limits
from protocol.close_codes import CloseCode
from protocol.parts import GameView, LeaveReason, Phase, RacerState, Settings

WORD, PROOF = "pw", "t1"
WELCOME = from_server.Welcome(protocol=1, server="x", player="ada", token=PROOF, name="Ada", clock_ms=100_000)
MOVE = from_client.Move(race=1, n=1, source=0, target=1, cards=1)


def said(conversation: Conversation) -> list[from_client.FromClient]:
    """Return everything that the link wants to send now."""
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
    """A link whose race runs, with nothing left to send."""
    conversation.connection_opened()
    for message in (WELCOME, room, race_started):
        conversation.message_received(message, 0)
    said(conversation)
    return conversation


def test_hello_comes_first_and_then_the_goal(conversation: Conversation, room: from_server.Room) -> None:
    conversation.connection_opened()
    assert said(conversation) == [from_client.Hello(name="Ada")]
    conversation.message_received(WELCOME, 0)
    assert said(conversation) == [from_client.Join(ref=1, room="KTQMX", password=WORD)]
    assert conversation.identity == Identity("ada", PROOF)
    conversation.message_received(room, 0)
    assert conversation.live
    assert conversation.idle


def test_a_known_player_says_who_it_is() -> None:
    conversation = Conversation("Ada", None, Identity("ada", PROOF), lang="zh-Hant", client="test/1")
    conversation.connection_opened()
    assert said(conversation) == [
        from_client.Hello(name="Ada", player="ada", token=PROOF, lang="zh-Hant", client="test/1")
    ]
    conversation.message_received(msgspec.structs.replace(WELCOME, token=None), 0)
    assert conversation.identity == Identity("ada", PROOF)
    assert conversation.live


def test_a_request_before_the_room_waits_for_it(conversation: Conversation, room: from_server.Room) -> None:
    conversation.connection_opened()
    conversation.submit_request(from_client.Ready())
    assert said(conversation) == [from_client.Hello(name="Ada")]
    conversation.message_received(WELCOME, 0)
    conversation.message_received(msgspec.structs.replace(room, ref=2), 0)
    assert said(conversation) == [
        from_client.Join(ref=2, room="KTQMX", password=WORD),
        from_client.Ready(ref=1),
    ]


def test_what_a_whole_room_hears_is_owed_once_more(in_race: Conversation) -> None:
    """The server counts such a request twice, so that no one fills everybody's screen."""
    in_race.take_extra_cost()
    in_race.submit_request(from_client.Chat(text="Hi!"))
    in_race.submit_request(from_client.GetGame())
    owed = []
    while in_race.next_message() is not None:
        owed.append(in_race.take_extra_cost())
    assert owed == [limits.ROOM_EVENT_COST - 1, 0]


def test_actions_go_out_one_at_a_time_with_the_next_number(in_race: Conversation) -> None:
    in_race.submit_action(MoveCards(0, 1, 1))
    in_race.submit_action(SimpleCommand("undo"))
    assert said(in_race) == [MOVE]
    in_race.message_received(accepted(1), 0)
    assert said(in_race) == [from_client.Undo(race=1, n=2)]


def test_the_number_of_a_refused_action_is_used_again(in_race: Conversation) -> None:
    in_race.submit_action(MoveCards(0, 1, 1))
    in_race.submit_action(MoveCards(2))
    said(in_race)
    in_race.message_received(
        from_server.Refused(race=1, n=1, expected=1, code="rank_mismatch", text="No."), 0
    )
    assert said(in_race) == [from_client.AutoMove(race=1, n=1, source=2)]
    assert in_race.model.refusal == ""
    assert in_race.take_extra_cost() > 0


@pytest.mark.parametrize("code", ["wrong_number", "number_taken"])
def test_a_client_that_has_lost_count_asks_for_the_game(
    in_race: Conversation, code: str, columns: list[list[str]]
) -> None:
    in_race.submit_action(MoveCards(0, 1, 1))
    in_race.submit_action(SimpleCommand("undo"))
    said(in_race)
    in_race.message_received(from_server.Refused(race=1, n=1, expected=7, code=code, text="No."), 0)
    [question] = said(in_race)
    assert isinstance(question, from_client.GetGame)
    in_race.message_received(from_server.Game(ref=question.ref, race=1, game=view(columns, 6)), 0)
    assert said(in_race) == [from_client.Undo(race=1, n=7)]


def test_after_a_loss_the_room_is_joined_where_it_was_left(in_race: Conversation) -> None:
    assert in_race.connection_closed(None) == ConnectionEnd(True, "The connection was lost.")
    in_race.connection_opened()
    in_race.message_received(msgspec.structs.replace(WELCOME, token=None), 0)
    assert said(in_race) == [
        from_client.Hello(name="Ada", player="ada", token=PROOF),
        from_client.Join(ref=2, room="KTQMX", password=WORD, seen=5),
    ]


def test_an_unacknowledged_action_is_sent_again_under_its_number(
    in_race: Conversation, columns: list[list[str]]
) -> None:
    """A timeout is not a failure: the server knows by the number whether it has done this."""
    in_race.submit_action(MoveCards(0, 1, 1))
    in_race.submit_action(SimpleCommand("undo"))
    assert said(in_race) == [MOVE]
    in_race.connection_closed(None)
    in_race.connection_opened()
    in_race.message_received(msgspec.structs.replace(WELCOME, token=None), 0)
    said(in_race)
    in_race.message_received(from_server.Resumed(ref=2, seq=5, clock_ms=100_500, game=view(columns, 0)), 0)
    assert said(in_race) == [MOVE]
    in_race.message_received(accepted(1), 0)
    assert said(in_race) == [from_client.Undo(race=1, n=2)]


def test_an_action_that_had_arrived_is_not_sent_again(
    in_race: Conversation, columns: list[list[str]]
) -> None:
    in_race.submit_action(MoveCards(0, 1, 1))
    in_race.submit_action(SimpleCommand("undo"))
    said(in_race)
    in_race.connection_closed(1006)
    in_race.connection_opened()
    in_race.message_received(msgspec.structs.replace(WELCOME, token=None), 0)
    said(in_race)
    in_race.message_received(from_server.Resumed(ref=2, seq=5, clock_ms=100_500, game=view(columns, 1)), 0)
    assert said(in_race) == [from_client.Undo(race=1, n=2)]


def test_unanswered_requests_are_sent_again_and_chat_is_not(
    in_race: Conversation, room: from_server.Room
) -> None:
    """To say a thing twice is worse than to ask whether it was read."""
    in_race.submit_request(from_client.Chat(text="hi"))
    in_race.submit_request(from_client.Ready())
    said(in_race)
    in_race.connection_closed(None)
    in_race.connection_opened()
    in_race.message_received(msgspec.structs.replace(WELCOME, token=None), 0)
    said(in_race)
    in_race.message_received(msgspec.structs.replace(room, ref=4), 0)
    assert said(in_race) == [from_client.Ready(ref=3)]
    assert in_race.take_notes() == ["The connection was lost. This chat message may not have arrived: hi"]


def test_actions_without_a_race_are_told_at_once(conversation: Conversation, room: from_server.Room) -> None:
    conversation.connection_opened()
    conversation.message_received(WELCOME, 0)
    conversation.message_received(room, 0)
    said(conversation)
    conversation.submit_action(MoveCards(0, 1))
    assert said(conversation) == []
    assert conversation.take_notes() == ["You are not in a running race. Get ready for the next one."]
    assert conversation.idle


def test_a_patient_link_keeps_actions_for_the_race(
    room: from_server.Room, race_started: from_server.RaceStarted
) -> None:
    """A script writes its moves without waiting for the start."""
    conversation = Conversation("Ada", from_client.Join(room="KTQMX"), keep_early_actions=True)
    conversation.connection_opened()
    conversation.message_received(WELCOME, 0)
    conversation.message_received(room, 0)
    said(conversation)
    conversation.submit_action(MoveCards(0, 1, 1))
    assert (said(conversation), conversation.take_notes(), conversation.awaits_race) == ([], [], True)
    conversation.message_received(race_started, 0)
    assert said(conversation) == [MOVE]
    assert not conversation.awaits_race


def test_a_move_after_the_race_is_told(in_race: Conversation) -> None:
    in_race.message_received(from_server.RaceEnded(seq=7, race=1, code="x", results=[]), 0)
    in_race.submit_action(MoveCards(0, 1))
    assert in_race.model.phase is Phase.RESULTS
    assert in_race.take_notes() == ["You are not in a running race. Get ready for the next one."]


def test_an_action_that_came_too_fast_is_repeated_later(in_race: Conversation) -> None:
    in_race.submit_action(MoveCards(0, 1, 1))
    said(in_race)
    in_race.message_received(from_server.Error(code="rate_limited", text="Slow down.", temporary=True), 0)
    assert said(in_race) == [MOVE]
    assert in_race.take_extra_cost() >= 20


@pytest.mark.parametrize("code", ["busy", "rate_limited", "store_unavailable"])
def test_an_action_that_is_refused_for_now_is_sent_again_under_its_number(
    in_race: Conversation, code: str
) -> None:
    """Nothing behind it overtakes it, and it is paid for by a pause."""
    in_race.submit_action(MoveCards(0, 1, 1))
    in_race.submit_action(MoveCards(1, 2, 1))
    said(in_race)
    in_race.message_received(from_server.Refused(race=1, n=1, expected=1, code=code, text="Later."), 0)
    assert said(in_race) == [MOVE]
    assert in_race.take_extra_cost() >= 60


def test_a_request_that_came_too_fast_is_repeated_later(in_race: Conversation) -> None:
    in_race.submit_request(from_client.Ready())
    [request] = said(in_race)
    in_race.message_received(
        from_server.Error(ref=2, code="rate_limited", text="Slow down.", temporary=True), 0
    )
    assert said(in_race) == [request]
    in_race.message_received(from_server.Done(ref=2), 0)
    assert in_race.idle


@pytest.mark.parametrize("code", ["no_such_room", "wrong_password", "room_full", "kicked", "bad_name"])
def test_a_refused_join_ends_it_with_its_sentence(conversation: Conversation, code: str) -> None:
    conversation.connection_opened()
    conversation.message_received(WELCOME, 0)
    conversation.message_received(from_server.Error(ref=1, code=code, text="The reason."), 0)
    assert conversation.ended == ConnectionEnd(False, "The reason.")
    assert conversation.connection_closed(1000) == ConnectionEnd(False, "The reason.")


@pytest.mark.parametrize("code", ["draining", "store_unavailable", "rate_limited", "too_many_tries"])
def test_a_join_that_may_succeed_later_is_tried_again(conversation: Conversation, code: str) -> None:
    """The reason for people is the one that the server gave."""
    conversation.connection_opened()
    conversation.message_received(WELCOME, 0)
    conversation.message_received(from_server.Error(ref=1, code=code, text="The reason.", temporary=True), 0)
    assert conversation.must_reconnect
    assert conversation.ended is None
    assert conversation.connection_closed(CloseCode.NORMAL) == ConnectionEnd(True, "The reason.")


def test_a_newcomer_too_many_says_hello_again_later(conversation: Conversation) -> None:
    """A class that comes at once behind one address may have to wait; nobody is sent away for it."""
    conversation.connection_opened()
    assert said(conversation) == [from_client.Hello(name="Ada")]
    conversation.message_received(
        from_server.Error(code="too_many_players", text="The reason.", temporary=True), 0
    )
    assert conversation.must_reconnect
    assert conversation.connection_closed(CloseCode.NORMAL) == ConnectionEnd(True, "The reason.")
    conversation.connection_opened()
    assert said(conversation) == [from_client.Hello(name="Ada")]


@pytest.mark.parametrize("code", list(CloseCode))
def test_a_close_code_is_obeyed(in_race: Conversation, code: CloseCode) -> None:
    if code is not CloseCode.BAD_TOKEN:
        sentence = TO_PEOPLE.get(code, code.sentence)
        assert in_race.connection_closed(int(code)) == ConnectionEnd(code.reconnect, sentence)


def test_who_was_replaced_is_told_how_two_people_play_at_one_machine() -> None:
    assert f"{CloseCode.REPLACED.sentence} For another person on this machine use --name." == REPLACED


@pytest.mark.parametrize(
    ("code", "again"), [(None, True), (1005, True), (1006, True), (3000, True), (4999, False)]
)
def test_a_code_that_we_do_not_know(in_race: Conversation, code: int | None, again: bool) -> None:
    assert in_race.connection_closed(code).reconnect is again


def test_a_forgotten_identity_is_replaced_by_a_new_one(conversation: Conversation) -> None:
    """A server that lost its data knows nobody; once is enough, or we should come back for ever."""
    conversation.identity = Identity("ada", "old")
    conversation.connection_opened()
    assert conversation.connection_closed(CloseCode.BAD_TOKEN).reconnect
    said(conversation)
    conversation.connection_opened()
    assert said(conversation) == [from_client.Hello(name="Ada")]
    assert not conversation.connection_closed(CloseCode.BAD_TOKEN).reconnect


def test_to_leave_is_to_be_over(in_race: Conversation) -> None:
    ref = in_race.submit_request(from_client.Leave())
    in_race.message_received(from_server.Done(ref=ref), 0)
    assert in_race.ended == ConnectionEnd(False, "")


def test_who_is_removed_is_told_and_does_not_come_back(in_race: Conversation) -> None:
    in_race.message_received(from_server.MemberLeft(seq=9, player="ada", reason=LeaveReason.KICKED), 0)
    assert in_race.ended == ConnectionEnd(False, "The host removed you from this room.")


def test_a_restart_of_the_server_is_waited_for(in_race: Conversation) -> None:
    in_race.message_received(from_server.Notice(code="restarting", text="Wait.", retry_in_ms=1500), 0)
    assert in_race.reconnect_delay_s == 1.5


def test_a_leaderboard_is_looked_at_once(in_race: Conversation) -> None:
    ref = in_race.submit_request(from_client.SubscribeLeaderboard(code="SS1-S1-AAAAABD"))
    said(in_race)
    board = from_server.Leaderboard(ref=ref, code="SS1-S1-AAAAABD", leaderboards=[])
    in_race.message_received(board, 0)
    assert said(in_race) == [from_client.UnsubscribeLeaderboard(code="SS1-S1-AAAAABD")]
    assert in_race.idle


def test_the_deal_that_was_named_stays_named_until_it_is_dealt(race_started: from_server.RaceStarted) -> None:
    conversation = Conversation("Ada", from_client.Create(settings=Settings(), code="SS1-S1-AAAAABD"))
    assert conversation.named_code == "SS1-S1-AAAAABD"
    conversation.submit_request(from_client.Configure(settings=Settings(), code="SS1-S1-ZZZZZZZ"))
    assert conversation.named_code == "SS1-S1-ZZZZZZZ"
    conversation.message_received(race_started, 0)
    assert conversation.named_code is None


def test_what_is_known_is_the_fold_of_what_came(
    in_race: Conversation,
    told: Callable[..., Model],
    room: from_server.Room,
    race_started: from_server.RaceStarted,
) -> None:
    assert in_race.model == told(WELCOME, room, race_started)
