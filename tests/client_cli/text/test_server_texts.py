"""Translated texts of the server's codes."""

from client_cli.files.catalogues import translation
from client_cli.text.server_texts import error, joined, notice, refused
from client_cli.text.translation import ENGLISH
from protocol import from_server
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode
from protocol.refusals import RefusalCode

CHINESE = translation("zh-Hant")


def test_sentences_are_joined_as_the_language_writes_them() -> None:
    assert joined(ENGLISH, "It is lost.", "Wait.") == "It is lost. Wait."
    assert joined(CHINESE, "連線中斷。", "請等一下。") == "連線中斷。請等一下。"


def test_every_code_has_a_text_in_both_languages() -> None:
    for code in RefusalCode:
        message = from_server.Refused(race=1, n=1, expected=1, code=code, text="?")
        assert (refused(ENGLISH, message), refused(CHINESE, message)) == (code.english, code.chinese)
    for notice_code in set(NoticeCode) - {NoticeCode.RESTARTING}:
        noticed = from_server.Notice(code=notice_code, text="?")
        assert (notice(ENGLISH, noticed), notice(CHINESE, noticed)) == (
            notice_code.english,
            notice_code.chinese,
        )
    for error_code in ErrorCode:
        fault = from_server.Error(code=error_code, text=error_code.sentence)
        assert error(ENGLISH, fault) == error_code.sentence
        assert error(CHINESE, fault) != error_code.sentence


def test_an_unknown_code_keeps_the_server_s_text() -> None:
    assert (
        refused(CHINESE, from_server.Refused(race=1, n=1, expected=1, code="full_moon", text="Not tonight."))
        == "Not tonight."
    )
    assert notice(CHINESE, from_server.Notice(code="full_moon", text="It is up.")) == "It is up."
    assert error(CHINESE, from_server.Error(code="full_moon", text="Too bright.")) == "Too bright."


def test_details_of_the_server_are_kept() -> None:
    fault = from_server.Error(code="bad_message", text="Expected `int`, got `str` - at `$.cards`")
    assert error(CHINESE, fault) == "Expected `int`, got `str` - at `$.cards`"


def test_a_restart_has_a_text_for_people() -> None:
    """The text of the code tells a program what to do, and the client does it."""
    message = from_server.Notice(code="restarting", text=NoticeCode.RESTARTING.english, retry_in_ms=2500)
    assert notice(ENGLISH, message) == "The server restarts. This client reconnects automatically. (2.5 s)"
    assert notice(CHINESE, message) == "伺服器即將重新啟動。用戶端會自動重新連線。 (2.5 s)"


def test_a_notice_shows_its_seconds() -> None:
    message = from_server.Notice(code="time_warning", text="?", remaining_ms=60_040)
    assert notice(CHINESE, message) == "這場比賽的時限快到了。 (60 s)"
