"""End of a connection: whether to connect again, and the reason for people."""

import pytest

from client_cli.core.connection_end import REPLACED, TO_PEOPLE, ConnectionEnd, connection_end
from protocol.close_codes import CloseCode


@pytest.mark.parametrize("code", list(CloseCode))
def test_a_close_code_decides_whether_to_reconnect(code: CloseCode) -> None:
    assert connection_end(int(code)) == ConnectionEnd(code.reconnect, TO_PEOPLE.get(code, code.sentence))


def test_the_sentence_of_a_replaced_connection_mentions_name() -> None:
    assert f"{CloseCode.REPLACED.sentence} For another person on this machine use --name." == REPLACED


@pytest.mark.parametrize(
    ("code", "again"), [(None, True), (1005, True), (1006, True), (3000, True), (4999, False)]
)
def test_an_unknown_close_code(code: int | None, again: bool) -> None:
    assert connection_end(code) == ConnectionEnd(again, "The connection was lost.")
