"""Pieces of text with a role, and how a terminal can show them."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, NamedTuple

from client_cli.text.translation import ENGLISH, Translation
from client_cli.text.width import fit, safe, text_width


class Role(Enum):
    """What a piece of text is; the screen gives each role its colour."""

    TEXT = auto()
    QUIET = auto()
    TITLE = auto()
    WARNING = auto()
    ME = auto()
    BAR = auto()
    SPADES = auto()
    HEARTS = auto()
    DIAMONDS = auto()
    CLUBS = auto()


class Tone(Enum):
    """What a piece of text lies on; the full screen gives each tone its ground, the line client none."""

    PAGE = auto()
    STRIPE = auto()
    CARD = auto()
    FREE = auto()
    HELD = auto()
    LIT = auto()
    CHOSEN = auto()


class Segment(NamedTuple):
    """A piece of a line."""

    text: str
    role: Role = Role.TEXT
    tone: Tone = Tone.PAGE


Line = tuple[Segment, ...]

SUIT_ROLES: Final = {"S": Role.SPADES, "H": Role.HEARTS, "D": Role.DIAMONDS, "C": Role.CLUBS}


@dataclass(frozen=True, slots=True)
class Style:
    """What a terminal can show, and to whom: its size in cells, more than ASCII or not, the language."""

    width: int = 80
    height: int = 24
    glyphs: bool = True
    translate: Translation = ENGLISH

    @property
    def cut(self) -> str:
        """What stands for the rest of a text that is too long."""
        return "…" if self.glyphs else "~"

    @property
    def bar(self) -> tuple[str, str]:
        """The full and the empty cell of a progress bar."""
        return ("█", "░") if self.glyphs else ("#", ".")

    @property
    def dot(self) -> str:
        """What stands between two remarks on one line."""
        return "·" if self.glyphs else "-"

    def suit(self, letter: str) -> str:
        """The sign of a suit."""
        return {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[letter] if self.glyphs else letter

    def card(self, card: str) -> str:
        """A card as people read it: `10♥`, three cells wide."""
        rank = "10" if card[0] == "T" else card[0]
        return f"{rank:>2}{self.suit(card[1])}"

    def fit(self, text: str, width: int, *, right: bool = False) -> str:
        """The text made exactly `width` cells wide, safe to show."""
        return fit(safe(text), width, right=right, cut=self.cut)


def line(text: str, role: Role = Role.TEXT, tone: Tone = Tone.PAGE) -> Line:
    """Return a line of one piece, safe to show whoever wrote it."""
    return (Segment(safe(text), role, tone),)


def plain(pieces: Line) -> str:
    """Return the text of a line without its colours, and without blanks at its end."""
    return "".join(piece.text for piece in pieces).rstrip()


def width_of(pieces: Line) -> int:
    """Return the cells that a line takes."""
    return sum(text_width(piece.text) for piece in pieces)


def clip(pieces: Line, width: int, cut: str) -> Line:
    """Return a line that takes at most `width` cells."""
    kept: list[Segment] = []
    room = width
    for piece in pieces:
        cells = text_width(piece.text)
        if cells > room:
            return (*kept, piece._replace(text=fit(piece.text, room, cut=cut)))
        kept.append(piece)
        room -= cells
    return tuple(kept)


def beside(left: list[Line], right: list[Line], left_width: int) -> list[Line]:
    """Return two blocks of lines side by side."""
    rows = max(len(left), len(right)) if right else len(left)
    joined: list[Line] = []
    for row in range(rows):
        before = left[row] if row < len(left) else ()
        after = right[row] if row < len(right) else ()
        gap = (Segment(" " * (left_width - width_of(before))),) if after else ()
        joined.append((*before, *gap, *after))
    return joined
