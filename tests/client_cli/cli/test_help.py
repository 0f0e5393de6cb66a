"""What commands say about themselves, in the language of whoever reads it."""

import click
import pytest
from click.testing import CliRunner

from client_cli.cli.help import (
    Argument,
    Command,
    FilePath,
    Group,
    Option,
    WholeNumber,
    argument,
    option,
    translation_of,
)
from client_cli.cli.main import cli
from client_cli.text.width import text_width

CHINESE = {"LC_ALL": "zh_TW.UTF-8"}


@click.group(cls=Group, context_settings={"show_default": True})
def tool() -> None:
    """Race your friends on the same deal of Simple Simon."""


@tool.command()
@option("--name", metavar="NAME", help="Game code of the first race.")
@argument("code", required=False)
@click.pass_context
def deal(context: click.Context, name: str | None, code: str | None) -> None:
    """Print the deal of a game code. More of it is not said here.

    FILE is no text of the catalogues and stays as it is.
    """
    click.echo(f"{translation_of(context)('ready')} {name} {code}")


@tool.command()
@option("--seats", metavar="COUNT", type=WholeNumber(max=2), help="How long a race may take.")
@option("--log", metavar="FILE", type=FilePath(dir_okay=False), help="How long a race may take.")
@argument("room")
def enter(seats: int | None, log: str | None, room: str) -> None:
    """Print the deal of a game code."""
    click.echo(f"{seats} {log} {room}")


def said(*words: str, **environment: str) -> str:
    return CliRunner().invoke(tool, words, env={"LC_ALL": "C", **environment}, prog_name="tool").output


def commands() -> list[tuple[str, click.Command]]:
    return [("simonrace", cli), *cli.commands.items()]


def test_help_is_english_where_nothing_else_is_spoken() -> None:
    """In the list of commands stands the first sentence of each."""
    assert said("--help").splitlines() == [
        "Usage: tool [OPTIONS] COMMAND [ARGS]...",
        "",
        "  Race your friends on the same deal of Simple Simon.",
        "",
        "Options:",
        "  --help  Show this message and exit.",
        "",
        "Commands:",
        "  deal   Print the deal of a game code",
        "  enter  Print the deal of a game code",
    ]


def test_help_speaks_the_language_of_the_locale_and_says_what_has_no_translation_in_english() -> None:
    """The same command speaks one language after another: nothing is kept from the first time."""
    for _ in range(2):
        assert said("deal", "--help", LC_ALL="zh_TW.UTF-8").splitlines() == [
            "用法：tool deal [選項] [牌局代碼]",
            "",
            "  Print the deal of a game code. More of it is not said here.",
            "",
            "  FILE is no text of the catalogues and stays as it is.",
            "",
            "選項：",
            "  --name 名字  第一場比賽的牌局代碼。",
            "  --help       顯示這份說明後結束。",
        ]
        assert said("deal", "--help").startswith("Usage: tool deal [OPTIONS] [CODE]\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "錯誤：缺少引數「房間」。"),
        (("x", "--seats", "many"), "錯誤：「--seats」的值無效：「many」不是有效的值（整數）。"),
        (("x", "--seats", "3"), "錯誤：「--seats」的值無效：3 不在範圍 x<=2 之內。"),
        (("x", "--log", "/"), "錯誤：「--log」的值無效：檔案「/」是資料夾。"),
    ],
)
def test_what_is_missing_or_wrong_is_named_in_that_language(words: tuple[str, ...], told: str) -> None:
    assert said("enter", *words, **CHINESE).splitlines()[-1] == told


def test_what_is_missing_is_told_in_english_as_click_does() -> None:
    assert said("enter").splitlines()[-1] == "Error: Missing argument 'ROOM'."


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("deel",), "錯誤：沒有「deel」這個指令。是不是要打 'deal'？"),
        (("deal", "--nam"), "錯誤：沒有「--nam」這個選項。是不是要打 '--name'？"),
        (("deal", "--name"), "錯誤：選項「--name」需要 1 個值。"),
        (("deal", "a", "b"), "錯誤：多了引數（b）"),
    ],
)
def test_click_s_own_words_are_in_that_language_too(words: tuple[str, ...], told: str) -> None:
    assert said(*words, **CHINESE).splitlines()[-1] == told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("deel",), "Error: No such command 'deel'. Did you mean 'deal'?"),
        (("deal", "--nam"), "Error: No such option '--nam'. Did you mean '--name'?"),
        (("nothing-like-it",), "Error: No such command 'nothing-like-it'."),
        (("deal", "--xyz"), "Error: No such option '--xyz'."),
    ],
)
def test_what_might_have_been_meant_is_asked_in_english_as_click_does(
    words: tuple[str, ...], told: str
) -> None:
    assert said(*words).splitlines()[-1] == told


def test_a_command_has_the_texts_of_the_language() -> None:
    assert said("deal") == "ready None None\n"
    assert said("deal", **CHINESE) == "準備好 None None\n"
    assert CliRunner().invoke(deal, []).output == "ready None None\n"


def test_everything_that_a_command_says_can_be_looked_up() -> None:
    """Options and arguments of our own kind, with help and a name for each value: a build finds them."""
    for name, command in commands():
        assert isinstance(command, Command), name
        assert command.english, name
        for param in command.params:
            assert isinstance(param, Option | Argument), f"{name} {param.name}"
            if isinstance(param, Option):
                assert param.english, f"{name} {param.opts[0]}"
                choice = isinstance(param.type, click.Choice)
                assert param.is_flag or choice or param.metavar, f"{name} {param.opts[0]}"


@pytest.mark.parametrize("language", ["en", "zh-Hant"])
@pytest.mark.parametrize("columns", [52, 80, 120])
def test_every_page_keeps_to_its_width_and_its_columns(language: str, columns: int) -> None:
    """Explanations begin in one column, by the cells that texts take; no line is wider than the terminal."""
    for name, command in commands():
        words = ["--lang", language, *([] if command is cli else [name]), "--help"]
        page = CliRunner().invoke(cli, words, terminal_width=columns - 2).output.splitlines()
        assert all(text_width(row) <= columns for row in page), name
        heading = max(at for at, row in enumerate(page) if row in {"Options:", "選項："})
        terms = [row for row in page[heading + 1 :] if row.startswith("  -") and "  " in row.strip()]
        starts = {text_width(row[: len(row) - len(row.lstrip().split("  ", 1)[1].lstrip())]) for row in terms}
        assert len(starts) == 1, f"{name}: {terms}"
