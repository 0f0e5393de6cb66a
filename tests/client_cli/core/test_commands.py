"""Commands that people type."""

import pytest

from client_cli.core.commands import (
    SIMPLE,
    ChangeSetting,
    Chat,
    Command,
    InvalidCommandError,
    MemberCommand,
    MoveCards,
    NameDeal,
    SaveRace,
    ShowLeaderboard,
    SimpleCommand,
    changed_settings,
    parse,
)
from protocol.parts import Ranking, Settings, StartMode


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("3 7", MoveCards(2, 6)),
        ("  3   7  ", MoveCards(2, 6)),
        ("3 7 2", MoveCards(2, 6, 2)),
        ("10 1 12", MoveCards(9, 0, 12)),
        ("3", MoveCards(2)),
        ("undo", SimpleCommand("undo")),
        ("u", SimpleCommand("undo")),
        ("RESTART", SimpleCommand("restart")),
        ("quit", SimpleCommand("quit")),
        ("kick 陳小明", MemberCommand("kick", "陳小明")),
        ("show Ada B.", MemberCommand("show", "Ada B.")),
        ("chat  hello, all", Chat("hello, all")),
        ("say hello, all", Chat("hello, all")),
        ("set suits 2", ChangeSetting("suits", "2")),
        ("set time_limit 60", ChangeSetting("time_limit", "60")),
        ("code ss1-s1-aaaaabd", NameDeal("ss1-s1-aaaaabd")),
        ("code none", NameDeal(None)),
        ("leaderboard", ShowLeaderboard(None)),
        ("leaderboard SS1-S1-AAAAABD", ShowLeaderboard("SS1-S1-AAAAABD")),
        ("save my race.json", SaveRace("my race.json")),
    ],
)
def test_a_line_is_parsed_into_its_command(line: str, command: Command) -> None:
    assert parse(line) == command


@pytest.mark.parametrize("word", SIMPLE)
def test_a_simple_command_takes_no_argument(word: str) -> None:
    assert parse(word) == SimpleCommand(word)
    with pytest.raises(
        InvalidCommandError, match=f"^The command {word} takes no argument\\. Leave out 'x'\\.$"
    ):
        parse(f"{word} x")


@pytest.mark.parametrize("line", ["", "   ", "\t"])
def test_a_blank_line_is_no_command(line: str) -> None:
    assert parse(line) is None


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("0 3", "There is no such column. Columns are numbered from 1 to 10."),
        ("3 11", "There is no such column. Columns are numbered from 1 to 10."),
        ("3 4 0", "The third number is the number of cards to move, from 1 to 52."),
        ("3 4 53", "The third number is the number of cards to move, from 1 to 52."),
        ("3 x", "'3 x' is not a move. Write a move as 3 7, or 3 7 2 for two cards, or 3 alone."),
        ("-3 4", "'-3 4' is not a move. Write a move as 3 7, or 3 7 2 for two cards, or 3 alone."),
        ("1 2 3 4", "'1 2 3 4' is not a move. Write a move as 3 7, or 3 7 2 for two cards, or 3 alone."),
        ("٣ 4", "'٣ 4' is not a move. Write a move as 3 7, or 3 7 2 for two cards, or 3 alone."),
        (
            "9999999999",
            "'9999999999' is not a move. Write a move as 3 7, or 3 7 2 for two cards, or 3 alone.",
        ),
        ("jump", "There is no command 'jump'. Type help to see all commands."),
        ("chat", "Type: chat TEXT"),
        ("kick", "Type: kick NAME"),
        ("set", "Type: set KEY VALUE, for example: set suits 2"),
        ("set suits", "Type: set suits VALUE"),
        ("code", "Type: code CODE, for example: code SS1-S1-AAAAABD"),
        ("save", "Type: save FILE, for example: save race.json"),
        ("chat " + "x" * 301, "A chat line has at most 300 characters."),
    ],
)
def test_an_invalid_line_is_refused_with_a_sentence(line: str, sentence: str) -> None:
    with pytest.raises(InvalidCommandError) as refused:
        parse(line)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("change", "settings"),
    [
        (ChangeSetting("suits", "4"), Settings(suits=4)),
        (ChangeSetting("ranking", "Score"), Settings(ranking=Ranking.SCORE)),
        (ChangeSetting("start", "all-ready"), Settings(start_mode=StartMode.ALL_READY)),
        (ChangeSetting("winnable", "no"), Settings(winnable=False)),
        (ChangeSetting("live-boards", "on"), Settings(live_boards=True)),
        (ChangeSetting("countdown", "0"), Settings(countdown_s=0)),
        (ChangeSetting("countdown_s", "0"), Settings(countdown_s=0)),
        (ChangeSetting("start-mode", "all_ready"), Settings(start_mode=StartMode.ALL_READY)),
        (ChangeSetting("time_limit", "60"), Settings(time_limit_s=60)),
        (ChangeSetting("max_members", "2"), Settings(max_members=2)),
    ],
)
def test_a_change_of_a_setting_keeps_the_others(change: ChangeSetting, settings: Settings) -> None:
    assert changed_settings(Settings(), change) == settings


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (ChangeSetting("suits", "3"), "'3' is not a value of suits. Give 1, 2 or 4."),
        (ChangeSetting("suits", "two"), "'two' is not a value of suits. Give 1, 2 or 4."),
        (ChangeSetting("ranking", "luck"), "'luck' is not a value of ranking. Give time or score."),
        (ChangeSetting("countdown", "61"), "'61' is not a value of countdown. Give seconds, 0 to 60."),
        (ChangeSetting("winnable", "maybe"), "'maybe' is not a value of winnable. Give yes or no."),
        (
            ChangeSetting("colour", "red"),
            "There is no setting 'colour'. The settings are: suits, winnable, ranking, start, countdown, "
            "time_limit, max_members, live_boards.",
        ),
    ],
)
def test_an_invalid_setting_is_refused_with_a_sentence(change: ChangeSetting, sentence: str) -> None:
    with pytest.raises(InvalidCommandError) as refused:
        changed_settings(Settings(), change)
    assert str(refused.value) == sentence
