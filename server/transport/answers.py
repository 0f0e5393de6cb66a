"""Plain HTTP answers on the port of the WebSockets: health checks, pages, refusals."""

from dataclasses import dataclass
from email.utils import formatdate
from http import HTTPStatus


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """One answer to one GET or HEAD; the connection is closed after it."""

    status: int
    body: bytes = b""
    content_type: str = "text/plain; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()


def sentence(status: HTTPStatus, text: str, *headers: tuple[str, str]) -> HttpAnswer:
    """Answer with one line of text for people."""
    return HttpAnswer(status, f"{text}\n".encode(), headers=headers)


def answer_bytes(answer: HttpAnswer, *, with_body: bool = True) -> bytes:
    """Serialize an answer; without its body for a HEAD request."""
    try:
        phrase = HTTPStatus(answer.status).phrase
    except ValueError:
        phrase = ""
    lines = [
        f"HTTP/1.1 {answer.status} {phrase}",
        f"Date: {formatdate(usegmt=True)}",
        "Connection: close",
        f"Content-Length: {len(answer.body)}",
        f"Content-Type: {answer.content_type}",
        "X-Content-Type-Options: nosniff",
        *(f"{name}: {value}" for name, value in answer.headers),
    ]
    head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
    return head + answer.body if with_body else head
