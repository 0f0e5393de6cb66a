"""Pieces of a row with what they are and what is under them; the palette turns both into colours."""

from collections.abc import Iterable
from enum import Enum, auto
from typing import NamedTuple

from client_cli.look import Line, Role
from client_cli.width import fit, safe, text_width


class Tone(Enum):
    """What a piece of a row lies on."""

    PAGE = auto()
    STRIPE = auto()
    CARD = auto()
    FREE = auto()
    HELD = auto()
    LIT = auto()
    CHOSEN = auto()


class Ink(NamedTuple):
    """A piece of a row."""

    text: str
    role: Role = Role.TEXT
    tone: Tone = Tone.PAGE


Row = tuple[Ink, ...]


def row(text: str, role: Role = Role.TEXT, tone: Tone = Tone.PAGE) -> Row:
    """Return a row of one piece, safe to show whoever wrote it."""
    return (Ink(safe(text), role, tone),)


def rows(lines: Iterable[Line]) -> list[Row]:
    """Return the lines of the line client as rows."""
    return [tuple(Ink(piece.text, piece.role) for piece in line) for line in lines]


def width_of(pieces: Row) -> int:
    """Return the cells that a row takes."""
    return sum(text_width(piece.text) for piece in pieces)


def text_of(pieces: Row) -> str:
    """Return a row's text without colours, and without blanks at its end."""
    return "".join(piece.text for piece in pieces).rstrip()


def clip(pieces: Row, width: int, cut: str) -> Row:
    """Return a row that takes at most `width` cells."""
    kept: list[Ink] = []
    room = width
    for piece in pieces:
        cells = text_width(piece.text)
        if cells > room:
            return (*kept, piece._replace(text=fit(piece.text, room, cut=cut)))
        kept.append(piece)
        room -= cells
    return tuple(kept)


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
