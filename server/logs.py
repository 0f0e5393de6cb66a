"""Logs for people or for machines; never with a token, a password or a text that somebody said."""

import logging
import sys
from typing import Any, Final, Literal

import structlog

_LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def configure(form: Literal["pretty", "json"], level: str) -> None:
    """Send everything to standard error: lines with colours if that is a terminal, or JSON.

    What libraries and the event loop log comes in the same form, from warnings on: a bug in a callback or
    in a task reaches nobody but the loop.
    """
    known: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    shape = _shape(form)
    structlog.configure(
        processors=[*known, *shape],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        # One write for a line: workers share standard error, and `print` writes the end of a line by itself.
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )
    others = logging.StreamHandler(sys.stderr)
    others.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*known, structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *shape],
        )
    )
    logging.basicConfig(level=max(logging.WARNING, _LEVELS[level]), handlers=[others])


def _shape(form: Literal["pretty", "json"]) -> list[Any]:
    """Return what makes a line. A traceback has no local variables: a secret may be among them."""
    if form == "json":
        tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        return [structlog.processors.ExceptionRenderer(tracebacks), structlog.processors.JSONRenderer()]
    plain = structlog.dev.plain_traceback
    return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)]


def get() -> Any:
    """Return the logger; it takes an event and fields by name."""
    return structlog.get_logger()
