"""Plain HTTP responses on the WebSocket port: health checks, pages, refusals."""

from dataclasses import dataclass
from email.utils import formatdate
from http import HTTPStatus


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """Response to one GET or HEAD request; the connection is closed after it."""

    status: int
    body: bytes = b""
    content_type: str = "text/plain; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()


def text_response(status: HTTPStatus, text: str, *headers: tuple[str, str]) -> HttpResponse:
    """Return a response with one line of text."""
    return HttpResponse(status, f"{text}\n".encode(), headers=headers)


def response_bytes(response: HttpResponse, *, with_body: bool = True) -> bytes:
    """Serialize a response; without its body for a HEAD request."""
    try:
        phrase = HTTPStatus(response.status).phrase
    except ValueError:
        phrase = ""
    lines = [
        f"HTTP/1.1 {response.status} {phrase}",
        f"Date: {formatdate(usegmt=True)}",
        "Connection: close",
        f"Content-Length: {len(response.body)}",
        f"Content-Type: {response.content_type}",
        "X-Content-Type-Options: nosniff",
        *(f"{name}: {value}" for name, value in response.headers),
    ]
    head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
    return head + response.body if with_body else head
