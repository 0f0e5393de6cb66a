"""Segments of text with a role, and the style that a terminal can show them in."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, NamedTuple

from client_cli.text.translation import ENGLISH, Translation
from client_cli.text.width import fit, safe, text_width


class Role(Enum):
    """Role of a segment; a front end gives each role a colour."""

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
    """Background of a segment; only the full screen draws backgrounds."""

    PAGE = auto()
    STRIPE = auto()
    CARD = auto()
    FREE = auto()
    HELD = auto()
    LIT = auto()
    CHOSEN = auto()


class Segment(NamedTuple):
    """Part of a line with one role."""

    text: str
    role: Role = Role.TEXT
    tone: Tone = Tone.PAGE


Line = tuple[Segment, ...]

SUIT_ROLES: Final = {"S": Role.SPADES, "H": Role.HEARTS, "D": Role.DIAMONDS, "C": Role.CLUBS}


@dataclass(frozen=True, slots=True)
class Style:
    """How to draw text: the size in cells, signs beyond ASCII or not, and the language."""

    width: int = 80
    height: int = 24
    glyphs: bool = True
    translate: Translation = ENGLISH

    @property
    def cut(self) -> str:
        """Mark of a text that was cut."""
        return "…" if self.glyphs else "~"

    @property
    def bar(self) -> tuple[str, str]:
        """Full and empty cell of a progress bar."""
        return ("█", "░") if self.glyphs else ("#", ".")

    @property
    def dot(self) -> str:
        """Separator of texts on one line."""
        return "·" if self.glyphs else "-"

    def suit(self, letter: str) -> str:
        """Return the sign of a suit."""
        return {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[letter] if self.glyphs else letter

    def card(self, card: str) -> str:
        """Return a card as people read it: `10♥`, three cells wide."""
        rank = "10" if card[0] == "T" else card[0]
        return f"{rank:>2}{self.suit(card[1])}"

    def fit(self, text: str, width: int, *, right: bool = False) -> str:
        """Return a text of exactly `width` cells, safe to show."""
        return fit(safe(text), width, right=right, cut=self.cut)


def line(text: str, role: Role = Role.TEXT, tone: Tone = Tone.PAGE) -> Line:
    """Return a line of one segment; control characters in the text are replaced."""
    return (Segment(safe(text), role, tone),)


def plain(pieces: Line) -> str:
    """Return the text of a line without blanks at its end."""
    return "".join(piece.text for piece in pieces).rstrip()


def width_of(pieces: Line) -> int:
    """Return the width of a line in cells."""
    return sum(text_width(piece.text) for piece in pieces)


def clip(pieces: Line, width: int, cut: str) -> Line:
    """Return a line cut to at most `width` cells."""
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
