"""Settings of a server and their defaults."""

import dataclasses

import pytest

from protocol import limits
from server.config import Config


def test_the_defaults_are_the_limits_of_the_protocol() -> None:
    """Clients can rely on the documented limits unless the operator changes them."""
    config = Config()
    assert (config.messages_per_second, config.message_burst) == (
        limits.MESSAGES_PER_SECOND,
        limits.MESSAGE_BURST,
    )
    assert (config.rooms_per_hour, config.players_per_hour) == (
        limits.ROOMS_PER_HOUR,
        limits.PLAYERS_PER_HOUR,
    )


def test_a_server_listens_only_on_this_machine_by_default() -> None:
    """Neither the game nor the metrics are public by accident."""
    assert (Config().host, Config().metrics_host, Config().metrics_port) == ("127.0.0.1", "127.0.0.1", None)


def test_settings_do_not_change_while_a_server_runs() -> None:
    """Config is immutable."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        Config().port = 1  # type: ignore[misc]
