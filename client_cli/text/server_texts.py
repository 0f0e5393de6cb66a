"""Translated texts of the server's codes; for an unknown code the text of the message.

Sentences are joined here, as not every language has a blank between them.
"""

from typing import Final

from client_cli.core.translatable import gettext_noop as _
from client_cli.text.translation import Translation
from protocol import from_server
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode
from protocol.refusals import RefusalCode

RESTARTING: Final = _("The server restarts. This client reconnects automatically.")
"""In place of the text of the code, which tells a program what to do."""


def joined(translate: Translation, first: str, second: str) -> str:
    """Join two sentences, with a blank if the language has one."""
    return translate("{first} {second}", first=first, second=second)


def refused(translate: Translation, message: from_server.Refused) -> str:
    """Return the rule that an action violated."""
    known = RefusalCode.__members__.get(message.code.upper())
    return translate(known.english) if known else message.text


def error(translate: Translation, message: from_server.Error) -> str:
    """Return why a request was not carried out; a text with details of the server stays as it is."""
    known = ErrorCode.__members__.get(message.code.upper())
    return translate(known.sentence) if known and message.text == known.sentence else message.text


def notice(translate: Translation, message: from_server.Notice) -> str:
    """Return the text of a notice, with the seconds that it names, if any."""
    known = NoticeCode.__members__.get(message.code.upper())
    text = (
        translate(RESTARTING if known is NoticeCode.RESTARTING else known.english) if known else message.text
    )
    named_ms = message.remaining_ms if message.retry_in_ms is None else message.retry_in_ms
    return text if named_ms is None else f"{text} ({round(named_ms / 1000, 1):g} s)"
