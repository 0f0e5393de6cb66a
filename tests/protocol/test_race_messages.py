"""Messages about a race: answers to actions name the race, optional fields are left out."""

from protocol.codec import JSON_CODEC
from protocol.race_messages import Accepted, Refused, Standings


def test_an_accepted_action_that_moved_no_card_names_none() -> None:
    accepted = Accepted(race=2, n=1, at_ms=5, score=500, moves=0, runs=0, undoable=0)
    assert JSON_CODEC.encode(accepted) == (
        b'{"type":"accepted","race":2,"n":1,"at_ms":5,"score":500,"moves":0,"runs":0,"undoable":0}'
    )


def test_a_refusal_says_how_long_to_wait_only_if_that_helps() -> None:
    refused = Refused(race=1, n=3, expected=3, code="no_place", text="x")
    assert b"retry_in_ms" not in JSON_CODEC.encode(refused)


def test_whole_standings_do_not_count_the_racers() -> None:
    assert JSON_CODEC.encode(Standings(race=1, elapsed_ms=2, rows=[])) == (
        b'{"type":"standings","race":1,"elapsed_ms":2,"rows":[]}'
    )
