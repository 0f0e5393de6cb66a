import re
from http import HTTPStatus

from server.transport.answers import HttpAnswer, answer_bytes, sentence


def test_an_answer_says_how_long_it_is_and_that_the_connection_ends() -> None:
    answer = sentence(HTTPStatus.FORBIDDEN, "Not for you.", ("Allow", "GET"))
    data = re.sub(rb"Date: [^\r]+ GMT", b"Date: today", answer_bytes(answer))

    assert data == (
        b"HTTP/1.1 403 Forbidden\r\nDate: today\r\nConnection: close\r\nContent-Length: 13\r\n"
        b"Content-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nAllow: GET\r\n\r\n"
        b"Not for you.\n"
    )


def test_the_answer_to_head_is_the_answer_to_get_without_its_body() -> None:
    answer = HttpAnswer(200, b"four", content_type="text/html")
    with_body, without = answer_bytes(answer), answer_bytes(answer, with_body=False)

    assert with_body.removesuffix(b"four").split(b"\r\nDate: ")[0] == without.split(b"\r\nDate: ")[0]
    assert b"Content-Length: 4\r\n" in without
    assert without.endswith(b"\r\n\r\n")


def test_a_status_without_a_name_is_still_an_answer() -> None:
    assert answer_bytes(HttpAnswer(299)).startswith(b"HTTP/1.1 299 \r\n")
