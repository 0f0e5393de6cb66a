"""Log and status line."""

from fullscreen.harness import Harness

from client_cli.files.catalogues import translation
from client_cli.text.style import Role, Style, plain
from client_cli.tui.state.effects import Prompt
from client_cli.tui.state.state import ScreenState
from client_cli.tui.views.status import log_lines, prompt_text, status_line


def status_text(harness: Harness) -> str:
    return plain(status_line(harness.state, harness.controller.context, Style()))


def test_a_prompt_says_what_to_type() -> None:
    def prompts(language: str) -> dict[Prompt, str]:
        return {prompt: prompt_text(prompt, Style(translate=translation(language))) for prompt in Prompt}

    assert prompts("en") == {
        Prompt.CHAT: " chat: ",
        Prompt.COMMAND: " command: ",
        Prompt.GAME_CODE: " game code: ",
        Prompt.SAVE_PATH: " save the race in: ",
    }
    assert prompts("zh-Hant") == {
        Prompt.CHAT: " 聊天：",
        Prompt.COMMAND: " 指令：",
        Prompt.GAME_CODE: " 牌局代碼：",
        Prompt.SAVE_PATH: " 把比賽存到：",
    }


def test_a_lost_connection_hides_a_question_and_a_question_hides_a_prompt(harness: Harness) -> None:
    harness.change(status="Copied.")
    texts = [status_text(harness)]
    harness.change(prompt=Prompt.CHAT)
    texts.append(status_text(harness))
    harness.press("q")
    texts.append(status_text(harness))
    harness.change(connection_lost="No connection.")
    texts.append(status_text(harness))
    assert texts == [
        " Copied.",
        " chat:",
        " Leave the room? y: yes, any other key: no",
        " No connection.",
    ]


def test_the_log_shows_its_newest_lines_at_the_bottom() -> None:
    state = (
        ScreenState().with_log("one").with_log("two", Role.BAR).with_log("a long sentence that is wrapped")
    )
    style = Style(width=20)
    assert [plain(each) for each in log_lines(state, style, 5)] == [
        "",
        " one",
        " two",
        " a long sentence",
        " that is wrapped",
    ]
    assert [plain(each) for each in log_lines(state, style, 1)] == [" that is wrapped"]
    assert log_lines(state, style, 0) == []
