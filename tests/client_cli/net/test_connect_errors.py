"""Sentences about why a connection could not be made."""

import errno
import os
import socket
import ssl
from http import HTTPStatus

import pytest
from websockets.datastructures import Headers
from websockets.exceptions import (
    ConnectionClosedError,
    InvalidMessage,
    InvalidStatus,
    InvalidURI,
    ProxyError,
)
from websockets.http11 import Response

from client_cli.net.connect_errors import connect_error

WHERE = "wss://play.example.org"


def status(code: HTTPStatus, body: bytes = b"") -> InvalidStatus:
    return InvalidStatus(Response(code, code.phrase, Headers(), body))


def refused(*numbers: int) -> OSError:
    """Return the error of asyncio after several addresses have failed."""
    each = (f"[Errno {number}] Connect call failed ('127.0.0.1', 1)" for number in numbers)
    return OSError(f"Multiple exceptions: {', '.join(each)}")


def untrusted(code: int, message: str) -> ssl.SSLCertVerificationError:
    fault = ssl.SSLCertVerificationError(1, "certificate verify failed")
    fault.verify_code, fault.verify_message = code, message
    return fault


NO_ROUTE, UNREACHABLE, REFUSED = map(os.strerror, (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ECONNREFUSED))
NO_SERVER = (
    f"There is no server at {WHERE}. Start one with simonrace-server, or give another address with --server."
)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed"), NO_SERVER),
        (refused(errno.ECONNREFUSED, errno.ECONNREFUSED), NO_SERVER),
        (
            OSError(errno.EHOSTUNREACH, "Connect call failed ('10.0.0.1', 7466)"),
            f"Cannot connect to {WHERE} ({NO_ROUTE}). Check the address and the network.",
        ),
        (
            refused(errno.ECONNREFUSED, errno.ENETUNREACH),
            f"Cannot connect to {WHERE} ({UNREACHABLE}, {REFUSED}). Check the address and the network.",
        ),
        (
            socket.gaierror(socket.EAI_NONAME, "Name or service not known"),
            f"Cannot find the host of {WHERE} (Name or service not known). Check the address.",
        ),
        (
            TimeoutError(),
            f"The server at {WHERE} did not answer in time. Check the address, and that the server runs.",
        ),
        (
            untrusted(18, "self-signed certificate"),
            f"Cannot connect to {WHERE}: the server's certificate is not trusted (self-signed certificate). "
            "Set SSL_CERT_FILE to the certificate of its CA.",
        ),
        (
            untrusted(10, "certificate has expired"),
            f"Cannot connect to {WHERE}: the server's certificate is not valid (certificate has expired). "
            "Tell its operator.",
        ),
        (
            ssl.SSLError(1, "wrong version number"),
            f"Cannot connect to {WHERE}: TLS failed (wrong version number). "
            "Use wss:// only for a server with TLS.",
        ),
        (
            status(HTTPStatus.SERVICE_UNAVAILABLE),
            f"The server at {WHERE} accepts no connection now (HTTP status 503). Try again later.",
        ),
        (
            status(HTTPStatus.BAD_REQUEST, b"no known subprotocol"),
            f"The server at {WHERE} uses another version of the protocol. Update the client or the server.",
        ),
        (
            status(HTTPStatus.NOT_FOUND),
            f"{WHERE} does not answer as a Simon Race server "
            "(server rejected WebSocket connection: HTTP 404). Check the address.",
        ),
        (
            InvalidMessage("did not receive a valid HTTP response"),
            f"{WHERE} does not answer as a Simon Race server (did not receive a valid HTTP response). "
            "Check the address.",
        ),
        (InvalidURI("x", "no host"), f"{WHERE} is not the address of a server."),
        (ConnectionClosedError(None, None), f"The server at {WHERE} closed the connection."),
        (
            ProxyError("failed to connect"),
            f"Cannot connect to {WHERE} through the proxy that the environment names (failed to connect).",
        ),
        (
            ImportError("python-socks is required"),
            f"Cannot connect to {WHERE} through the proxy that the environment names "
            "(python-socks is required).",
        ),
    ],
)
def test_the_sentence_names_the_cause_and_what_to_do(fault: Exception, sentence: str) -> None:
    assert connect_error(fault, WHERE) == sentence
