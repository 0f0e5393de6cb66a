"""Help and error messages of commands in the user's language."""

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
    """Print the deal of a game code. The rest is left out.

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


def output(*words: str, **environment: str) -> str:
    return CliRunner().invoke(tool, words, env={"LC_ALL": "C", **environment}, prog_name="tool").output


def commands() -> list[tuple[str, click.Command]]:
    return [("simonrace", cli), *cli.commands.items()]


def test_help_is_english_by_default() -> None:
    """The list of commands has the first sentence of each."""
    assert output("--help").splitlines() == [
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


def test_help_is_in_the_language_of_the_locale_and_untranslated_texts_stay_english() -> None:
    """The same command changes its language from one run to the next."""
    for _ in range(2):
        assert output("deal", "--help", LC_ALL="zh_TW.UTF-8").splitlines() == [
            "用法：tool deal [選項] [牌局代碼]",
            "",
            "  Print the deal of a game code. The rest is left out.",
            "",
            "  FILE is no text of the catalogues and stays as it is.",
            "",
            "選項：",
            "  --name 名字  第一場比賽的牌局代碼。",
            "  --help       顯示這份說明後結束。",
        ]
        assert output("deal", "--help").startswith("Usage: tool deal [OPTIONS] [CODE]\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "錯誤：缺少引數「房間」。"),
        (("x", "--seats", "many"), "錯誤：「--seats」的值無效：「many」不是有效的值（整數）。"),
        (("x", "--seats", "3"), "錯誤：「--seats」的值無效：3 不在範圍 x<=2 之內。"),
        (("x", "--log", "/"), "錯誤：「--log」的值無效：檔案「/」是資料夾。"),
    ],
)
def test_usage_errors_are_translated(words: tuple[str, ...], message: str) -> None:
    assert output("enter", *words, **CHINESE).splitlines()[-1] == message


def test_usage_errors_in_english_are_those_of_click() -> None:
    assert output("enter").splitlines()[-1] == "Error: Missing argument 'ROOM'."


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("deel",), "錯誤：沒有「deel」這個指令。是不是要打 'deal'？"),
        (("deal", "--nam"), "錯誤：沒有「--nam」這個選項。是不是要打 '--name'？"),
        (("deal", "--name"), "錯誤：選項「--name」需要 1 個值。"),
        (("deal", "a", "b"), "錯誤：多了引數（b）"),
    ],
)
def test_messages_of_click_are_translated(words: tuple[str, ...], message: str) -> None:
    assert output(*words, **CHINESE).splitlines()[-1] == message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("deel",), "Error: No such command 'deel'. Did you mean 'deal'?"),
        (("deal", "--nam"), "Error: No such option '--nam'. Did you mean '--name'?"),
        (("nothing-like-it",), "Error: No such command 'nothing-like-it'."),
        (("deal", "--xyz"), "Error: No such option '--xyz'."),
    ],
)
def test_suggestions_in_english_are_those_of_click(words: tuple[str, ...], message: str) -> None:
    assert output(*words).splitlines()[-1] == message


def test_a_command_gets_the_translation() -> None:
    assert output("deal") == "ready None None\n"
    assert output("deal", **CHINESE) == "準備好 None None\n"
    assert CliRunner().invoke(deal, []).output == "ready None None\n"


def test_every_text_of_a_command_can_be_translated() -> None:
    """Options and arguments are of our classes and have help and a metavar, so that a build finds them."""
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
def test_every_help_page_keeps_its_width_and_columns(language: str, columns: int) -> None:
    """Explanations begin in one column of terminal cells; no line is wider than the terminal."""
    for name, command in commands():
        words = ["--lang", language, *([] if command is cli else [name]), "--help"]
        page = CliRunner().invoke(cli, words, terminal_width=columns - 2).output.splitlines()
        assert all(text_width(row) <= columns for row in page), name
        heading = max(at for at, row in enumerate(page) if row in {"Options:", "選項："})
        terms = [row for row in page[heading + 1 :] if row.startswith("  -") and "  " in row.strip()]
        starts = {text_width(row[: len(row) - len(row.lstrip().split("  ", 1)[1].lstrip())]) for row in terms}
        assert len(starts) == 1, f"{name}: {terms}"
