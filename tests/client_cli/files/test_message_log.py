"""Log of messages in a file."""

import re
from pathlib import Path

import pytest

from client_cli.core.errors import Failure
from client_cli.files.message_log import LoggingListener, MessageLog
from protocol import from_server


class Listener:
    def __init__(self) -> None:
        self.events: list[object] = []

    def message_received(self, message: from_server.FromServer) -> None:
        self.events.append(message)

    def connection_lost(self, why: str) -> None:
        self.events.append(why)

    def connection_restored(self) -> None:
        self.events.append("back")


def lines(path: Path) -> list[str]:
    """Return the lines of the log without their times."""
    return [re.sub(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d ", "", line) for line in path.read_text().splitlines()]


def test_messages_are_logged_without_the_token_and_passed_on(tmp_path: Path) -> None:
    listener = Listener()
    welcome = from_server.Welcome(
        protocol=1,
        server="s",
        player="ada",
        token="secret",  # noqa: S106  # a secret to be left out
        name="Ada",
        clock_ms=5,
    )
    standings = from_server.Standings(race=1, elapsed_ms=1, rows=[])
    with MessageLog.open(tmp_path / "log") as message_log:
        logged = LoggingListener(listener, message_log)
        logged.message_received(welcome)
        logged.message_received(standings)
        logged.connection_lost("The connection was lost.")
        logged.connection_restored()
    assert listener.events == [welcome, standings, "The connection was lost.", "back"]
    assert lines(tmp_path / "log") == [
        "begin",
        'welcome {"type":"welcome","protocol":1,"server":"s","player":"ada","name":"Ada","clock_ms":5}',
        "standings",
        "lost: The connection was lost.",
        "back",
        "end",
    ]


def test_a_second_run_appends_to_the_file(tmp_path: Path) -> None:
    for _ in range(2):
        with MessageLog.open(tmp_path / "log"):
            pass
    assert lines(tmp_path / "log") == ["begin", "end"] * 2


def test_a_crash_is_logged_with_its_traceback_and_a_failure_is_not(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), MessageLog.open(tmp_path / "log"):
        1 / 0  # noqa: B018 - that is the mistake
    with pytest.raises(Failure), MessageLog.open(tmp_path / "other"):
        raise Failure("No.")
    text = (tmp_path / "log").read_text()
    assert "Traceback" in text
    assert "ZeroDivisionError: division by zero" in text
    assert lines(tmp_path / "other") == ["begin", "end"]


def test_without_a_file_nothing_is_written(tmp_path: Path) -> None:
    with MessageLog.open(None) as message_log:
        message_log.note("text")
        message_log.message_received(from_server.Pong(clock_ms=1))
    assert list(tmp_path.iterdir()) == []


def test_a_log_that_cannot_be_written_is_reported_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Failure, match=r"^Cannot write the log to .*no/log \(No such file or directory\)\.$"):
        MessageLog.open(tmp_path / "no" / "log")
