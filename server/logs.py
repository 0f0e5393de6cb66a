"""Logs on standard error, for people or for machines. They contain no tokens, passwords or chat."""

import logging
import sys
from typing import Any, Final, Literal

import structlog

_LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def configure(form: Literal["pretty", "json"], level: str) -> None:
    """Write logs to standard error: readable lines, with colours on a terminal, or JSON.

    Warnings and errors of libraries and of the event loop have the same form: only the loop reports an
    exception in a callback or in a task.
    """
    known: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    shape = _shape(form)
    structlog.configure(
        processors=[*known, *shape],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        # One write per line: workers share standard error, and `print` writes the newline separately.
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
    """Return the processors that render a line. Tracebacks omit local variables: these may hold secrets."""
    if form == "json":
        tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        return [structlog.processors.ExceptionRenderer(tracebacks), structlog.processors.JSONRenderer()]
    plain = structlog.dev.plain_traceback
    return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)]


def get() -> Any:
    """Return the logger, whose methods take an event and named fields."""
    return structlog.get_logger()
