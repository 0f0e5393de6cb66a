"""What the server says by code, in the language of whoever reads it; its own text where the code is new.

Sentences that follow one another are joined here, for not every language has a blank between them.
"""

from typing import Final

from client_cli.core.translatable import gettext_noop as _
from client_cli.text.translation import Translation
from protocol import from_server
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode
from protocol.refusals import RefusalCode

RESTARTING: Final = _("The server restarts; this program comes back by itself.")
"""The code's own words tell a program what to do; a person has nothing to do."""


def joined(translate: Translation, first: str, second: str) -> str:
    """Return one sentence after another, with a blank between them where the language has one."""
    return translate("{first} {second}", first=first, second=second)


def refused(translate: Translation, message: from_server.Refused) -> str:
    """Return the rule that refused an action."""
    known = RefusalCode.__members__.get(message.code.upper())
    return translate(known.english) if known else message.text


def error(translate: Translation, message: from_server.Error) -> str:
    """Return why a request was not carried out; details that only the server knows stay with its words."""
    known = ErrorCode.__members__.get(message.code.upper())
    return translate(known.sentence) if known and message.text == known.sentence else message.text


def notice(translate: Translation, message: from_server.Notice) -> str:
    """Return what people are to know, with the seconds that it names, if any."""
    known = NoticeCode.__members__.get(message.code.upper())
    text = (
        translate(RESTARTING if known is NoticeCode.RESTARTING else known.english) if known else message.text
    )
    named_ms = message.remaining_ms if message.retry_in_ms is None else message.retry_in_ms
    return text if named_ms is None else f"{text} ({round(named_ms / 1000, 1):g} s)"
