"""The reference page of codes, and the table of limits."""

from protocol.docs import codes
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode
from protocol.refusals import RefusalCode


def test_a_limit_is_shown_with_its_value_and_the_sentence_below_it() -> None:
    source = 'CHAT_LENGTH: Final = 300\n"""Characters of\na line."""\n'
    assert codes.limit_table(source) == (
        "| limit | value | meaning |\n| --- | --- | --- |\n| `CHAT_LENGTH` | 300 | Characters of a line. |"
    )


def test_codes_are_shown_with_their_sentences_and_verdicts() -> None:
    page = codes.errors()
    assert f"| `room_full` | {ErrorCode.ROOM_FULL.sentence} | yes |" in page
    assert f"| `not_host` | {ErrorCode.NOT_HOST.sentence} | no |" in page
    refusal, notice = RefusalCode.WRONG_RACE, NoticeCode.RESTARTING
    assert f"| `wrong_race` | {refusal.english} | {refusal.chinese} |" in page
    assert f"| `restarting` | {notice.english} | {notice.chinese} |" in page
    assert "| 1012 | The server is restarting. Wait for a random time, then connect again. | yes |" in page
    assert "| none | The connection ended without a close frame. | yes |" in page
