"""Which errors and refusals make the client reconnect, send again, or give up what it sent."""

from typing import Final

from client_cli.core.translatable import gettext_noop as _
from protocol import from_client, limits
from protocol.errors import ErrorCode
from protocol.refusals import RefusalCode

TRY_AGAIN: Final = frozenset(
    {
        ErrorCode.TOO_MANY_PLAYERS,
        ErrorCode.TOO_MANY_TRIES,
        ErrorCode.STORE_UNAVAILABLE,
        ErrorCode.DRAINING,
        ErrorCode.RATE_LIMITED,
        ErrorCode.BUSY,
    }
)
"""Errors of `hello`, `create` and `join` after which the client reconnects; after others it ends."""

TEMPORARY: Final = frozenset({RefusalCode.BUSY, RefusalCode.RATE_LIMITED, RefusalCode.STORE_UNAVAILABLE})
"""Refusals after which the same action is sent again with its number, after a moment."""

OUT_OF_STEP: Final = frozenset({RefusalCode.WRONG_NUMBER, RefusalCode.NUMBER_TAKEN})
"""Refusals after which the client gets the game, as its action numbers are wrong."""

DROPPED: Final = {
    RefusalCode.WRONG_RACE: _("Race {race} is over. Your last action in it was not carried out."),
    RefusalCode.RACE_FORGOTTEN: _(
        "The server no longer knows whether your last action in race {race} was accepted. "
        "The record of the race shows it."
    ),
}
"""Refusals after which the outstanding action of a race is dropped, with a note for people."""

SEND_ONCE: Final = (
    from_client.Create,
    from_client.Join,
    from_client.Chat,
    from_client.Leave,
    from_client.Hello,
)
"""Requests that are not sent again after a lost connection: a repeat could take effect twice."""

RATE_LIMITED_TOKENS: Final = limits.MESSAGE_BURST + limits.MESSAGES_PER_SECOND
"""Cost of a `rate_limited` answer: all tokens that were counted as left. The client then waits a second."""
