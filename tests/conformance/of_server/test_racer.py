"""The expected answers of a server, decided by the engine."""

import pytest

from conformance.errors import CheckFailedError, CheckSkippedError
from conformance.of_server.racer import Racer, fields
from conformance.of_server.scripted_client import ScriptedClient, ServerUnderTest
from engine import Refusal


class Nobody(ScriptedClient):
    """A client without a connection."""

    def __init__(self) -> None:
        self.server = ServerUnderTest("")


def racer() -> Racer:
    return Racer(Nobody(), "SS1-S1-AAAAABD")


@pytest.mark.parametrize(("code", "source"), [("SS1-S1-AAAAABD", 0), ("SS1-S1-KOIQOAC", 3)])
def test_a_legal_move_leaves_another_legal_move(code: str, source: int) -> None:
    """Checks make two moves in a row on any deal. In the second deal, the first legal move leaves none."""
    ann = Racer(Nobody(), code)
    assert ann.legal_move()["from"] == source
    for _ in range(2):
        assert isinstance(ann.decide("move", **ann.legal_move()), dict)


def test_a_check_is_skipped_if_no_move_is_legal() -> None:
    """A server with such a deal does not fail: the host can want it."""
    with pytest.raises(CheckSkippedError, match="SS1-S1-YNDHMKT"):
        Racer(Nobody(), "SS1-S1-YNDHMKT").legal_move()


def test_a_decided_move_has_all_fields() -> None:
    assert racer().decide("auto_move", **{"from": 0}) == {
        "type": "accepted",
        "race": 1,
        "n": 1,
        "score": 499,
        "moves": 1,
        "runs": 0,
        "undoable": 1,
        "from": 0,
        "to": 4,
        "cards": 1,
    }


def test_a_refusal_leaves_the_number_free() -> None:
    ann = racer()
    refusal = ann.decide("undo")
    assert refusal is Refusal.NOTHING_TO_UNDO
    ann.compare(
        {"type": "refused", "race": 1, "n": 1, "expected": 1, "code": "nothing_to_undo", "text": "x"}, refusal
    )
    assert ann.n == 0


def test_another_answer_fails_the_check() -> None:
    ann = racer()
    wanted = ann.decide("auto_move", **{"from": 0})
    assert isinstance(wanted, dict)
    with pytest.raises(CheckFailedError) as failure:
        ann.compare({**wanted, "at_ms": 5, "score": 498}, wanted)
    assert (failure.value.actual, failure.value.expected) == (
        str(wanted | {"score": 498}),
        f"the answer: {wanted}",
    )


def test_an_answer_of_another_race_fails_the_check() -> None:
    ann = racer()
    wanted = ann.decide("auto_move", **{"from": 0})
    assert isinstance(wanted, dict)
    with pytest.raises(CheckFailedError):
        ann.compare({**wanted, "at_ms": 5, "race": 2}, wanted)


def test_there_is_one_refused_move_for_each_rule() -> None:
    ann = racer()
    rules = [ann.decide("move", **fields(move)) for move in ann.refused_moves()]
    assert len(rules) == len({*rules}) >= 6
    assert {Refusal.NO_SUCH_COLUMN, Refusal.SAME_COLUMN, Refusal.BAD_CARDS} <= {*rules}
