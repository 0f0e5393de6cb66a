"""Answers and errors: an error echoes what it answers, and nothing that is unknown."""

from protocol.answers import Done, Error, Notice
from protocol.codec import JSON_CODEC
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode


def test_an_error_leaves_out_what_could_not_be_read() -> None:
    code = ErrorCode.UNDECODABLE
    error = Error(code=code, text=code.sentence)
    assert JSON_CODEC.encode(error) == (
        f'{{"type":"error","code":"undecodable","text":"{code.sentence}"}}'.encode()
    )


def test_an_error_echoes_an_action_by_its_race_and_number() -> None:
    error = Error(request="move", race=2, n=7, code="bad_message", text="x")
    assert JSON_CODEC.encode(error) == (
        b'{"type":"error","request":"move","race":2,"n":7,"code":"bad_message","text":"x"}'
    )


def test_the_shortest_answer_is_its_type() -> None:
    assert JSON_CODEC.encode(Done()) == b'{"type":"done"}'


def test_a_notice_has_the_time_that_its_code_is_about() -> None:
    notice = Notice(code=NoticeCode.RESTARTING, text="x", retry_in_ms=2500)
    assert JSON_CODEC.encode(notice).endswith(b'"retry_in_ms":2500}')
