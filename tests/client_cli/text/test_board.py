"""The board as lines."""

from client_cli.core.own_game import table
from client_cli.text.board import NARROW_WIDTH, board
from client_cli.text.style import Role, Segment, Style, plain
from client_cli.text.width import text_width


def text(lines: list[tuple]) -> str:  # type: ignore[type-arg]
    return "\n".join(plain(each) for each in lines)


def test_a_deal_with_suit_signs(columns: list[list[str]]) -> None:
    assert text(board(table(columns), Style())) == (
        " 1    2    3    4    5    6    7    8    9   10\n"
        " A♣   2♣   9♥   8♥   9♠   Q♦   Q♥  10♥   5♠   A♥\n"
        " 3♦   K♣   8♦   6♥   4♥   2♦   A♦   5♥   J♣\n"
        " K♦   5♣   2♠   3♥   7♥   7♠  10♠   K♥\n"
        " J♠   J♦   9♦  10♦   4♠   6♣   5♦\n"
        " 7♦   K♠   Q♣   Q♠  10♣   4♦\n"
        " 6♠   8♣   2♥   4♣   J♥\n"
        " 6♦   A♠   3♣   9♣\n"
        " 7♣   3♠   8♠"
    )


def test_a_narrow_deal_in_letters(columns: list[list[str]]) -> None:
    """Without signs, suits are letters."""
    shown = text(board(table(columns), Style(glyphs=False), NARROW_WIDTH))
    assert shown.splitlines()[:3] == [
        " 1   2   3   4   5   6   7   8   9  10",
        " AC  2C  9H  8H  9S  QD  QH 10H  5S  AH",
        " 3D  KC  8D  6H  4H  2D  AD  5H  JC",
    ]
    assert shown.isascii()


def test_an_empty_column_is_a_dot() -> None:
    assert text(board((("TH",), *[()] * 9), Style())) == (
        " 1    2    3    4    5    6    7    8    9   10\n10♥   ·    ·    ·    ·    ·    ·    ·    ·    ·"
    )


def test_a_column_that_is_too_long_hides_its_deepest_cards(columns: list[list[str]]) -> None:
    """Movable cards stay visible; the number of the others is at the top."""
    assert text(board(table(columns), Style(), height=4)) == (
        " 1    2    3    4    5    6    7    8    9   10\n"
        "+6   +6   +6   +5   +4   +3   +2   10♥   5♠   A♥\n"
        " 6♦   A♠   3♣   4♣  10♣   6♣  10♠   5♥   J♣\n"
        " 7♣   3♠   8♠   9♣   J♥   4♦   5♦   K♥"
    )


def test_columns_are_aligned(columns: list[list[str]]) -> None:
    for height in (3, 5, 9, None):
        for each in board(table(columns), Style(), height=height):
            start = 0
            for piece in each:
                if piece.role in {Role.SPADES, Role.HEARTS, Role.DIAMONDS, Role.CLUBS}:
                    assert (start + text_width(piece.text)) % 5 == 3
                start += text_width(piece.text)


def test_a_card_has_the_role_of_its_suit() -> None:
    row = board((("AS",), ("2H",), ("3D",), ("4C",), *[()] * 6), Style())[1]
    assert [piece for piece in row if piece.text.strip() and piece.role is not Role.QUIET] == [
        Segment("A♠", Role.SPADES),
        Segment("2♥", Role.HEARTS),
        Segment("3♦", Role.DIAMONDS),
        Segment("4♣", Role.CLUBS),
    ]
