"""Logs for people or for machines; never with a token, a password or a text that somebody said."""

import logging
import sys
from typing import Any, Final, Literal

import structlog

_LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def configure(form: Literal["pretty", "json"], level: str) -> None:
    """Send everything to standard error: lines with colours if that is a terminal, or JSON."""
    if form == "json":
        shape: list[Any] = [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer()]
    else:
        shape = [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *shape,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        # One write for a line: workers share standard error, and `print` writes the end of a line by itself.
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")


def get() -> Any:
    """Return the logger; it takes an event and fields by name."""
    return structlog.get_logger()
