"""List of the commands."""

from client_cli.core.command_help import help_lines, setting_keys
from client_cli.core.commands import SIMPLE


def test_every_command_is_in_the_help() -> None:
    text = "\n".join(help_lines())
    words = (*SIMPLE, *setting_keys(), "kick", "show", "chat", "set", "code", "leaderboard", "save")
    assert [word for word in words if word not in text] == []
    assert all(len(each) < 80 for each in help_lines())


def test_the_keys_of_settings_follow_the_command_set() -> None:
    lines = help_lines()
    [at] = (number for number, line in enumerate(lines) if line.startswith("set KEY VALUE"))
    assert " ".join(" ".join(lines[at + 1 : at + 3]).split()) == ", ".join(setting_keys())
