"""Sentences about why a connection could not be made: the cause that was seen, then what to do."""

import errno
import os
import re
import socket
import ssl
from http import HTTPStatus
from typing import Final

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI, ProxyError

from client_cli.core.translatable import Translatable

_TRY_LATER: Final = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
"""Answers of a server, or of a proxy before it, that accepts no connection at the moment."""

_UNTRUSTED: Final = frozenset({18, 19, 20, 21})
"""OpenSSL's codes for a certificate that is self-signed, or whose issuer is not known here."""

_ERRNO: Final = re.compile(r"\[Errno (\d+)\]")


def connect_error(fault: Exception, where: str) -> Translatable:
    """Return the sentence for an exception of the opening handshake with a server at `where`."""
    match fault:
        case TimeoutError():
            return Translatable(
                "The server at {where} did not answer in time. Check the address, and that the server runs.",
                where=where,
            )
        case InvalidURI():
            return Translatable("{where} is not the address of a server.", where=where)
        case ProxyError() | ImportError():
            return Translatable(
                "Cannot connect to {where} through the proxy that the environment names ({reason}).",
                where=where,
                reason=fault,
            )
        case InvalidStatus():
            return _status_error(fault, where)
        case InvalidHandshake():
            return _not_a_server(fault, where)
        case ConnectionClosed():
            return Translatable("The server at {where} closed the connection.", where=where)
        case ssl.SSLError():
            return _tls_error(fault, where)
        case _:
            return _network_error(fault, where)


def _status_error(fault: InvalidStatus, where: str) -> Translatable:
    status = fault.response.status_code
    if b"subprotocol" in (fault.response.body or b""):
        return Translatable(
            "The server at {where} uses another version of the protocol. Update the client or the server.",
            where=where,
        )
    if status in _TRY_LATER:
        return Translatable(
            "The server at {where} accepts no connection now (HTTP status {status}). Try again later.",
            where=where,
            status=status,
        )
    return _not_a_server(fault, where)


def _not_a_server(fault: Exception, where: str) -> Translatable:
    return Translatable(
        "{where} does not answer as a Simon Race server ({reason}). Check the address.",
        where=where,
        reason=fault,
    )


def _tls_error(fault: ssl.SSLError, where: str) -> Translatable:
    if not isinstance(fault, ssl.SSLCertVerificationError):
        return Translatable(
            "Cannot connect to {where}: TLS failed ({reason}). Use wss:// only for a server with TLS.",
            where=where,
            reason=fault.strerror,
        )
    if fault.verify_code in _UNTRUSTED:
        return Translatable(
            "Cannot connect to {where}: the server's certificate is not trusted ({reason}). "
            "Set SSL_CERT_FILE to the certificate of its CA.",
            where=where,
            reason=fault.verify_message,
        )
    return Translatable(
        "Cannot connect to {where}: the server's certificate is not valid ({reason}). Tell its operator.",
        where=where,
        reason=fault.verify_message,
    )


def _network_error(fault: Exception, where: str) -> Translatable:
    if isinstance(fault, socket.gaierror):
        return Translatable(
            "Cannot find the host of {where} ({reason}). Check the address.",
            where=where,
            reason=fault.strerror,
        )
    numbers = _error_numbers(fault)
    if numbers == {errno.ECONNREFUSED}:
        return Translatable(
            "There is no server at {where}. "
            "Start one with simonrace-server, or give another address with --server.",
            where=where,
        )
    return Translatable(
        "Cannot connect to {where} ({reason}). Check the address and the network.",
        where=where,
        reason=", ".join(map(os.strerror, sorted(numbers))) or fault,
    )


def _error_numbers(fault: Exception) -> set[int]:
    """Return the errno of each address that was tried; asyncio joins several into the text of one error."""
    if isinstance(fault, OSError) and fault.errno is not None:
        return {fault.errno}
    return set(map(int, _ERRNO.findall(str(fault))))
