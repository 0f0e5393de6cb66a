"""The conversation with a server, without a socket: what is said when, and again after a loss."""

from collections.abc import Callable

import msgspec
import pytest

from client_cli.core.commands import Shift, Simple
from client_cli.core.conversation import REPLACED, TO_PEOPLE, Identity, Link, Verdict
from client_cli.core.model import Model
from protocol import from_client as say
from protocol import from_server as msg
from protocol import limits
from protocol.close_codes import CloseCode
from protocol.parts import GameView, LeaveReason, Phase, RacerState, Settings

WORD, PROOF = "pw", "t1"
WELCOME = msg.Welcome(protocol=1, server="x", player="ada", token=PROOF, name="Ada", clock_ms=100_000)
MOVE = say.Move(race=1, n=1, source=0, target=1, cards=1)


def said(link: Link) -> list[say.FromClient]:
    """Return everything that the link wants to send now."""
    messages: list[say.FromClient] = []
    while (message := link.to_send()) is not None:
        messages.append(message)
    return messages


def accepted(n: int) -> msg.Accepted:
    return msg.Accepted(
        race=1, n=n, at_ms=n, score=500 - n, moves=n, runs=0, undoable=n, source=0, target=1, cards=1
    )


def view(columns: list[list[str]], n: int) -> GameView:
    return GameView(n, columns, 500 - n, n, 0, n, RacerState.PLAYING)


@pytest.fixture
def link() -> Link:
    return Link("Ada", say.Join(room="KTQMX", password=WORD))


@pytest.fixture
def in_race(link: Link, room: msg.Room, race_started: msg.RaceStarted) -> Link:
    """A link whose race runs, with nothing left to send."""
    link.opened()
    for message in (WELCOME, room, race_started):
        link.received(message, 0)
    said(link)
    return link


def test_hello_comes_first_and_then_the_goal(link: Link, room: msg.Room) -> None:
    link.opened()
    assert said(link) == [say.Hello(name="Ada")]
    link.received(WELCOME, 0)
    assert said(link) == [say.Join(ref=1, room="KTQMX", password=WORD)]
    assert link.identity == Identity("ada", PROOF)
    link.received(room, 0)
    assert link.live
    assert link.idle


def test_a_known_player_says_who_it_is() -> None:
    link = Link("Ada", None, Identity("ada", PROOF), lang="zh-Hant", client="test/1")
    link.opened()
    assert said(link) == [say.Hello(name="Ada", player="ada", token=PROOF, lang="zh-Hant", client="test/1")]
    link.received(msgspec.structs.replace(WELCOME, token=None), 0)
    assert link.identity == Identity("ada", PROOF)
    assert link.live


def test_a_request_before_the_room_waits_for_it(link: Link, room: msg.Room) -> None:
    link.opened()
    link.ask(say.Ready())
    assert said(link) == [say.Hello(name="Ada")]
    link.received(WELCOME, 0)
    link.received(msgspec.structs.replace(room, ref=2), 0)
    assert said(link) == [
        say.Join(ref=2, room="KTQMX", password=WORD),
        say.Ready(ref=1),
    ]


def test_what_a_whole_room_hears_is_owed_once_more(in_race: Link) -> None:
    """The server counts such a request twice, so that no one fills everybody's screen."""
    in_race.take_owed()
    in_race.ask(say.Chat(text="Hi!"))
    in_race.ask(say.GetGame())
    owed = []
    while in_race.to_send() is not None:
        owed.append(in_race.take_owed())
    assert owed == [limits.ROOM_EVENT_COST - 1, 0]


def test_actions_go_out_one_at_a_time_with_the_next_number(in_race: Link) -> None:
    in_race.act(Shift(0, 1, 1))
    in_race.act(Simple("undo"))
    assert said(in_race) == [MOVE]
    in_race.received(accepted(1), 0)
    assert said(in_race) == [say.Undo(race=1, n=2)]


def test_the_number_of_a_refused_action_is_used_again(in_race: Link) -> None:
    in_race.act(Shift(0, 1, 1))
    in_race.act(Shift(2))
    said(in_race)
    in_race.received(msg.Refused(race=1, n=1, expected=1, code="rank_mismatch", text="No."), 0)
    assert said(in_race) == [say.AutoMove(race=1, n=1, source=2)]
    assert in_race.model.refusal == ""
    assert in_race.take_owed() > 0


@pytest.mark.parametrize("code", ["wrong_number", "number_taken"])
def test_a_client_that_has_lost_count_asks_for_the_game(
    in_race: Link, code: str, columns: list[list[str]]
) -> None:
    in_race.act(Shift(0, 1, 1))
    in_race.act(Simple("undo"))
    said(in_race)
    in_race.received(msg.Refused(race=1, n=1, expected=7, code=code, text="No."), 0)
    [question] = said(in_race)
    assert isinstance(question, say.GetGame)
    in_race.received(msg.Game(ref=question.ref, race=1, game=view(columns, 6)), 0)
    assert said(in_race) == [say.Undo(race=1, n=7)]


def test_after_a_loss_the_room_is_joined_where_it_was_left(in_race: Link) -> None:
    assert in_race.closed(None) == Verdict(True, "The connection was cut.")
    in_race.opened()
    in_race.received(msgspec.structs.replace(WELCOME, token=None), 0)
    assert said(in_race) == [
        say.Hello(name="Ada", player="ada", token=PROOF),
        say.Join(ref=2, room="KTQMX", password=WORD, seen=5),
    ]


def test_an_unacknowledged_action_is_sent_again_under_its_number(
    in_race: Link, columns: list[list[str]]
) -> None:
    """A timeout is not a failure: the server knows by the number whether it has done this."""
    in_race.act(Shift(0, 1, 1))
    in_race.act(Simple("undo"))
    assert said(in_race) == [MOVE]
    in_race.closed(None)
    in_race.opened()
    in_race.received(msgspec.structs.replace(WELCOME, token=None), 0)
    said(in_race)
    in_race.received(msg.Resumed(ref=2, seq=5, clock_ms=100_500, game=view(columns, 0)), 0)
    assert said(in_race) == [MOVE]
    in_race.received(accepted(1), 0)
    assert said(in_race) == [say.Undo(race=1, n=2)]


def test_an_action_that_had_arrived_is_not_sent_again(in_race: Link, columns: list[list[str]]) -> None:
    in_race.act(Shift(0, 1, 1))
    in_race.act(Simple("undo"))
    said(in_race)
    in_race.closed(1006)
    in_race.opened()
    in_race.received(msgspec.structs.replace(WELCOME, token=None), 0)
    said(in_race)
    in_race.received(msg.Resumed(ref=2, seq=5, clock_ms=100_500, game=view(columns, 1)), 0)
    assert said(in_race) == [say.Undo(race=1, n=2)]


def test_unanswered_requests_are_sent_again_and_chat_is_not(in_race: Link, room: msg.Room) -> None:
    """To say a thing twice is worse than to ask whether it was read."""
    in_race.ask(say.Chat(text="hi"))
    in_race.ask(say.Ready())
    said(in_race)
    in_race.closed(None)
    in_race.opened()
    in_race.received(msgspec.structs.replace(WELCOME, token=None), 0)
    said(in_race)
    in_race.received(msgspec.structs.replace(room, ref=4), 0)
    assert said(in_race) == [say.Ready(ref=3)]
    assert in_race.take_notes() == ["The connection was lost; perhaps nobody has read: hi"]


def test_actions_without_a_race_are_told_at_once(link: Link, room: msg.Room) -> None:
    link.opened()
    link.received(WELCOME, 0)
    link.received(room, 0)
    said(link)
    link.act(Shift(0, 1))
    assert said(link) == []
    assert link.take_notes() == ["No race is running for you; take part in the next one."]
    assert link.idle


def test_a_patient_link_keeps_actions_for_the_race(room: msg.Room, race_started: msg.RaceStarted) -> None:
    """A script writes its moves without waiting for the start."""
    link = Link("Ada", say.Join(room="KTQMX"), patient=True)
    link.opened()
    link.received(WELCOME, 0)
    link.received(room, 0)
    said(link)
    link.act(Shift(0, 1, 1))
    assert (said(link), link.take_notes(), link.holding) == ([], [], True)
    link.received(race_started, 0)
    assert said(link) == [MOVE]
    assert not link.holding


def test_a_move_after_the_race_is_told(in_race: Link) -> None:
    in_race.received(msg.RaceEnded(seq=7, race=1, code="x", results=[]), 0)
    in_race.act(Shift(0, 1))
    assert in_race.model.phase is Phase.RESULTS
    assert in_race.take_notes() == ["No race is running for you; take part in the next one."]


def test_an_action_that_came_too_fast_is_repeated_later(in_race: Link) -> None:
    in_race.act(Shift(0, 1, 1))
    said(in_race)
    in_race.received(msg.Error(code="rate_limited", text="Slow down.", temporary=True), 0)
    assert said(in_race) == [MOVE]
    assert in_race.take_owed() >= 20


@pytest.mark.parametrize("code", ["busy", "rate_limited", "store_unavailable"])
def test_an_action_that_is_refused_for_now_is_sent_again_under_its_number(in_race: Link, code: str) -> None:
    """Nothing behind it overtakes it, and it is paid for by a pause."""
    in_race.act(Shift(0, 1, 1))
    in_race.act(Shift(1, 2, 1))
    said(in_race)
    in_race.received(msg.Refused(race=1, n=1, expected=1, code=code, text="Later."), 0)
    assert said(in_race) == [MOVE]
    assert in_race.take_owed() >= 60


def test_a_request_that_came_too_fast_is_repeated_later(in_race: Link) -> None:
    in_race.ask(say.Ready())
    [request] = said(in_race)
    in_race.received(msg.Error(ref=2, code="rate_limited", text="Slow down.", temporary=True), 0)
    assert said(in_race) == [request]
    in_race.received(msg.Done(ref=2), 0)
    assert in_race.idle


@pytest.mark.parametrize("code", ["no_such_room", "wrong_password", "room_full", "kicked", "bad_name"])
def test_a_refused_join_ends_it_with_its_sentence(link: Link, code: str) -> None:
    link.opened()
    link.received(WELCOME, 0)
    link.received(msg.Error(ref=1, code=code, text="The reason."), 0)
    assert link.over == Verdict(False, "The reason.")
    assert link.closed(1000) == Verdict(False, "The reason.")


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("draining", "The server cannot let us in right now."),
        ("store_unavailable", "The server cannot let us in right now."),
        ("rate_limited", "The server cannot let us in right now."),
        ("too_many_tries", "The reason."),
    ],
)
def test_a_join_that_may_succeed_later_is_tried_again(link: Link, code: str, sentence: str) -> None:
    """What takes a while, because of what others at the same address do, is told as it is."""
    link.opened()
    link.received(WELCOME, 0)
    link.received(msg.Error(ref=1, code=code, text="The reason.", temporary=True), 0)
    assert link.stuck
    assert link.over is None
    assert link.closed(CloseCode.NORMAL) == Verdict(True, sentence)


def test_a_newcomer_too_many_says_hello_again_later(link: Link) -> None:
    """A class that comes at once behind one address may have to wait; nobody is sent away for it."""
    link.opened()
    assert said(link) == [say.Hello(name="Ada")]
    link.received(msg.Error(code="too_many_players", text="The reason.", temporary=True), 0)
    assert link.stuck
    assert link.closed(CloseCode.NORMAL) == Verdict(True, "The reason.")
    link.opened()
    assert said(link) == [say.Hello(name="Ada")]


@pytest.mark.parametrize("code", list(CloseCode))
def test_a_close_code_is_obeyed(in_race: Link, code: CloseCode) -> None:
    if code is not CloseCode.BAD_TOKEN:
        sentence = TO_PEOPLE.get(code, code.sentence)
        assert in_race.closed(int(code)) == Verdict(code.reconnect, sentence)


def test_who_was_replaced_is_told_how_two_people_play_at_one_machine() -> None:
    assert f"{CloseCode.REPLACED.sentence} For another person on this machine use --name." == REPLACED


@pytest.mark.parametrize(
    ("code", "again"), [(None, True), (1005, True), (1006, True), (3000, True), (4999, False)]
)
def test_a_code_that_we_do_not_know(in_race: Link, code: int | None, again: bool) -> None:
    assert in_race.closed(code).reconnect is again


def test_a_forgotten_identity_is_replaced_by_a_new_one(link: Link) -> None:
    """A server that lost its data knows nobody; once is enough, or we should come back for ever."""
    link.identity = Identity("ada", "old")
    link.opened()
    assert link.closed(CloseCode.BAD_TOKEN).reconnect
    said(link)
    link.opened()
    assert said(link) == [say.Hello(name="Ada")]
    assert not link.closed(CloseCode.BAD_TOKEN).reconnect


def test_to_leave_is_to_be_over(in_race: Link) -> None:
    ref = in_race.ask(say.Leave())
    in_race.received(msg.Done(ref=ref), 0)
    assert in_race.over == Verdict(False, "")


def test_who_is_removed_is_told_and_does_not_come_back(in_race: Link) -> None:
    in_race.received(msg.MemberLeft(seq=9, player="ada", reason=LeaveReason.KICKED), 0)
    assert in_race.over == Verdict(False, "The host removed you from this room.")


def test_a_restart_of_the_server_is_waited_for(in_race: Link) -> None:
    in_race.received(msg.Notice(code="restarting", text="Wait.", retry_in_ms=1500), 0)
    assert in_race.hold_seconds == 1.5


def test_a_leaderboard_is_looked_at_once(in_race: Link) -> None:
    ref = in_race.ask(say.SubscribeLeaderboard(code="SS1-S1-AAAAABD"))
    said(in_race)
    board = msg.Leaderboard(ref=ref, code="SS1-S1-AAAAABD", leaderboards=[])
    in_race.received(board, 0)
    assert said(in_race) == [say.UnsubscribeLeaderboard(code="SS1-S1-AAAAABD")]
    assert in_race.idle


def test_the_deal_that_was_named_stays_named_until_it_is_dealt(race_started: msg.RaceStarted) -> None:
    link = Link("Ada", say.Create(settings=Settings(), code="SS1-S1-AAAAABD"))
    assert link.named == "SS1-S1-AAAAABD"
    link.ask(say.Configure(settings=Settings(), code="SS1-S1-ZZZZZZZ"))
    assert link.named == "SS1-S1-ZZZZZZZ"
    link.received(race_started, 0)
    assert link.named is None


def test_what_is_known_is_the_fold_of_what_came(
    in_race: Link, told: Callable[..., Model], room: msg.Room, race_started: msg.RaceStarted
) -> None:
    assert in_race.model == told(WELCOME, room, race_started)
