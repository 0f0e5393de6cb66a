import re
from http import HTTPStatus

from server.transport.responses import HttpResponse, response_bytes, text_response


def test_a_response_has_its_length_and_closes_the_connection() -> None:
    response = text_response(HTTPStatus.FORBIDDEN, "Not for you.", ("Allow", "GET"))
    data = re.sub(rb"Date: [^\r]+ GMT", b"Date: today", response_bytes(response))

    assert data == (
        b"HTTP/1.1 403 Forbidden\r\nDate: today\r\nConnection: close\r\nContent-Length: 13\r\n"
        b"Content-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nAllow: GET\r\n\r\n"
        b"Not for you.\n"
    )


def test_the_response_to_head_is_the_response_to_get_without_its_body() -> None:
    response = HttpResponse(200, b"four", content_type="text/html")
    with_body, without = response_bytes(response), response_bytes(response, with_body=False)

    assert with_body.removesuffix(b"four").split(b"\r\nDate: ")[0] == without.split(b"\r\nDate: ")[0]
    assert b"Content-Length: 4\r\n" in without
    assert without.endswith(b"\r\n\r\n")


def test_a_status_without_a_standard_phrase_is_sent() -> None:
    assert response_bytes(HttpResponse(299)).startswith(b"HTTP/1.1 299 \r\n")
