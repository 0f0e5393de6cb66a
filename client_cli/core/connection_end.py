"""End of a connection: whether to connect again, and the reason for people."""

from dataclasses import dataclass
from typing import Final

from client_cli.core.translatable import gettext_noop as _
from protocol.close_codes import RECONNECT_WITHOUT_CODE, CloseCode

REPLACED: Final = _(
    "You connected from elsewhere. The newest connection wins. For another person on this machine use --name."
)
TO_PEOPLE: Final = {CloseCode.REPLACED: REPLACED, CloseCode.RESTART: _("The server restarts.")}
"""Sentences for people, in place of those that tell a program what to do."""

_LOST_CONNECTION: Final = _("The connection was lost.")
_PRIVATE: Final = 4000
"""First close code of the protocol's own range. After an unknown one the client does not reconnect."""


@dataclass(frozen=True, slots=True)
class ConnectionEnd:
    """How a connection ended: whether to connect again, and the reason for people."""

    reconnect: bool
    sentence: str


def connection_end(code: int | None) -> ConnectionEnd:
    """Return what a close code means; None: the connection ended without a close frame."""
    known = next((each for each in CloseCode if each == code), None)
    if known is not None:
        return ConnectionEnd(known.reconnect, TO_PEOPLE.get(known, known.sentence))
    return ConnectionEnd(RECONNECT_WITHOUT_CODE if code is None else code < _PRIVATE, _LOST_CONNECTION)
