"""Rows of the full screen: lines of text that are padded, centred and put side by side by their cells."""

from client_cli.text.style import Line as Row
from client_cli.text.style import Segment as Ink
from client_cli.text.style import Tone, clip, width_of
from client_cli.text.style import line as row
from client_cli.text.style import plain as text_of

__all__ = ["Ink", "Row", "Tone", "centred", "clip", "padded", "row", "spread", "text_of", "width_of"]


def padded(pieces: Row, width: int) -> Row:
    """Return a row that takes at least `width` cells."""
    missing = width - width_of(pieces)
    return (*pieces, Ink(" " * missing)) if missing > 0 else pieces


def centred(pieces: Row, width: int) -> Row:
    """Return a row in the middle of `width` cells."""
    before = (width - width_of(pieces)) // 2
    return (Ink(" " * before), *pieces) if before > 0 else pieces


def spread(left: Row, right: Row, width: int, cut: str) -> Row:
    """Return a row with something at either end; what is left gives way to what is right."""
    room = max(0, width - width_of(right))
    return clip((*padded(clip(left, max(0, room - 1), cut), room), *right), width, cut)
