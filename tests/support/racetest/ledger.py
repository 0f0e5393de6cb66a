"""A log that keeps its lines for tests."""

from typing import Any


class Ledger:
    """Keeps what a node logs: events and their fields, by level."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str, dict[str, Any]]] = []

    def debug(self, event: str, **fields: Any) -> None:
        """Keep a line."""
        self.lines.append(("debug", event, fields))

    def info(self, event: str, **fields: Any) -> None:
        """Keep a line."""
        self.lines.append(("info", event, fields))

    def warning(self, event: str, **fields: Any) -> None:
        """Keep a line."""
        self.lines.append(("warning", event, fields))

    def error(self, event: str, **fields: Any) -> None:
        """Keep a line; a fault brings its exception."""
        self.lines.append(("error", event, fields))

    def of(self, event: str) -> list[dict[str, Any]]:
        """Return the fields of every line of one event."""
        return [fields for _, logged, fields in self.lines if logged == event]

    @property
    def errors(self) -> list[dict[str, Any]]:
        """Return what was logged as an error."""
        return [{"event": event, **fields} for level, event, fields in self.lines if level == "error"]
