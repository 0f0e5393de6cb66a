"""Deals of game codes: frozen vectors, and a second implementation of the shuffle."""

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from engine.code import COUNT, GameCode
from engine.deal import deal, draw_below

FROZEN: dict[str, list[str]] = json.loads((Path(__file__).parents[1] / "data" / "deals.json").read_text())


@pytest.mark.parametrize("text", FROZEN)
def test_a_deal_never_changes(text: str) -> None:
    """A code gives the same deal in every version of this project.

    The vectors have the first and last code of each number of suits, and two codes (AABRBYM and AAFHGZB of 4
    suits) whose shuffle rejects a word, as about one code in seven million does.
    """
    assert deal(GameCode.parse(text)).columns_text() == [column.split() for column in FROZEN[text]]


def test_the_first_and_last_code_of_each_number_of_suits_are_frozen() -> None:
    """The vectors include the lowest and the highest number."""
    edges = {f"SS1-S{suits}-{letters}" for suits in (1, 2, 4) for letters in ("AAAAAAA", "ZZZZZZZ")}
    assert edges <= FROZEN.keys()
    assert len(FROZEN) >= 12


def redo(code: str) -> list[list[str]]:
    """Shuffle and deal as the docstring of engine.deal says, without the engine."""
    suits = {"1": "SSSS", "2": "SHSH", "4": "SHDC"}[code[5]]
    pack = [rank + suit for suit in suits for rank in "A23456789TJQK"]
    stream = b"".join(sha256(f"{code}/{counter}".encode()).digest() for counter in range(20))
    place = 0
    for n in range(52, 1, -1):
        while True:
            word = int.from_bytes(stream[place : place + 4], "big")
            place += 4
            if word < 2**32 - 2**32 % n:
                break
        j = word % n
        pack[n - 1], pack[j] = pack[j], pack[n - 1]
    columns = []
    for height in (8, 8, 8, 7, 6, 5, 4, 3, 2, 1):
        columns.append(pack[:height])
        pack = pack[height:]
    return columns


def test_an_independent_shuffle_agrees_on_a_thousand_codes() -> None:
    """The docstring of engine.deal is enough to implement the shuffle."""
    random = Random(1906)
    codes = [GameCode(random.choice((1, 2, 4)), random.randrange(COUNT)) for _ in range(1000)]
    assert [deal(code).columns_text() for code in codes] == [redo(str(code)) for code in codes]


@pytest.mark.parametrize("text", FROZEN)
def test_the_independent_shuffle_agrees_on_the_frozen_deals(text: str) -> None:
    """Also those whose shuffle rejects a word."""
    assert redo(text) == [column.split() for column in FROZEN[text]]


@pytest.mark.parametrize(
    ("suits", "copies"), [(1, {"S": 4}), (2, {"S": 2, "H": 2}), (4, {"S": 1, "H": 1, "D": 1, "C": 1})]
)
def test_a_deal_has_the_whole_pack(suits: int, copies: dict[str, int]) -> None:
    """52 cards: four times the spades, twice the spades and hearts, or one of each."""
    dealt = Counter(card for column in deal(GameCode(suits, 29)).columns_text() for card in column)
    assert dealt == {rank + suit: n for suit, n in copies.items() for rank in "A23456789TJQK"}


def test_the_heights_of_the_ten_columns() -> None:
    """8, 8, 8, 7, 6, 5, 4, 3, 2, 1 from left to right."""
    assert [len(column) for column in deal(GameCode(4, 0)).columns] == [8, 8, 8, 7, 6, 5, 4, 3, 2, 1]


def test_a_word_at_the_limit_is_rejected() -> None:
    """2^32 is not a multiple of 52; the remaining 48 words would favour the low numbers."""
    limit = 2**32 - 48
    assert [draw_below(52, iter([word, 5])) for word in (limit - 1, limit, 2**32 - 1)] == [51, 5, 5]


def test_no_word_is_rejected_if_the_bound_divides_2_to_the_32() -> None:
    """Every power of two does."""
    assert draw_below(32, iter([2**32 - 1])) == 31
