"""The generated blocks of PROTOCOL.md."""

from protocol.docs import guide
from protocol.docs.vectors import Line, Vector


def test_a_transcript_shows_who_sends_and_receives_what_and_how_much_is_left_out() -> None:
    race = [
        Line("Ann", sends='{"type":"ping"}'),
        *[Line("Ann", receives="{}", omit=True)] * 5,
        Line("Bo", receives='{"type":"pong","clock_ms":5}'),
        Line("Ann", receives="{}", omit=True),
    ]
    assert guide.transcript(race) == (
        '```\nAnn > {"type":"ping"}\n    ... 5 more messages ...\nBo  < {"type":"pong","clock_ms":5}\n```'
    )


def test_three_messages_are_shown_in_both_encodings(
    client_vectors: list[Vector], server_vectors: list[Vector]
) -> None:
    block = guide.blocks(client_vectors + server_vectors, [])["encodings"]
    assert block.count("```json") == block.count("```msgpack") == 3
