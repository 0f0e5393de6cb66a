"""One question, one answer."""

import pytest

from client_cli.core.conversation import Link
from client_cli.net.once import Once
from protocol import from_client as say
from protocol import from_server as msg

WELCOME = msg.Welcome(protocol=1, server="x", player="ada", name="Ada", clock_ms=0)
BOARD = msg.Leaderboard(ref=1, code="SS1-S1-AAAAABD", leaderboards=[])
REFUSED = msg.Error(ref=1, code="bad_code", text="This is no game code.")


@pytest.mark.parametrize("answer", [BOARD, REFUSED])
async def test_the_first_answer_counts(answer: msg.Leaderboard | msg.Error) -> None:
    link = Link("Ada", None)
    once = Once(link)
    link.opened()
    link.ask(say.SubscribeLeaderboard(code="SS1-S1-AAAAABD"))
    for message in (WELCOME, answer, BOARD):
        link.received(message, 0)
        once.heard(message)
    assert await once.answer == answer


async def test_an_error_before_we_are_let_in_is_the_link_s_affair() -> None:
    link = Link("Ada", None)
    once = Once(link)
    link.opened()
    link.received(REFUSED, 0)
    once.heard(REFUSED)
    assert not once.answer.done()
    assert link.over is not None
