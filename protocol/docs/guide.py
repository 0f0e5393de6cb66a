"""The generated blocks of PROTOCOL.md: the transcript of a race, and some messages in both encodings."""

from collections.abc import Iterable, Sequence

from protocol.docs.markdown import example
from protocol.docs.vectors import Line, Vector


def blocks(vectors: Sequence[Vector], race: Iterable[Line]) -> dict[str, str]:
    """Return the text of each block."""
    return {
        "transcript": transcript(race),
        "encodings": "\n\n".join(example(name, vectors) for name in ("move", "accepted", "refused")),
    }


def transcript(race: Iterable[Line]) -> str:
    """Return the lines of a race that a document shows: `>` is sent by a client, `<` received by it."""
    shown, left_out = ["```"], 0
    for line in [*race, None]:
        if line is not None and line.omit:
            left_out += 1
            continue
        if left_out > 4:
            shown.append(f"    ... {left_out} more messages ...")
        left_out = 0
        if line is not None:
            shown.append(f"{line.who:<4}{'>' if line.sends else '<'} {line.sends or line.receives}")
    return "\n".join([*shown, "```"])
