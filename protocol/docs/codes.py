"""The reference page of errors, refusals, notices and close codes, and the table of limits."""

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from protocol import limits
from protocol.close_codes import RECONNECT_WITHOUT_CODE, CloseCode
from protocol.docs.markdown import GENERATED, paragraph, table
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode
from protocol.refusals import RefusalCode
from protocol.words import Worded

_YES_NO: Final = {True: "yes", False: "no"}


_INTRO: Final = """\
Decide by the code, never by the text. Codes can be added: treat an unknown error as permanent, an unknown
refusal as a rule of the game, and show the text of an unknown notice."""

_ERRORS: Final = """\
`code` of an [`error`](messages-server.md#error). The last column says whether the same request can succeed
later."""

_CLOSES: Final = """\
Code of the WebSocket close frame. The last column says whether the client should reconnect; see
[How a client behaves](../../PROTOCOL.md#how-a-client-behaves). Unknown codes from 4000 on mean no, any other
unknown code means yes."""


def errors() -> str:
    """Return the page of all codes."""
    parts = [
        f"{GENERATED}# Errors, refusals, notices and close codes",
        paragraph(_INTRO),
        "## Errors",
        paragraph(_ERRORS),
        table(
            ("code", "meaning", "temporary"),
            ((f"`{each}`", each.sentence, _YES_NO[each.temporary]) for each in ErrorCode),
        ),
        "## Refusals",
        "`code` of a [`refused`](messages-server.md#refused) action.",
        _texts(RefusalCode),
        "## Notices",
        "`code` of a [`notice`](messages-server.md#notice).",
        _texts(NoticeCode),
        "## Close codes",
        paragraph(_CLOSES),
        table(
            ("code", "meaning", "reconnect"),
            [
                *((str(each.value), each.sentence, _YES_NO[each.reconnect]) for each in CloseCode),
                ("none", "The connection ended without a close frame.", _YES_NO[RECONNECT_WITHOUT_CODE]),
            ],
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _texts(codes: type[Worded]) -> str:
    rows = ((f"`{each}`", each.english, each.chinese) for each in codes)
    return table(("code", "in English", "in Traditional Chinese"), rows)


def limit_table(source: str) -> str:
    """Return the table of limits; `source` is the text of `protocol/limits.py`."""
    return table(("limit", "value", "meaning"), _limits(source))


def _limits(source: str) -> Iterator[tuple[str, ...]]:
    """Yield each limit with the sentence that stands below it in the source."""
    for statement, below in pairwise(ast.parse(source).body):
        match statement, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                yield f"`{name}`", f"{getattr(limits, name):,.10g}", " ".join(words.split())
            case _:
                pass
