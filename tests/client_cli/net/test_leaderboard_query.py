"""Query of a leaderboard."""

import pytest

from client_cli.core.conversation import Conversation
from client_cli.net.leaderboard_query import LeaderboardQuery
from protocol import from_client, from_server

WELCOME = from_server.Welcome(protocol=1, server="x", player="ada", name="Ada", clock_ms=0)
BOARD = from_server.Leaderboard(ref=1, code="SS1-S1-AAAAABD", leaderboards=[])
REFUSED = from_server.Error(ref=1, code="bad_code", text="This is no game code.")


@pytest.mark.parametrize("answer", [BOARD, REFUSED])
async def test_the_first_answer_counts(answer: from_server.Leaderboard | from_server.Error) -> None:
    conversation = Conversation("Ada", None)
    once = LeaderboardQuery(conversation)
    conversation.connection_opened()
    conversation.submit_request(from_client.SubscribeLeaderboard(code="SS1-S1-AAAAABD"))
    for message in (WELCOME, answer, BOARD):
        conversation.message_received(message, 0)
        once.message_received(message)
    assert await once.answer == answer


async def test_an_error_of_hello_is_left_to_the_conversation() -> None:
    conversation = Conversation("Ada", None)
    once = LeaderboardQuery(conversation)
    conversation.connection_opened()
    conversation.message_received(REFUSED, 0)
    once.message_received(REFUSED)
    assert not once.answer.done()
    assert conversation.ended is not None
